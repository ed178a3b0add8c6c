/** Between blocks and bit planes, in the buffer that the circuit works on. */

import { state } from "./sbox.js";

/**
 * Transposes, in each byte lane of the 8 words of a group, the 8 by 8 bits: bit p of word i changes places with bit i
 * of word p. Its own inverse.
 *
 * @param groups how many groups, from the first
 */
export function transposeGroups(groups: number): void {
  for (let o = 0; o < 8 * groups; o += 8) {
    let a = state[o];
    let b = state[o + 1];
    let c = state[o + 2];
    let d = state[o + 3];
    let e = state[o + 4];
    let f = state[o + 5];
    let g = state[o + 6];
    let h = state[o + 7];
    let t = ((a >>> 1) ^ b) & 0x55555555;
    b ^= t;
    a ^= t << 1;
    t = ((c >>> 1) ^ d) & 0x55555555;
    d ^= t;
    c ^= t << 1;
    t = ((e >>> 1) ^ f) & 0x55555555;
    f ^= t;
    e ^= t << 1;
    t = ((g >>> 1) ^ h) & 0x55555555;
    h ^= t;
    g ^= t << 1;
    t = ((a >>> 2) ^ c) & 0x33333333;
    c ^= t;
    a ^= t << 2;
    t = ((b >>> 2) ^ d) & 0x33333333;
    d ^= t;
    b ^= t << 2;
    t = ((e >>> 2) ^ g) & 0x33333333;
    g ^= t;
    e ^= t << 2;
    t = ((f >>> 2) ^ h) & 0x33333333;
    h ^= t;
    f ^= t << 2;
    t = ((a >>> 4) ^ e) & 0x0f0f0f0f;
    state[o + 4] = e ^ t;
    state[o] = a ^ (t << 4);
    t = ((b >>> 4) ^ f) & 0x0f0f0f0f;
    state[o + 5] = f ^ t;
    state[o + 1] = b ^ (t << 4);
    t = ((c >>> 4) ^ g) & 0x0f0f0f0f;
    state[o + 6] = g ^ t;
    state[o + 2] = c ^ (t << 4);
    t = ((d >>> 4) ^ h) & 0x0f0f0f0f;
    state[o + 7] = h ^ t;
    state[o + 3] = d ^ (t << 4);
  }
}

/**
 * Transposes 4 by 4 bytes, each word's lowest byte first, and writes word i of the result to `to[at + i * step]`.
 *
 * Big-endian words of a block are columns of the AES state (FIPS 197, 3.4) with row 0 in the highest byte. From words
 * 0 to 3 this makes rows 3 to 0 with column c in byte lane c, and from rows 3 to 0 the words again.
 */
export function transposeBytes(
  word0: number,
  word1: number,
  word2: number,
  word3: number,
  to: Int32Array,
  at: number,
  step: number,
): void {
  let a = word0;
  let b = word1;
  let c = word2;
  let d = word3;
  let t = ((a >>> 8) ^ b) & 0x00ff00ff;
  b ^= t;
  a ^= t << 8;
  t = ((c >>> 8) ^ d) & 0x00ff00ff;
  d ^= t;
  c ^= t << 8;
  t = ((a >>> 16) ^ c) & 0x0000ffff;
  to[at] = a ^ (t << 16);
  to[at + 2 * step] = c ^ t;
  t = ((b >>> 16) ^ d) & 0x0000ffff;
  to[at + step] = b ^ (t << 16);
  to[at + 3 * step] = d ^ t;
}
