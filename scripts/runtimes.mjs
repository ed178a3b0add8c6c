/**
 * Runs the conformance suite on every runtime that can be had here: Node, Deno and Bun from npm, and the browsers that
 * are installed. What runs is what ships: the packed library, installed, and for browsers bundled. A runtime that is
 * missing is skipped in words. Prints one table and fails when anything failed.
 *
 *     node scripts/runtimes.mjs [words of runtimes' names] [--heavy]
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toDigits } from "../conformance/dist/differential.js";
import { randomMessages } from "../conformance/dist/node/index.js";
import { bundleExample, bundlePage, runBrowser } from "./runtimes/browsers.mjs";
import { BROWSERS, PAGES, PROCESSES } from "./runtimes/catalog.mjs";
import { fetchRuntime, findCommand, installArtefact } from "./runtimes/install.mjs";
import { printReport } from "./runtimes/report.mjs";

/** Milliseconds for one process or one browser. */
const TIMEOUT = 300_000;
/** Random messages for every target, sealed by the node:crypto that runs this script. */
const MESSAGES = 200;
const SEED = 1;
/** The file that the example page encrypts and decrypts. */
const EXAMPLE_BYTES = 256 * 2 ** 20 + 12_345;
/** Runtimes at work at once. */
const WIDTH = 2;

const heavy = process.argv.includes("--heavy");
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const wanted = ({ name }) =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));

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
  let page;
  let example;
  const browsers = BROWSERS.filter(wanted).map((browser) => async () => {
    const command = findCommand(browser.commands);
    if (command === undefined)
      return [{ name: browser.name, skipped: `none of ${browser.commands.join(", ")} is installed` }];
    page ??= bundlePage(folder);
    const plan = PAGES.map(({ path, where, expected, refused }) => ({
      path,
      where,
      options: { ...inputs, expected, refused },
    }));
    const results = await runBrowser(browser, command, await page, plan, TIMEOUT);
    example ??= bundleExample(folder);
    const examplePlan = [{ path: "/test/e2e.html", options: { bytes: EXAMPLE_BYTES } }];
    const [used] = await runBrowser(browser, command, await example, examplePlan, TIMEOUT);
    return [
      ...results.map((result, i) => ({ name: `${browser.name}, ${PAGES[i].name}`, ...result })),
      { name: `${browser.name}, examples/browser`, ...used },
    ];
  });
  return [...processes, ...browsers];
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
