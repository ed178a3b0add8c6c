/** What a suite is, and what suites share: the choice of engines, rows of scores, and verdicts on targets. */
import { type EngineName, engines } from "evariste";
import type { KeyBits } from "../contestants/shape.js";
import type { ForkTiming } from "../forks.js";
import { type CompareOptions, interleave, ratio, type Sampler } from "../harness.js";
import type { Score, Scores, SuiteRecord, Verdict } from "../results.js";
import type { Estimate } from "../statistics.js";
import { formatMegabytes, formatOps, formatPercent, formatRatio, formatSize, type Table } from "../table.js";

/** What the command line asks of a suite. */
export interface SuiteOptions {
  readonly keyBits: KeyBits;
  /** Sizes in bytes instead of the suite's own. */
  readonly sizes?: readonly number[];
  /** Engines instead of all that are available. */
  readonly engines?: readonly EngineName[];
  /** Shorter times, fewer sizes and contestants. */
  readonly quick: boolean;
  /** JMH's own times, and more sizes. */
  readonly full: boolean;
  /** Of suites that measure within this process, or one process per sample. */
  readonly timing: CompareOptions;
  /** Of suites that measure each contestant in a process of its own. */
  readonly forking: ForkTiming;
  /** What `-D name=value` gave, by name. */
  readonly defines: ReadonlyMap<string, string>;
  /** Prints a line of the suite's output before its tables. */
  readonly print: (line: string) => void;
  /** Told what is being measured. */
  readonly progress: (what: string) => void;
}

/** What a suite gives back. */
export interface SuiteResult {
  readonly tables: readonly Table[];
  readonly records: readonly SuiteRecord[];
  /** Missing contestants with their reasons, and what else a reader must know. */
  readonly notes: readonly string[];
}

/** A benchmark by name. */
export interface Suite {
  /** One line for the list of suites. */
  readonly summary: string;
  /** Names that `-D` may define, and what they are; default: none. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly run: (options: SuiteOptions) => Promise<SuiteResult>;
}

/** A ratio that a row is to report. */
export interface Wanted {
  readonly name: string;
  readonly baseline: string;
  readonly target?: number | undefined;
}

/** Takes samples of the contestants in turns. Ratios of contestants that are missing are left out. */
export async function sampleRow(
  row: SuiteRecord["row"],
  samplers: readonly Sampler[],
  wanted: readonly Wanted[],
  { timing, progress }: Pick<SuiteOptions, "timing" | "progress">,
): Promise<SuiteRecord> {
  progress(Object.values(row).join(", "));
  return judge(row, await interleave(samplers, timing), wanted);
}

/** Adds the wanted ratios to scores. */
export function judge(row: SuiteRecord["row"], scores: Scores, wanted: readonly Wanted[]): SuiteRecord {
  const measured = new Set(scores.map(({ name }) => name));
  const verdicts = wanted
    .filter(({ name, baseline }) => measured.has(name) && measured.has(baseline))
    .map(({ name, baseline, target }) => verdict(name, baseline, ratio(scores, name, baseline), target));
  return { row, scores, verdicts };
}

/** A ratio beside its target, if it has one. */
export function verdict(name: string, baseline: string, found: Estimate, target?: number): Verdict {
  const judged = target === undefined ? {} : { target, met: found.median >= target };
  return { name, baseline, ratio: found, ...judged };
}

/** The engines that can be forced here, and a note on each that cannot. */
export function usableEngines(only?: readonly EngineName[]): { names: EngineName[]; notes: string[] } {
  const names: EngineName[] = [];
  const notes: string[] = [];
  const reports = engines().filter(({ name }) => only?.includes(name) ?? true);
  for (const { name, available, reason } of reports) {
    if (available) names.push(name);
    else notes.push(`${name} is missing: ${reason}`);
  }
  const known = new Set(reports.map(({ name }) => name));
  for (const name of only ?? [])
    if (!known.has(name)) notes.push(`${name} is missing: not part of this build`);
  return { names, notes };
}

/** Below this a rate says more than a throughput; in bytes. */
const RATES_BELOW = 4096;

/**
 * The speed of a score, messages per second for small messages and MB/s for larger ones, and half the width of the
 * median's confidence interval.
 */
export function formatSpeed({ nanoseconds, opsPerSecond, megabytesPerSecond }: Score, size: number): string {
  const { low, median, high } = nanoseconds;
  const error = formatPercent((median / low - median / high) / 2);
  return rate(opsPerSecond, megabytesPerSecond, size, error);
}

/** JMH's score and error. */
export function formatJmh({ mean, error, opsPerSecond, megabytesPerSecond }: Score, size: number): string {
  if (mean === undefined) return "";
  const share = mean / opsPerSecond;
  const part = error === undefined ? "" : formatPercent(error / mean);
  return rate(mean, megabytesPerSecond && megabytesPerSecond * share, size, part);
}

function rate(
  opsPerSecond: number,
  megabytesPerSecond: number | undefined,
  size: number,
  error: string,
): string {
  return size < RATES_BELOW || megabytesPerSecond === undefined
    ? `${formatOps(opsPerSecond)}/s ${error}`
    : `${formatMegabytes(megabytesPerSecond)} MB/s ${error}`;
}

/**
 * A ratio, and where it has a target, whether it is reached: `0.97× ≥ 0.95`, `0.90× MISSES 0.95`, or `0.94× < 0.95?` where
 * the interval reaches the target though the median does not.
 */
export function formatVerdict({ ratio: { median, high }, target, met }: Verdict): string {
  if (target === undefined) return formatRatio(median);
  const wanted = formatTarget(target);
  if (met) return `${formatRatio(median)} ≥ ${wanted}`;
  return high < target ? `${formatRatio(median)} MISSES ${wanted}` : `${formatRatio(median)} < ${wanted}?`;
}

function formatTarget(target: number): string {
  return `${Number(target.toPrecision(3))}`;
}

/** A table with a line per record: its label, the speed of each contestant, then each ratio. */
export function speedTable(
  title: string,
  labelColumn: string,
  records: readonly SuiteRecord[],
  label: (record: SuiteRecord) => string,
  format: (score: Score, size: number) => string = formatSpeed,
): Table {
  const names = unique(records.flatMap(({ scores }) => scores.map(({ name }) => name)));
  const pairs = unique(records.flatMap(({ verdicts }) => verdicts.map(pairName)));
  return {
    title,
    columns: [labelColumn, ...names, ...pairs],
    rows: records.map((record) => [
      label(record),
      ...names.map((name) => {
        const score = record.scores.find((one) => one.name === name);
        return score === undefined ? "" : format(score, Number(record.row.size ?? 0));
      }),
      ...pairs.map((pair) => {
        const found = record.verdicts.find((one) => pairName(one) === pair);
        return found === undefined ? "" : formatVerdict(found);
      }),
    ]),
  };
}

/** The message size of a record, as rows and columns are labelled with it. */
export function sizeLabel({ row }: Pick<SuiteRecord, "row">): string {
  return formatSize(Number(row.size));
}

function pairName({ name, baseline }: Verdict): string {
  return `${name} / ${baseline}`;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** How noisy the run was, and which targets it missed: the last lines of a suite. */
export function closingNotes(records: readonly SuiteRecord[]): string[] {
  const scores = records.flatMap((record) => record.scores);
  const noisy = scores.filter(({ nanoseconds }) => nanoseconds.spread > 0.05).length;
  const judged = records.flatMap(({ row, verdicts }) =>
    verdicts.filter(({ met }) => met !== undefined).map((one) => ({ row, one })),
  );
  const missed = judged.filter(({ one }) => !one.met);
  const notes = missed.map(({ row, one }) => {
    const { median, low, high } = one.ratio;
    const range = `${formatRatio(low)} to ${formatRatio(high)}`;
    const certainty = high < one.target! ? "missed" : "perhaps missed";
    return `target ${certainty}: ${Object.values(row).join(", ")}: ${pairName(one)} is ${formatRatio(median)} (${range}), target ${formatTarget(one.target!)}`;
  });
  if (judged.length > 0) notes.push(`${judged.length - missed.length} of ${judged.length} targets reached`);
  if (scores.length === 0) return notes;
  notes.push(`${noisy} of ${scores.length} scores spread by more than 5 % (median absolute deviation)`);
  const samples = scores.reduce((sum, one) => sum + one.samples.length, 0);
  const beyond = scores.reduce((sum, one) => sum + (one.outliers ?? 0), 0);
  notes.push(`${beyond} of ${samples} samples are outliers (beyond Tukey's fences)`);
  return notes;
}
