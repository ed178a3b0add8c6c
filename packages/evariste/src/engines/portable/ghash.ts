/** GHASH (SP 800-38D, clause 6.4) without tables. */

import { load32 } from "../../gcm/bytes.js";
import { writeLengths } from "../../gcm/counter.js";
import { multiply } from "../../gcm/gf128.js";

const padded = new Uint8Array(16);

/**
 * Absorbs `length` bytes of `data` into `y`, the last block padded with zeros. Leaves scratch: whoever started calls
 * `clearScratch` of gf128 in the end.
 *
 * @param y the hash state, 4 words
 * @param factor H as `expandFactor` makes it
 */
export function absorb(
  y: Int32Array,
  factor: Int32Array,
  data: Uint8Array,
  offset: number,
  length: number,
): void {
  const whole = offset + length - (length % 16);
  for (let at = offset; at < whole; at += 16) {
    y[0] ^= load32(data, at);
    y[1] ^= load32(data, at + 4);
    y[2] ^= load32(data, at + 8);
    y[3] ^= load32(data, at + 12);
    multiply(y, factor);
  }
  const rest = length % 16;
  if (rest === 0) return;
  for (let i = 0; i < rest; i++) padded[i] = data[whole + i];
  padded.fill(0, rest);
  absorb(y, factor, padded, 0, 16);
  padded.fill(0);
}

/** Absorbs [len(A)]_64 || [len(C)]_64, from lengths in bytes up to 2^53 - 1. */
export function absorbLengths(y: Int32Array, factor: Int32Array, aadBytes: number, textBytes: number): void {
  writeLengths(padded, aadBytes, textBytes);
  absorb(y, factor, padded, 0, 16);
}
