/** What a page can be asked to do, and what it answers: JSON between the page and the server that it came from. */
import type { EngineName, EngineReport } from "evariste";
import type { KeyBits, Operation } from "../contestants/shape.js";
import type { FirstCalls } from "../processes/first-call-child.js";
import type { CallLimits } from "../processes/time-calls.js";
import type { Scores, Timing } from "../results.js";

/** Tell which engines there are. */
export interface AboutTask {
  readonly task: "about";
}

/** Measure all contestants of one row. */
export interface RowTask {
  readonly task: "row";
  readonly operation: Operation;
  readonly size: number;
  readonly keyBits: KeyBits;
  readonly engines: readonly EngineName[];
  readonly timing: Timing;
}

/** Import the library and time the first calls, in a page that did not have it before. */
export interface FirstCallTask extends CallLimits {
  readonly task: "first-call";
  readonly size: number;
  readonly engine: EngineName;
}

/** What a page can be told to do. */
export type Task = AboutTask | RowTask | FirstCallTask;

/** The answers, by task. */
export interface Answers {
  readonly about: { readonly engines: readonly EngineReport[] };
  readonly row: { readonly scores: Scores; readonly notes: readonly string[] };
  readonly "first-call": FirstCalls;
}
