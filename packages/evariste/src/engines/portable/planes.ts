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
    for (let i = o; i < o + 8; i += 2) exchange(i, 1, 0x55555555);
    for (let i = o; i < o + 8; i += 4) {
      exchange(i, 2, 0x33333333);
      exchange(i + 1, 2, 0x33333333);
    }
    for (let i = o; i < o + 4; i++) exchange(i, 4, 0x0f0f0f0f);
  }
}

/** Exchanges the bits of word `i + shift` that `mask` names with those of word `i` that lie `shift` places higher. */
function exchange(i: number, shift: number, mask: number): void {
  const t = ((state[i] >>> shift) ^ state[i + shift]) & mask;
  state[i + shift] ^= t;
  state[i] ^= t << shift;
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
