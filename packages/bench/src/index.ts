/**
 * Benchmarks of AES-GCM: a harness that compares contestants within rounds, and the suites of `npm run bench`.
 *
 * @module
 */
export {
  type CompareOptions,
  type Contestant,
  compare,
  interleave,
  ratio,
  repeat,
  type Sampler,
} from "./harness.js";
export { describeMachine, formatMachine, type Machine } from "./machine.js";
export { formatQuickSizes, type QuickSizesOptions, type QuickSizesRow, quickSizes } from "./quick-sizes.js";
export type { ResultsFile, Score, Scores, SuiteRecord, Unit, Value, Verdict } from "./results.js";
export { type Estimate, estimate, pairedRatio } from "./statistics.js";
