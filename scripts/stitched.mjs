/**
 * StitchedGcm against one-shot WebCrypto, on every runtime that can be had here, one after the other: a message of 64 MiB,
 * contestants in turn within each round, ratios within rounds. Needs a quiet machine, and says so in its intervals.
 *
 *     node scripts/stitched.mjs [words of runtimes' names] [--rounds 15] [--mib 64]
 *     node scripts/stitched.mjs node --segments 256,1024,4096 --in-flight 1,2,3      # in KiB: which pace is best?
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { build } from "vite";
import { BROWSERS, findBrowser } from "../packages/bench/dist/browser/browsers.js";
import { visitPages } from "../packages/bench/dist/browser/visit.js";
import { estimate, pairedRatio } from "../packages/bench/dist/statistics.js";
import { formatMegabytes, formatPercent, formatRatio, formatText } from "../packages/bench/dist/table.js";
import { PROCESSES } from "./runtimes/catalog.mjs";
import { fetchRuntime, installArtefact } from "./runtimes/install.mjs";

const TIMEOUT = 600_000;
const ONE_CALL = "one call";

/** Least ratios of the best way to one call; runtimes by the first word of their name. */
const TARGETS = {
  encrypt: { Node: 2, Deno: 2, Chromium: 2, WebKitGTK: 2, Bun: 1.5, Firefox: 1.5 },
  decrypt: { Node: 1.3, Deno: 1.3, Chromium: 1.3, WebKitGTK: 1.3, Bun: 1.3, Firefox: 1.3 },
};

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "15" },
    mib: { type: "string", default: "64" },
    segments: { type: "string", default: "" },
    "in-flight": { type: "string", default: "1,2,3" },
  },
});
const numbers = (list) => list.split(",").filter(Boolean).map(Number);
const options = {
  length: Number(values.mib) * 2 ** 20,
  rounds: Number(values.rounds),
  paces: numbers(values.segments).flatMap((kib) =>
    numbers(values["in-flight"]).map((inFlight) => ({ segmentLength: kib * 1024, inFlight })),
  ),
};
const wanted = ({ name }) =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));

/** Flags that let a program collect garbage itself. */
const COLLECTING = { Node: ["--expose-gc"], Deno: ["--v8-flags=--expose-gc"], Bun: [] };

async function inProcess(runtime, folder) {
  const command = await fetchRuntime(runtime);
  const flags = [...runtime.arguments, ...COLLECTING[firstWord(runtime)]];
  const args = [...flags, join(folder, "process.js"), JSON.stringify(options)];
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, timeout: TIMEOUT });
  return JSON.parse(stdout);
}

async function inPage(browser, folder) {
  const { command, missing } = findBrowser(browser);
  if (command === undefined) throw new Error(missing);
  const outDir = join(folder, "page");
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><title>Evariste</title><script type="module" src="./page.js"></script>\n',
  );
  await build({ root: folder, base: "./", logLevel: "error", configFile: false, build: { outDir } });
  const [{ summary, error }] = await visitPages(browser, command, outDir, [{ path: "/", options }], {
    timeout: TIMEOUT,
  });
  if (summary === undefined) throw new Error(error);
  return summary;
}

function firstWord({ name }) {
  return name.split(" ", 1)[0];
}

function speed(samples) {
  const { median, low, high } = estimate(samples);
  const error = formatPercent((high - low) / 2 / median);
  return `${formatMegabytes(options.length / median / 1e3)} MB/s ${error}`;
}

function rowsOf(runtime, operation, ways) {
  const base = ways[ONE_CALL];
  const target = TARGETS[operation]?.[firstWord(runtime)];
  return Object.entries(ways).map(([name, samples], i) => {
    const ratio = base === undefined || name === ONE_CALL ? undefined : pairedRatio(samples, base);
    const words = ratio === undefined ? "" : `${formatRatio(ratio.low)} to ${formatRatio(ratio.high)}`;
    return [
      i === 0 ? `${runtime.name}, ${operation}` : "",
      name,
      speed(samples),
      ratio === undefined ? "" : formatRatio(ratio.median),
      words,
      ratio === undefined || name === "joined"
        ? ""
        : ratio.median >= target
          ? `>= ${target}`
          : `MISSES ${target}`,
    ];
  });
}

const folder = mkdtempSync(join(tmpdir(), "evariste-stitched-"));
try {
  await installArtefact(folder);
  cpSync(join(import.meta.dirname, "stitched"), folder, { recursive: true });
  const plan = [
    ...PROCESSES.filter(({ name }) => !name.includes("portable")).map((one) => [one, inProcess]),
    ...BROWSERS.map((one) => [one, inPage]),
  ].filter(([one]) => wanted(one));
  for (const [runtime, run] of plan) {
    try {
      const results = await run(runtime, folder);
      const rows = Object.entries(results).flatMap(([operation, ways]) => rowsOf(runtime, operation, ways));
      const columns = ["", "way", "speed", "times one call", "interval", "target"];
      console.log(`\n${formatText({ title: "", columns, rows })}`);
    } catch (error) {
      console.log(
        `\n${runtime.name}: ${
          String(error.message ?? error)
            .trim()
            .split("\n", 1)[0]
        }`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
