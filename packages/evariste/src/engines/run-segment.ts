/** One segment of a message on a synchronous engine. */
import { BLOCK } from "../gcm/limits.js";
import type { Direction, EngineKey } from "./engine.js";

/** GCTR from `icb`, and GHASH from zero over the ciphertext: what `EngineKey.segment` does, on the calling thread. */
export function runSegment(
  key: EngineKey,
  direction: Direction,
  icb: Uint8Array,
  input: Uint8Array,
  out: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const y = new Uint8Array(BLOCK);
  if (direction === "decrypt") key.ghash(input, y);
  key.gctr(icb, input, out);
  if (direction === "encrypt") key.ghash(out.subarray(0, input.length), y);
  return y;
}

/** H = CIPH_K(0^128), clause 7.1 step 1: the keystream block of the counter zero. 16 bytes, which the caller clears. */
export function hashSubkeyOf(key: EngineKey): Uint8Array<ArrayBuffer> {
  return cipherBlock(key, new Uint8Array(BLOCK));
}

/** CIPH_K of a block, as the keystream of that counter. */
export function cipherBlock(key: EngineKey, block: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(BLOCK);
  key.gctr(block, new Uint8Array(BLOCK), out);
  return out;
}
