/** From results to a report: what is said of each suite, once, for page, Markdown and text alike. */
import { runtimeOf } from "../machine.js";
import type { ResultsFile, SuiteRecord, SuiteResults, Verdict } from "../results.js";
import { SUITES } from "../suites/index.js";
import { formatVerdict } from "../suites/suite.js";
import type { Table } from "../table.js";
import type { Part, Report, RunHead, Section } from "./model.js";
import { picturesOf, rowLabel } from "./pictures.js";

/** Headings of suites for people who do not know their names. */
const TITLES: Readonly<Record<string, string>> = {
  sizes: "By message size",
  peers: "Against libraries in JavaScript",
  "openssl-by-hand": "Against node:crypto by hand",
  ladder: "Kernel by kernel",
  sweep: "Each size against the kernel below",
  java: "Against Java",
  thresholds: "Where openssl takes over",
  batch: "Many small messages",
  "first-call": "From the first call on",
  file: "A big file",
  threads: "Several threads",
  streams: "Streams",
  "cold-start": "Cold start",
  "bundle-size": "Bundle size",
  "test-aes-main": "TestAESMain",
  "aesgcm-bytebuffer": "AESGCMByteBuffer",
  "aesgcm-bench": "AESGCMBench",
  "aesgcm-updateaad2": "AESGCMUpdateAAD2",
};

/** A report of these runs, suite by suite in the order in which the command line lists them. */
export function makeReport(files: readonly ResultsFile[]): Report {
  const runs = joined(files);
  const labels = labelsOf(runs);
  const found = new Set(runs.flatMap(({ suites }) => suites.map(({ suite }) => suite)));
  // Those of other versions, which nobody knows any more, come last.
  const names = [...new Set([...SUITES.keys(), ...found])].filter((name) => found.has(name));
  return {
    runs: runs.map((run, i) => headOf(run, labels[i])),
    sections: names.map((name) => sectionOf(name, runs, labels)),
  };
}

/** Files that differ in their suites only become one: a long run may have been made in pieces. */
function joined(files: readonly ResultsFile[]): ResultsFile[] {
  const runs: ResultsFile[] = [];
  for (const file of files) {
    const names = new Set(file.suites.map(({ suite }) => suite));
    const place = runs.findIndex(
      (run) => methodOf(run) === methodOf(file) && !run.suites.some(({ suite }) => names.has(suite)),
    );
    if (place < 0) runs.push(file);
    else runs[place] = { ...runs[place], suites: [...runs[place].suites, ...file.suites] };
  }
  return runs;
}

/** What two pieces of one run have in common. */
function methodOf({ machine, quick, clock, timing, forking }: ResultsFile): string {
  const { cpu, cores, platform, commit = "" } = machine;
  const { rounds = 0, roundMs = 0, warmupMs = 0 } = timing;
  const where = [cpu, cores, platform, runtimeOf(machine), machine.openssl, commit];
  return JSON.stringify([...where, quick, clock, rounds, roundMs, warmupMs, forking]);
}

/** The runtime of each run; where two are alike, also when they began. */
function labelsOf(runs: readonly ResultsFile[]): string[] {
  const names = runs.map(({ machine }) => runtimeOf(machine));
  return names.map((name, i) => {
    const alone = names.filter((other) => other === name).length === 1;
    return alone ? name : `${name}, ${runs[i].machine.date.slice(0, 16).replace("T", " ")}`;
  });
}

function headOf(
  { machine, quick, clock, timing, forking, versions = {} }: ResultsFile,
  label: string,
): RunHead {
  const { rounds, roundMs, warmupMs } = timing;
  const extras = [quick ? "quick" : "", clock === "wall" ? "" : `clock: ${clock}`].filter(Boolean);
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const forks =
    forking === undefined
      ? ""
      : `; ${forking.forks} processes each with ${forking.iterations} samples of ${forking.iterationMs} ms`;
  const method = [
    `${rounds} rounds of ${roundMs} ms after ${warmupMs} ms of warm-up${forks}`,
    ...extras,
  ].join(", ");
  const compared = packages.length === 0 ? "" : `\nCompared with ${packages.join(", ")}`;
  return { label, machine, method: `${method}${compared}` };
}

function sectionOf(suite: string, runs: readonly ResultsFile[], labels: readonly string[]): Section {
  const parts = runs.flatMap(({ suites }, i) =>
    suites.filter((one) => one.suite === suite).map((one) => partOf(one, labels[i])),
  );
  return { id: suite, title: TITLES[suite] ?? suite, lead: SUITES.get(suite)?.summary ?? "", parts };
}

function partOf({ suite, records, tables, notes }: SuiteResults, run: string): Part {
  return {
    run,
    figures: picturesOf(suite, records),
    highlights: ratioTables(records),
    tables: tables.filter(({ rows }) => rows.length > 0),
    notes,
  };
}

/** Ratios alone: a table for each kind of row, a line for each size, a column for each pair. */
function ratioTables(records: readonly SuiteRecord[]): Table[] {
  const groups = new Map<string, SuiteRecord[]>();
  for (const record of records.filter(({ verdicts }) => verdicts.length > 0)) {
    const { size: _, ...rest } = record.row;
    const label = rowLabel(rest);
    groups.set(label, [...(groups.get(label) ?? []), record]);
  }
  return [...groups].map(([label, group]) => {
    const title = ["Times faster", label].filter(Boolean).join(": ");
    const pairs = [...new Set(group.flatMap(({ verdicts }) => verdicts.map(pairOf)))];
    const sizes = group.map(({ row }) => (row.size === undefined ? "" : rowLabel({ size: row.size })));
    const cells = group.map(({ verdicts }) =>
      pairs.map((pair) => {
        const found = verdicts.find((one) => pairOf(one) === pair);
        return found === undefined ? "" : formatVerdict(found);
      }),
    );
    // Sizes are short and pairs are not: many pairs stand under each other.
    return pairs.length > sizes.length
      ? {
          title,
          columns: ["", ...sizes],
          rows: pairs.map((pair, p) => [pair, ...cells.map((line) => line[p])]),
        }
      : { title, columns: ["size", ...pairs], rows: sizes.map((size, s) => [size, ...cells[s]]) };
  });
}

function pairOf({ name, baseline }: Verdict): string {
  return `${name} / ${baseline}`;
}
