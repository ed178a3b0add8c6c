/** What suites find out, as the JSON file holds it: the contract between the suites and the reports made of them. */
import type { ForkTiming } from "./forks.js";
import type { Machine } from "./machine.js";
import type { Estimate } from "./statistics.js";
import type { Table } from "./table.js";

/** What a results file holds. */
export interface ResultsFile {
  /** Of this shape. */
  readonly version: 1;
  readonly machine: Machine;
  /** Versions of packages, other runtimes and Java, by name. */
  readonly versions?: Readonly<Record<string, string>>;
  readonly quick: boolean;
  /** Which time was taken. */
  readonly clock: string;
  readonly timing: Timing;
  /** Forks and iterations, of suites that measure each contestant in a process of its own. */
  readonly forking?: ForkTiming;
  readonly suites: readonly SuiteResults[];
}

/** What one suite found out. */
export interface SuiteResults {
  /** The suite's name. */
  readonly suite: string;
  readonly records: readonly SuiteRecord[];
  /** The tables that the suite made of its records, so that a report shows the very same. */
  readonly tables: readonly Table[];
  /** Missing contestants with their reasons, and what else a reader must know. */
  readonly notes: readonly string[];
}

/** Samples of suites that start a process for each, or measure in one process. */
export interface Timing {
  /** Samples of each contestant. */
  readonly rounds?: number;
  /** Time of one sample in milliseconds. */
  readonly roundMs?: number;
  /** Time that each contestant runs before it is measured, in milliseconds. */
  readonly warmupMs?: number;
}

/** One row of results. */
export interface SuiteRecord {
  /**
   * What the row is about. Where they make sense: `operation`; `size` of a message, `keyBits`; `engine`, when all of the
   * row's scores are of one; `threads`; `call`, the number of a call in a new process; `memory`, heap or direct.
   */
  readonly row: Readonly<Record<string, string | number>>;
  /** Contestants; empty in suites that do not measure time per operation. */
  readonly scores: Scores;
  readonly verdicts: readonly Verdict[];
  /** What is not time per operation, or a curve: names `call 1` to `call 100` in `first-call`. */
  readonly values?: readonly Value[];
}

/** A figure with its unit. */
export interface Value {
  readonly name: string;
  /** The median, where there is more than one sample. */
  readonly value: number;
  /** Ends of its 99.9 % confidence interval, or of the range of fewer than 11 samples. */
  readonly low?: number;
  readonly high?: number;
  readonly unit: Unit;
}

/** MB/s are 10^6 bytes per second. */
export type Unit = "bytes" | "ns" | "ms" | "MB/s";

/** What was measured of one contestant. */
export interface Score {
  readonly name: string;
  /** Nanoseconds per operation, by round; with forks, those of all forks one after another. */
  readonly samples: readonly number[];
  readonly nanoseconds: Estimate;
  readonly opsPerSecond: number;
  /** 10^6 bytes per second; absent when the contestant has no bytes. */
  readonly megabytesPerSecond?: number;
  /** JMH's score: the mean of all iterations of all forks, in operations per second. */
  readonly mean?: number;
  /** JMH's error: half of the mean's 99.9 % confidence interval by Student's t, in operations per second. */
  readonly error?: number;
  /** How many samples lie beyond Tukey's fences. */
  readonly outliers?: number;
}

/** The scores of one comparison, in the order in which the contestants were given. */
export type Scores = readonly Score[];

/** One ratio and whether it is what it should be. */
export interface Verdict {
  readonly name: string;
  readonly baseline: string;
  /** How many times faster `name` is than `baseline`. */
  readonly ratio: Estimate;
  readonly target?: number;
  /** The median reaches the target; absent without one. */
  readonly met?: boolean;
}
