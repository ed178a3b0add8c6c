/**
 * The AES rounds (FIPS 197, 5.1) on bit planes, in two widths that share the S-box circuit.
 *
 * Narrow: 2 blocks in one group of 8 planes; the byte of row r, column c, block b is bit 8c + 2r + b. Wide: 8 blocks
 * in a group per row; the byte of column c, block b is bit 8c + b. Wide rounds cost little for ShiftRows and
 * MixColumns, since rows are whole words; narrow rounds spare a short message the work on blocks that it lacks.
 */

import { state, subPlanes } from "./sbox.js";

/** Words of one round key for the narrow rounds. */
export const NARROW_WORDS = 8;

/** Words of one round key for the wide rounds. */
export const WIDE_WORDS = 32;

const ROW0 = 0x03030303;
const ROW1 = 0x0c0c0c0c;
const ROW2 = 0x30303030;
const ROW3 = 0xc0c0c0c0 | 0;

/** The planes that the reduction by x^8 + x^4 + x^3 + x + 1 changes. */
const REDUCTION = 0x1b;

/**
 * Encrypts the 2 blocks whose planes are in the first group of the state.
 *
 * @param schedule narrow round keys, the first one to be added first
 */
export function encryptNarrow(schedule: Int32Array): void {
  const last = schedule.length - NARROW_WORDS;
  addNarrow(schedule, 0);
  for (let key = NARROW_WORDS; key < last; key += NARROW_WORDS) {
    subPlanes(1);
    mixNarrow(schedule, key);
  }
  subPlanes(1);
  for (let p = 0; p < 8; p++) state[p] = (state[p] & ROW0) | shiftedRows(state[p]);
  addNarrow(schedule, last);
}

function addNarrow(schedule: Int32Array, key: number): void {
  for (let p = 0; p < 8; p++) state[p] ^= schedule[key + p];
}

/** ShiftRows of a narrow plane, without row 0: row r moves r columns down, so r byte lanes to the right. */
function shiftedRows(plane: number): number {
  const row1 = plane & ROW1;
  const row2 = plane & ROW2;
  const row3 = plane & ROW3;
  return (row1 >>> 8) | (row1 << 24) | ((row2 >>> 16) | (row2 << 16)) | ((row3 >>> 24) | (row3 << 8));
}

/** ShiftRows, MixColumns and AddRoundKey. With d = a(r) + a(r+1) a column becomes 2 d(r) + a(r+1) + d(r+2). */
function mixNarrow(schedule: Int32Array, key: number): void {
  const top0 = state[7] & ROW0;
  const top123 = shiftedRows(state[7]);
  const top = top0 ^ top123 ^ (top123 >>> 2) ^ (top0 << 6);
  let below = 0;
  for (let p = 0; p < 8; p++) {
    const row0 = state[p] & ROW0;
    const rows123 = shiftedRows(state[p]);
    const next = (rows123 >>> 2) | (row0 << 6);
    const d = row0 ^ rows123 ^ next;
    const opposite = ((d >>> 4) & 0x0f0f0f0f) | ((d & 0x0f0f0f0f) << 4);
    const carry = top & -((REDUCTION >>> p) & 1);
    state[p] = below ^ carry ^ next ^ opposite ^ schedule[key + p];
    below = d;
  }
}

/**
 * Encrypts the 8 blocks whose planes are in the four groups of the state.
 *
 * @param schedule wide round keys, the first one to be added first
 */
export function encryptWide(schedule: Int32Array): void {
  const last = schedule.length - WIDE_WORDS;
  for (let i = 0; i < WIDE_WORDS; i++) state[i] ^= schedule[i];
  for (let key = WIDE_WORDS; key < last; key += WIDE_WORDS) {
    subPlanes(4);
    mixWide(schedule, key);
  }
  subPlanes(4);
  for (let p = 0; p < 8; p++) {
    const b = state[p + 8];
    const c = state[p + 16];
    const d = state[p + 24];
    state[p] ^= schedule[last + p];
    state[p + 8] = ((b >>> 8) | (b << 24)) ^ schedule[last + p + 8];
    state[p + 16] = ((c >>> 16) | (c << 16)) ^ schedule[last + p + 16];
    state[p + 24] = ((d >>> 24) | (d << 8)) ^ schedule[last + p + 24];
  }
}

/** As {@link mixNarrow}, with a row in each of the words a, b, c and d. */
function mixWide(schedule: Int32Array, key: number): void {
  const top1 = (state[15] >>> 8) | (state[15] << 24);
  const top2 = (state[23] >>> 16) | (state[23] << 16);
  const top3 = (state[31] >>> 24) | (state[31] << 8);
  const topAB = state[7] ^ top1;
  const topBC = top1 ^ top2;
  const topCD = top2 ^ top3;
  const topDA = top3 ^ state[7];
  let belowAB = 0;
  let belowBC = 0;
  let belowCD = 0;
  let belowDA = 0;
  for (let p = 0; p < 8; p++) {
    const a = state[p];
    const b = (state[p + 8] >>> 8) | (state[p + 8] << 24);
    const c = (state[p + 16] >>> 16) | (state[p + 16] << 16);
    const d = (state[p + 24] >>> 24) | (state[p + 24] << 8);
    const ab = a ^ b;
    const bc = b ^ c;
    const cd = c ^ d;
    const da = d ^ a;
    const carry = -((REDUCTION >>> p) & 1);
    state[p] = belowAB ^ (topAB & carry) ^ b ^ cd ^ schedule[key + p];
    state[p + 8] = belowBC ^ (topBC & carry) ^ c ^ da ^ schedule[key + p + 8];
    state[p + 16] = belowCD ^ (topCD & carry) ^ d ^ ab ^ schedule[key + p + 16];
    state[p + 24] = belowDA ^ (topDA & carry) ^ a ^ bc ^ schedule[key + p + 24];
    belowAB = ab;
    belowBC = bc;
    belowCD = cd;
    belowDA = da;
  }
}
