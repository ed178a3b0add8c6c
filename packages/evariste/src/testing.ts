/**
 * Engines below the checks of `AesGcm`, for conformance suites and measurements. Not covered by semantic versioning:
 * an engine believes what it is given, so nothing else should import this.
 *
 * @module
 */
export type {
  Direction,
  Engine,
  EngineKey,
  EngineName,
  EngineStream,
  KernelReport,
} from "./engines/engine.js";
export { loadEngine } from "./engines/select.js";
