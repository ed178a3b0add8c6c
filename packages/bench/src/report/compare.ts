/** Two runs of the same suites: what changed, and whether that is more than their errors. */
import { runtimeOf } from "../machine.js";
import type { ResultsFile, SuiteRecord } from "../results.js";
import type { Table } from "../table.js";
import type { Part, Range, Section } from "./model.js";
import { rowLabel } from "./pictures.js";
import { rangeOf, rateOf, UNITS } from "./ranges.js";

/** One figure in both runs. */
export interface Change {
  /** Name and version of what ran it now. */
  readonly run: string;
  readonly suite: string;
  /** The row in words. */
  readonly row: string;
  /** Contestant or value. */
  readonly name: string;
  readonly before: Range;
  readonly after: Range;
  /** Part by which it grew: 0.1 is 10 % more. */
  readonly change: number;
  /** More is worse, as with bytes and times; speeds are compared as operations per second. */
  readonly lessIsBetter: boolean;
  /** The ranges do not touch. */
  readonly beyond: boolean;
}

/** What two runs have in common, and how much they do not. */
export interface Comparison {
  readonly changes: readonly Change[];
  /** Figures that only one of the runs has. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

interface Figure {
  readonly run: string;
  readonly suite: string;
  readonly row: string;
  readonly name: string;
  readonly range: Range;
  readonly lessIsBetter: boolean;
}

/** Compares figures of the same runtime (of any version), suite, row and contestant. */
export function compareResults(before: readonly ResultsFile[], after: readonly ResultsFile[]): Comparison {
  const old = figuresOf(before);
  const changes: Change[] = [];
  let onlyAfter = 0;
  for (const [key, figure] of figuresOf(after)) {
    const was = old.get(key);
    if (was === undefined) onlyAfter++;
    else changes.push(changeOf(was, figure));
  }
  return { changes, onlyBefore: old.size - changes.length, onlyAfter };
}

function changeOf({ range: before }: Figure, { range: after, ...rest }: Figure): Change {
  return {
    ...rest,
    before,
    after,
    change: after.value / before.value - 1,
    beyond: after.high < before.low || before.high < after.low,
  };
}

/** All figures by what makes them comparable. */
function figuresOf(files: readonly ResultsFile[]): Map<string, Figure> {
  const found = new Map<string, Figure>();
  for (const { machine, suites } of files) {
    const run = runtimeOf(machine);
    const product = run.split(" ", 1)[0];
    for (const { suite, records } of suites) {
      for (const record of records) {
        for (const figure of figuresIn(record)) {
          const row = Object.entries(record.row).sort(([a], [b]) => (a < b ? -1 : 1));
          const key = JSON.stringify([product, suite, row, figure.name]);
          found.set(key, { run, suite, row: rowLabel(record.row), ...figure });
        }
      }
    }
  }
  return found;
}

/** Beside scores values are details, such as a curve call by call: too short to be compared one by one. */
function figuresIn({ scores, values = [] }: SuiteRecord): Pick<Figure, "name" | "range" | "lessIsBetter">[] {
  if (scores.length > 0) {
    return scores.map((score) => ({ name: score.name, range: rateOf(score), lessIsBetter: false }));
  }
  return values.map((value) => ({
    name: value.name,
    range: rangeOf(value),
    lessIsBetter: UNITS[value.unit].lessIsBetter,
  }));
}

/** `142 of 144 rows agree within their errors`, and what could not be compared. */
export function summarise({ changes, onlyBefore, onlyAfter }: Comparison): string {
  const agreeing = changes.filter(({ beyond }) => !beyond).length;
  const alone = [
    [onlyBefore, "only in the older"],
    [onlyAfter, "only in the newer"],
  ] as const;
  const rest = alone.filter(([count]) => count > 0).map(([count, where]) => `${count} ${where} results`);
  return [`${agreeing} of ${changes.length} rows agree within their errors`, ...rest].join("; ");
}

const LEAD =
  "Change of speed, or of what was measured instead of it. ▲ better and ▼ worse mark what lies beyond the errors of both: " +
  "their intervals do not touch.";

/** The comparison as a section of a report. */
export function comparisonSection(comparison: Comparison): Section {
  const runs = [...new Set(comparison.changes.map(({ run }) => run))];
  const parts = runs.map((run): Part => {
    const changes = comparison.changes.filter((one) => one.run === run);
    const suites = [...new Set(changes.map(({ suite }) => suite))];
    const tables = suites.map((suite) =>
      changeTable(
        suite,
        changes.filter((one) => one.suite === suite),
      ),
    );
    return { run, figures: [], highlights: changedTable(changes), tables, notes: [] };
  });
  const summary: Part = {
    run: "Summary",
    figures: [],
    highlights: [],
    tables: [],
    notes: [summarise(comparison)],
  };
  return { id: "baseline", title: "Against the older results", lead: LEAD, parts: [...parts, summary] };
}

/** What lies beyond the errors, suite by suite; no table when nothing does. */
function changedTable(changes: readonly Change[]): Table[] {
  const rows = changes
    .filter(({ beyond }) => beyond)
    .map((one) => [`${one.suite}: ${one.row}: ${one.name}`, formatChange(one)]);
  return rows.length === 0 ? [] : [{ title: "Beyond the errors", columns: ["row", "change"], rows }];
}

/** A line for each row, a column for each contestant. */
function changeTable(suite: string, changes: readonly Change[]): Table {
  const names = [...new Set(changes.map(({ name }) => name))];
  const rows = [...new Set(changes.map(({ row }) => row))];
  return {
    title: suite,
    columns: ["row", ...names],
    rows: rows.map((row) => [
      row,
      ...names.map((name) => {
        const found = changes.find((one) => one.row === row && one.name === name);
        return found === undefined ? "" : formatChange(found);
      }),
    ]),
  };
}

/** `+3.1 %`, and with a mark when it is beyond both errors. */
export function formatChange({ change, beyond, lessIsBetter }: Change): string {
  if (!Number.isFinite(change)) return "–";
  const percent = change * 100;
  const text = `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(1)} %`;
  if (!beyond) return text;
  return `${text} ${percent > 0 === lessIsBetter ? "▼" : "▲"}`;
}
