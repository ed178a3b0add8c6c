/**
 * One suite for every engine, kernel and runtime: named cases that take a target and throw when it is wrong.
 *
 * @module
 */
import type { Case } from "./case.js";
import { batchCases } from "./cases/batches.js";
import { bufferCases } from "./cases/buffers.js";
import { counterCases } from "./cases/counter.js";
import { forgeryCases } from "./cases/forgeries.js";
import { ivCases } from "./cases/ivs.js";
import { kernelCases } from "./cases/kernels.js";
import { lengthCases } from "./cases/lengths.js";
import { orderCases } from "./cases/order.js";
import { pieceCases } from "./cases/pieces.js";
import { releaseCases } from "./cases/release.js";
import { vectorCases } from "./cases/vectors.js";

/** Every case that runs on any runtime. */
export const cases: readonly Case[] = [
  ...kernelCases,
  ...vectorCases,
  ...counterCases,
  ...ivCases,
  ...lengthCases,
  ...pieceCases,
  ...bufferCases,
  ...forgeryCases,
  ...releaseCases,
  ...orderCases,
  ...batchCases,
];

export { affords, type Case, type Target, type Weight } from "./case.js";
export { Mismatch } from "./check.js";
export { targets } from "./targets.js";
export { type GcmTest, parseWycheproof, runWycheproof, type WycheproofFile } from "./wycheproof.js";
