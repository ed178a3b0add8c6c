/** Suites whose contestants are processes of their own: what their rows have in common, and their results. */

import type { KeyBits, MemoryKind, Operation } from "../contestants/shape.js";
import {
  type Contender,
  contender,
  type Found,
  installed,
  javas,
  otherRuntimes,
  type Spec,
} from "../contestants/table.js";
import { type ForkRow, measureForks } from "../forks.js";
import type { SuiteRecord } from "../results.js";
import { closingNotes, type SuiteOptions, type Wanted } from "./suite.js";

/** A row by what its message is. */
export interface RowShape {
  readonly operation: Operation;
  readonly size: number;
  readonly keyBits: KeyBits;
  readonly memory?: MemoryKind;
}

/**
 * The row of such messages.
 *
 * @param more what else the row is about, before the rest
 */
export function forkRow(
  { operation, size, keyBits, memory }: RowShape,
  wanted: readonly Wanted[],
  more: SuiteRecord["row"] = {},
  only?: ReadonlySet<string>,
): ForkRow {
  const place = memory === undefined || memory === "array" ? {} : { memory };
  return {
    row: { ...more, operation, size, keyBits, ...place },
    request: `${operation} ${keyBits} ${size} ${memory ?? "-"}`,
    bytes: size,
    wanted,
    ...(only === undefined ? {} : { only }),
  };
}

/** Who takes part in a suite. */
export interface Field {
  readonly specs: readonly Spec[];
  /** Node's flags for them. */
  readonly flags?: readonly string[];
  /** Bun and Deno too. */
  readonly runtimes?: boolean;
  /** Java too, with these flags. */
  readonly java?: readonly string[];
  /** Of Java the newest release alone. */
  readonly newestJava?: boolean;
  /** Java's least warm-up of a row, in milliseconds. */
  readonly javaWarmupMs?: number;
}

/** Processes of all that is there, and a note on all that is not. */
export async function contenders(field: Field): Promise<Found<Contender>> {
  const here = await installed(field.specs);
  const none: Found<Contender> = { found: [], notes: [] };
  const others = field.runtimes ? otherRuntimes() : none;
  const releases = field.java === undefined ? none : javas(field.java, field.javaWarmupMs);
  return {
    found: [
      ...here.found.map((spec) => contender(spec, field.flags)),
      ...others.found,
      ...releases.found.slice(field.newestJava ? -1 : 0),
    ],
    notes: [...here.notes, ...others.notes, ...releases.notes],
  };
}

/** Measures the rows, and adds the notes that every suite ends with. */
export async function measureField(
  rows: readonly ForkRow[],
  { found, notes }: Found<Contender>,
  options: Pick<SuiteOptions, "forking" | "progress">,
): Promise<{ records: SuiteRecord[]; notes: string[] }> {
  const result = await measureForks(rows, found, options.forking, options);
  return { records: result.records, notes: [...notes, ...result.notes, ...closingNotes(result.records)] };
}
