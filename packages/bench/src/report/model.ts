/** What a report holds, before it becomes a page, Markdown or text. */
import type { Machine } from "../machine.js";
import type { Table } from "../table.js";

/** A report of one or more runs. */
export interface Report {
  readonly runs: readonly RunHead[];
  readonly sections: readonly Section[];
  /** What changed since an older run; absent when there is none to compare with. */
  readonly comparison?: Section;
}

/** What a run's figures were measured on. */
export interface RunHead {
  /** Names the run among the others of the report. */
  readonly label: string;
  readonly machine: Machine;
  /** How long was measured, and with which packages. */
  readonly method: string;
}

/** A suite: its pictures and tables, run by run. */
export interface Section {
  /** The suite's name; also the section's place in the page. */
  readonly id: string;
  readonly title: string;
  /** One line on what is measured. */
  readonly lead: string;
  readonly parts: readonly Part[];
}

/** What one run found in a suite. */
export interface Part {
  /** The run's label. */
  readonly run: string;
  readonly figures: readonly Figure[];
  /** What a page shows at once; it folds the other tables, which say the same and more. */
  readonly highlights: readonly Table[];
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
}

/** A value with its error. */
export interface Range {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A picture. */
export type Figure = Lines | Bars;

/** Curves over sizes, calls or threads. */
export interface Lines {
  readonly kind: "lines";
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

/** How a quantity is drawn and written. */
export interface Axis {
  readonly label: string;
  readonly scale: "log" | "linear";
  readonly format: (value: number) => string;
  /** Where to put marks, if not anywhere. */
  readonly ticks?: readonly number[];
  /** A value that deserves a line. */
  readonly reference?: number;
}

/** One contestant's curve. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** One place of a curve; `text` tells it in words. */
export interface Point extends Range {
  readonly x: number;
  readonly text: string;
}

/** Bars from zero, one under the other. */
export interface Bars {
  readonly kind: "bars";
  readonly title: string;
  /** What the lengths are, and which is better. */
  readonly label: string;
  readonly bars: readonly Bar[];
}

/** One bar; `text` stands at its end. */
export interface Bar extends Range {
  readonly name: string;
  /** Bars of one series have one colour. */
  readonly series: string;
  readonly text: string;
}
