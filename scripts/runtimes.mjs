/**
 * Runs the conformance suite on every runtime that can be had here: Node, Deno and Bun from npm, and the browsers that
 * are installed. What runs is what ships: the packed library, installed, and for browsers bundled. A runtime that is
 * missing is skipped in words. Prints one table and fails when anything failed.
 *
 *     node scripts/runtimes.mjs [words of rows' names] [--heavy] [--size 1g] [--bounds] [--film FILE]
 *
 * `--size` is of the file that examples/browser works on; with `--bounds` it fails when the page's timers come late or the browser
 * grows by more than it should, which on a machine with other work may be nobody's fault. `--film` is what examples/video plays.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { toDigits } from "../conformance/dist/differential.js";
import { randomMessages } from "../conformance/dist/node/index.js";
import { BROWSERS, findBrowser } from "../packages/bench/dist/browser/browsers.js";
import { bundleExample, bundlePage, prepareFilm, runBrowser } from "./runtimes/browsers.mjs";
import { inBrowser, PROCESSES } from "./runtimes/catalog.mjs";
import { fetchRuntime, installArtefact } from "./runtimes/install.mjs";
import { printReport } from "./runtimes/report.mjs";

/** Milliseconds for one process or one page. */
const TIMEOUT = 300_000;
/** Milliseconds more for each MiB of a file that is worked on. */
const TIMEOUT_PER_MIB = 500;
/** Random messages for every target, sealed by the node:crypto that runs this script. */
const MESSAGES = 200;
const SEED = 1;
/** Runtimes at work at once. */
const WIDTH = 2;

const { values, positionals: words } = parseArgs({
  options: {
    heavy: { type: "boolean", default: false },
    size: { type: "string", default: "256m" },
    bounds: { type: "boolean", default: false },
    film: { type: "string" },
  },
  allowPositionals: true,
});
const { heavy, bounds, film } = values;
/** Not a multiple of anything. */
const exampleBytes = bytesOf(values.size) + 12_345;

const wanted = ({ name }) =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));

/** @returns {number} what `1g`, `256m`, `64k` or a number say */
function bytesOf(text) {
  const [, digits, unit] = /^(\d+)([kmg]?)$/i.exec(text) ?? [];
  if (digits === undefined) throw new Error(`--size is ${text}; allowed are numbers, also with k, m or g`);
  return Number(digits) * 1024 ** " kmg".indexOf(unit.toLowerCase() || " ");
}

const vectors = process.env.EVARISTE_VECTORS ?? "../shared/vectors";
/** What every runtime is given. */
const inputs = {
  heavy,
  wycheproof: ["aes_gcm_test.json", "aes_gmac_test.json"]
    .map((file) => join(vectors, file))
    .filter(existsSync)
    .map((path) => JSON.parse(readFileSync(path, "utf8"))),
  messages: [...randomMessages(SEED, MESSAGES)].map(toDigits),
};

/** @returns {Promise<object>} what the process printed, or its last words as an error */
function runProcess(command, args, cwd) {
  return new Promise((done) => {
    const limits = { cwd, timeout: TIMEOUT, maxBuffer: 2 ** 26 };
    execFile(command, args, limits, (error, stdout, stderr) => {
      try {
        done({ summary: JSON.parse(stdout) });
      } catch {
        done({ error: `${error ?? "no summary"}\n${stdout}${stderr}`.trim() });
      }
    });
  });
}

/** @returns {(() => Promise<object[]>)[]} one job for each runtime; each gives rows for the report */
function jobs({ folder, suite, addon }) {
  const runner = join(suite, "dist", "runners", "process.js");
  const native = addon ? ["native/gctr_portable"] : [];
  const processes = PROCESSES.filter(wanted).map((runtime) => async () => {
    let command;
    try {
      command = await fetchRuntime(runtime);
    } catch (error) {
      return [
        { name: runtime.name, skipped: `not to be had from npm (${firstLine(error.stderr || error)})` },
      ];
    }
    const { refused } = runtime;
    const expected = [...runtime.expected, ...("native" in refused ? [] : native)];
    const options = join(folder, `${runtime.name}.json`);
    writeFileSync(options, JSON.stringify({ ...inputs, expected, refused }));
    const result = await runProcess(command, [...runtime.arguments, runner, options], folder);
    return [{ name: runtime.name, ...result }];
  });
  const pages = pagesIn(folder);
  const opened = BROWSERS.map((browser) => ({
    browser,
    chosen: pages(browser).filter((page) => wanted({ name: `${browser.name}, ${page.name}` })),
  }))
    .filter(({ chosen }) => chosen.length > 0)
    .map(({ browser, chosen }) => async () => {
      const found = findBrowser(browser);
      if ("missing" in found) return [{ name: browser.name, skipped: found.missing }];
      const rows = [];
      for (const { root, plan, timeout } of chosen) {
        const visits = await plan();
        const results = await runBrowser(browser, found.command, await root(), visits, timeout);
        rows.push(...results.map((result, i) => ({ name: `${browser.name}, ${visits[i].name}`, ...result })));
      }
      return rows;
    });
  return [...processes, ...opened];
}

/** @returns a function that says what a browser opens; each folder to serve is made at its first use */
function pagesIn(folder) {
  const suite = once(() => bundlePage(folder));
  const browserExample = once(() => bundleExample("examples/browser", folder));
  const videoExample = once(() => bundleExample("examples/video", folder));
  const filmOptions = once(async () => prepareFilm(await videoExample(), film));
  const e2e = { path: "/test/e2e.html" };
  return (browser) => {
    const { pages, runsExamples } = inBrowser(browser.name);
    const visits = pages.map((page) => {
      const { expected, refused } = page;
      return { ...page, options: { ...inputs, expected, refused } };
    });
    const conformance = { name: "conformance", root: suite, plan: async () => visits, timeout: TIMEOUT };
    const files = {
      name: "examples/browser",
      root: browserExample,
      plan: async () => [{ ...e2e, name: "examples/browser", options: { bytes: exampleBytes, bounds } }],
      timeout: TIMEOUT + (TIMEOUT_PER_MIB * exampleBytes) / 2 ** 20,
    };
    const video = {
      name: "examples/video",
      root: videoExample,
      plan: async () => [{ ...e2e, name: "examples/video", options: await filmOptions() }],
      timeout: TIMEOUT,
    };
    return runsExamples ? [conformance, files, video] : [conformance];
  };
}

function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}

function firstLine(error) {
  return String(error).trim().split("\n", 1)[0];
}

/** Runs all jobs, a few at once. @returns {Promise<object[]>} their rows in the jobs' order */
async function runAll(all) {
  const rows = all.map(() => []);
  let next = 0;
  const lane = async () => {
    while (next < all.length) {
      const index = next++;
      rows[index] = await all[index]().catch((error) => [{ name: "bundle", error: String(error.stack) }]);
      for (const { name, skipped, error } of rows[index])
        console.log(skipped ? `skipped: ${name}: ${skipped}` : `${error ? "failed" : "done"}: ${name}`);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, lane));
  return rows.flat();
}

const folder = mkdtempSync(join(tmpdir(), "evariste-runtimes-"));
try {
  const installed = await installArtefact(folder);
  process.exitCode = printReport(await runAll(jobs({ folder, ...installed }))) === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
