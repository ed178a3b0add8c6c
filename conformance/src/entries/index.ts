/**
 * Entry points that run on the synchronous engines, for any runtime.
 *
 * @module
 */
import type { EntryCase } from "./case.js";
import { chunkedCases } from "./chunked.js";
import { managedCases } from "./managed.js";
import { parallelCases } from "./parallel.js";

/** Every case of an entry point. */
export const entryCases: readonly EntryCase[] = [...managedCases, ...chunkedCases, ...parallelCases];

export type { EntryCase } from "./case.js";
