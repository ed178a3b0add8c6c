/** The table of a run. */

/** Failures of one runtime that are printed in full. */
const SHOWN = 20;

function line(cells, widths) {
  return cells
    .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
    .join("  ")
    .trimEnd();
}

/** @returns {string[][]} runtime, group, passed, failed, skipped, seconds */
function cellsOf({ name, summary }) {
  return summary.outcomes.map((outcome, i) => [
    i === 0 ? `${name} (${summary.version})` : "",
    outcome.name,
    ...[outcome.passed, outcome.failed, outcome.skipped].map(String),
    outcome.seconds.toFixed(1),
  ]);
}

/** @returns {Map<string, string[]>} why engines are absent, and where */
function absences(rows) {
  const found = new Map();
  for (const { name, summary } of rows) {
    for (const engine of summary.engines.filter((each) => !each.available)) {
      const reason = `no ${engine.name} engine (${engine.reason.replaceAll("\n", "; ")})`;
      found.set(reason, [...(found.get(reason) ?? []), name]);
    }
  }
  return found;
}

/**
 * Prints a table, then every failure, every engine's reason for being absent and every missing runtime, then
 * `runtimes: N passed, N failed, N skipped`.
 *
 * @param {{ name: string, summary?: object, error?: string, skipped?: string }[]} rows one per runtime
 * @returns {number} how many runtimes failed
 */
export function printReport(rows) {
  const ran = rows.filter((row) => row.summary);
  const table = [["runtime", "engine/kernel", "passed", "failed", "skipped", "s"], ...ran.flatMap(cellsOf)];
  const widths = table[0].map((_, i) => Math.max(...table.map((cells) => cells[i].length)));
  console.log(`\n${table.map((cells) => line(cells, widths)).join("\n")}\n`);
  for (const [reason, names] of absences(ran)) console.log(`${reason}: ${names.join("; ")}`);
  for (const { name, summary } of ran) {
    for (const note of summary.notes ?? []) console.log(`${name}: ${note}`);
    for (const failure of summary.failures.slice(0, SHOWN))
      console.log(`FAILED ${name}: ${failure.group}: ${failure.name}: ${failure.message}`);
    const more = summary.failures.length - SHOWN;
    if (more > 0) console.log(`FAILED ${name}: ${more} more`);
  }
  for (const { name, error } of rows.filter((row) => row.error)) console.log(`FAILED ${name}: ${error}`);
  for (const { name, skipped } of rows.filter((row) => row.skipped))
    console.log(`skipped ${name}: ${skipped}`);
  const failed = rows.filter((row) => row.error || row.summary?.failures.length > 0).length;
  const skipped = rows.filter((row) => row.skipped).length;
  console.log(`runtimes: ${rows.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped`);
  return failed;
}
