/** Key expansion (FIPS 197, 5.2) in constant time, through the same S-box circuit. */

import { load32 } from "../../gcm/bytes.js";
import { transposeBytes, transposeGroups } from "./planes.js";
import { NARROW_WORDS, WIDE_WORDS } from "./rounds.js";
import { SBOX_CONSTANT, state, subPlanes } from "./sbox.js";

/** The low bit of each byte lane. */
const LANES = 0x01010101;

/** The expanded key in words, w of FIPS 197: 60 for a key of 256 bits. */
const words = new Int32Array(60);

/**
 * Expands a key of 16, 24 or 32 bytes into narrow round keys: 8 words for each of 11, 13 or 15.
 */
export function expandKey(rawKey: Uint8Array): Int32Array {
  const keyWords = rawKey.length / 4;
  const roundKeys = keyWords + 7;
  expandWords(rawKey, keyWords, 4 * roundKeys);
  const schedule = new Int32Array(NARROW_WORDS * roundKeys);
  for (let round = 0; round < roundKeys; round++) {
    const correction = round === 0 ? 0 : SBOX_CONSTANT * LANES;
    const w0 = words[4 * round] ^ correction;
    const w1 = words[4 * round + 1] ^ correction;
    const w2 = words[4 * round + 2] ^ correction;
    const w3 = words[4 * round + 3] ^ correction;
    transposeBytes(w0, w1, w2, w3, state, 6, -2);
    transposeBytes(w0, w1, w2, w3, state, 7, -2);
    transposeGroups(1);
    for (let p = 0; p < NARROW_WORDS; p++) schedule[NARROW_WORDS * round + p] = state[p];
  }
  words.fill(0);
  state.fill(0);
  return schedule;
}

/** Fills `words`. Branches and indices depend on the key's length alone. */
function expandWords(rawKey: Uint8Array, keyWords: number, count: number): void {
  for (let i = 0; i < keyWords; i++) words[i] = load32(rawKey, 4 * i);
  let constant = 1;
  for (let i = keyWords; i < count; i++) {
    let word = words[i - 1];
    if (i % keyWords === 0) {
      word = subWord((word << 8) | (word >>> 24)) ^ (constant << 24);
      constant = (constant << 1) ^ (constant >>> 7 === 1 ? 0x11b : 0);
    } else if (keyWords === 8 && i % 8 === 4) {
      word = subWord(word);
    }
    words[i] = words[i - keyWords] ^ word;
  }
}

/** The S-box on the four bytes of a word, each plane holding one bit per byte lane. */
function subWord(word: number): number {
  for (let p = 0; p < 8; p++) state[p] = (word >>> p) & LANES;
  subPlanes(1);
  let result = SBOX_CONSTANT * LANES;
  for (let p = 0; p < 8; p++) result ^= (state[p] & LANES) << p;
  return result;
}

/** The same round keys for the wide rounds: the bit of each row and column repeated for 8 blocks. */
export function widenSchedule(narrow: Int32Array): Int32Array {
  const wide = new Int32Array((narrow.length / NARROW_WORDS) * WIDE_WORDS);
  for (let i = 0; i < narrow.length; i++) {
    const at = Math.floor(i / NARROW_WORDS) * WIDE_WORDS + (i % NARROW_WORDS);
    for (let row = 0; row < 4; row++) {
      wide[at + 8 * row] = Math.imul((narrow[i] >>> (2 * row)) & LANES, 0xff);
    }
  }
  return wide;
}
