/**
 * Which engine runs a message of which size, as data. The first row whose engines are both available is taken.
 * `npm run bench -- thresholds` prints the sizes that the rows with two engines rest on.
 */
import type { EngineName } from "./engine.js";

/** One way of running all sizes: `small` below `from` bytes, `large` from there on. */
export interface SizeRule {
  readonly small: EngineName;
  readonly large: EngineName;
  /** First length in bytes that `large` takes. */
  readonly from: number;
}

/** In order of preference. */
export const SIZE_RULES: readonly SizeRule[] = [
  { small: "native", large: "native", from: 0 },
  { small: "wasm", large: "openssl", from: 3072 },
  { small: "portable", large: "openssl", from: 256 },
  { small: "openssl", large: "openssl", from: 0 },
  { small: "wasm", large: "wasm", from: 0 },
  { small: "portable", large: "portable", from: 0 },
];
