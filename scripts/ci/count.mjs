/** What one check comes to in CI's sum, from its exit code and what it printed. */

/** The last line of a script that counts its own parts. */
const COUNTS = /\b(\d+) passed, (\d+) failed, (\d+) skipped\s*$/;

/** A line that says what was skipped and why. */
const SKIPPED = /^skipped\s+(.+)$/gm;

/**
 * A check counts as one: failed when it says so by its exit code, skipped when it could run none of its parts, else passed.
 *
 * @param {number | null} exitCode
 * @param {string} output what it printed
 * @returns {{ passed: number, failed: number, skipped: number, reasons: string[] }} `reasons` of all that was skipped
 */
export function countCheck(exitCode, output) {
  const reasons = [...output.matchAll(SKIPPED)].map((match) => match[1]);
  const [, passed = "1", , skipped = "0"] = COUNTS.exec(output) ?? [];
  const ran = passed !== "0" || skipped === "0";
  const verdict = exitCode !== 0 ? "failed" : ran ? "passed" : "skipped";
  return { passed: 0, failed: 0, skipped: 0, [verdict]: 1, reasons };
}

/**
 * A Vitest run counts its tests.
 *
 * @param {number | null} exitCode
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number }} report of its JSON reporter
 * @returns as {@link countCheck}
 */
export function countTests(exitCode, { numPassedTests, numFailedTests, numPendingTests }) {
  const failed = numFailedTests + (exitCode === 0 || numFailedTests > 0 ? 0 : 1);
  return { passed: numPassedTests, failed, skipped: numPendingTests, reasons: [] };
}
