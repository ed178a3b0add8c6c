/**
 * The cases for what is built on WebCrypto, for any runtime that has it.
 *
 * @module
 */
import type { AsyncCase } from "./case.js";
import { combineCases } from "./combine.js";
import { intoCases } from "./into.js";
import { rangeCases } from "./ranges.js";
import { stitchedCases } from "./stitched.js";
import { streamCases } from "./streams.js";

/** Every asynchronous case. */
export const asyncCases: readonly AsyncCase[] = [
  ...stitchedCases,
  ...intoCases,
  ...streamCases,
  ...rangeCases,
  ...combineCases,
];

export { type AsyncCase, type Platform, thisPlatform } from "./case.js";
