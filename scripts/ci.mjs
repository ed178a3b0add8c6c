/**
 * Runs every check of the project, one after another, and counts. A Vitest run counts its tests, any other check counts
 * as one. What was skipped is listed with its reason. Prints "N passed, N failed, N skipped" last and fails when anything
 * failed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countCheck, countTests } from "./ci/count.mjs";

const scratch = mkdtempSync(join(tmpdir(), "evariste-ci-"));
const vitestReport = join(scratch, "vitest.json");

/** The README's test command, with a second reporter that can be counted. */
const TEST = [
  "npm",
  "test",
  "--",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${vitestReport}`,
];

/** Milliseconds after which a check has failed. */
const LONGEST = 25 * 60 * 1000;

/** Name, command, and for a Vitest run the file that it reports to. */
const CHECKS = [
  { name: "lint", command: ["npm", "run", "lint"] },
  { name: "tests", command: TEST, report: vitestReport },
  { name: "package", command: ["npm", "run", "check:package"] },
  { name: "bundle size", command: ["node", "scripts/bundle-size.mjs"] },
  { name: "runtimes", command: ["node", "scripts/runtimes.mjs"] },
  ...["plain", "asan", "valgrind"].map((mode) => ({
    name: `C kernels, ${mode}`,
    command: ["node", "packages/native/scripts/test.mjs", mode],
  })),
  {
    name: "C kernels, fuzzed",
    command: ["node", "packages/native/scripts/test.mjs", "fuzz", "--seconds", "120"],
  },
  { name: "C kernels, emulated CPUs", command: ["node", "packages/native/scripts/emulate.mjs"] },
  {
    name: "C kernels, AVX-512 emulated",
    command: ["node", "packages/native/scripts/emulate.mjs", "--avx512"],
  },
];

/** Runs a command with its output shown. @returns {Promise<{ exitCode: number | null, output: string }>} */
function run([program, ...args]) {
  const child = spawn(program, args, { stdio: ["inherit", "pipe", "inherit"], timeout: LONGEST });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    process.stdout.write(text);
    output += text;
  });
  return new Promise((done) => {
    child.on("error", (error) => {
      console.error(String(error));
      done({ exitCode: null, output });
    });
    child.on("close", (exitCode) => done({ exitCode, output }));
    // One that was killed may leave children, which keep its output open.
    child.on("exit", (exitCode) => exitCode === null && done({ exitCode, output }));
  });
}

function count({ report }, { exitCode, output }) {
  if (report === undefined) return countCheck(exitCode, output);
  try {
    return countTests(exitCode, JSON.parse(readFileSync(report, "utf8")));
  } catch {
    return countCheck(exitCode, output);
  }
}

const total = { passed: 0, failed: 0, skipped: 0 };
const summary = [];
for (const check of CHECKS) {
  console.log(`\n== ${check.name}: ${check.command.join(" ")}`);
  const started = Date.now();
  const result = count(check, await run(check.command));
  for (const key of Object.keys(total)) total[key] += result[key];
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  const verdict = result.failed > 0 ? "FAILED" : result.passed > 0 ? "ok" : "skipped";
  summary.push(`${verdict.padEnd(7)} ${check.name} (${seconds} s)`);
  summary.push(...result.reasons.map((reason) => `        skipped ${reason}`));
}
rmSync(scratch, { recursive: true, force: true });
console.log(`\n${summary.join("\n")}\n`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
