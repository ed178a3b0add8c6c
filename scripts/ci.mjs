/**
 * Runs every check of the project, one after another, and counts. A Vitest run counts its tests, any other check counts
 * as one. Prints "N passed, N failed, N skipped" last and fails when anything failed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

/** @returns {{ passed: number, failed: number, skipped: number }} */
function count(check, exitCode) {
  const own = exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  if (check.report === undefined) return own;
  try {
    const report = JSON.parse(readFileSync(check.report, "utf8"));
    const failed = report.numFailedTests + (exitCode === 0 || report.numFailedTests > 0 ? 0 : 1);
    return { passed: report.numPassedTests, failed, skipped: report.numPendingTests };
  } catch {
    return own;
  }
}

const total = { passed: 0, failed: 0, skipped: 0 };
const summary = [];
for (const check of CHECKS) {
  console.log(`\n== ${check.name}: ${check.command.join(" ")}`);
  const started = Date.now();
  const { status } = spawnSync(check.command[0], check.command.slice(1), {
    stdio: "inherit",
    timeout: LONGEST,
  });
  const result = count(check, status);
  for (const key of Object.keys(total)) total[key] += result[key];
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  summary.push(`${status === 0 ? "ok    " : "FAILED"} ${check.name} (${seconds} s)`);
}
rmSync(scratch, { recursive: true, force: true });
console.log(`\n${summary.join("\n")}\n`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
