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

/** The planes that x^8 = x^4 + x^3 + x + 1 sends the top one to, but for plane 0, which gets it as that below. */
const REDUCTION = 0b00011010;

/**
 * Encrypts the 2 blocks whose planes are in the first group of the state.
 *
 * @param schedule narrow round keys, the first one to be added first
 */
export function encryptNarrow(schedule: Int32Array): void {
  const last = schedule.length - NARROW_WORDS;
  for (let p = 0; p < 8; p++) state[p] ^= schedule[p];
  for (let key = NARROW_WORDS; key < last; key += NARROW_WORDS) {
    subPlanes(1);
    mixNarrow(schedule, key);
  }
  subPlanes(1);
  for (let p = 0; p < 8; p++) state[p] = shiftRows(state[p]) ^ schedule[last + p];
}

/** Rotations to the right: byte lanes are columns, so these move a row's columns down as ShiftRows does. */
const rotate8 = (row: number) => (row >>> 8) | (row << 24);
const rotate16 = (row: number) => (row >>> 16) | (row << 16);
const rotate24 = (row: number) => (row >>> 24) | (row << 8);

/** ShiftRows of a narrow plane: row r moves r columns down. */
function shiftRows(plane: number): number {
  return (
    (plane & 0x03030303) |
    rotate8(plane & 0x0c0c0c0c) |
    rotate16(plane & 0x30303030) |
    rotate24(plane & 0xc0c0c0c0)
  );
}

/** The next rows: rows are pairs of bits in each byte lane. */
function rowDown(plane: number): number {
  return ((plane >>> 2) & 0x3f3f3f3f) | ((plane & 0x03030303) << 6);
}

/**
 * ShiftRows, MixColumns and AddRoundKey. With d = a(r) + a(r+1), a column becomes 2 d(r) + a(r+1) + d(r+2); doubling
 * moves a plane up and adds the top one to those of {@link REDUCTION}.
 */
function mixNarrow(schedule: Int32Array, key: number): void {
  const last = shiftRows(state[7]);
  const top = last ^ rowDown(last);
  let below = top;
  for (let p = 0; p < 8; p++) {
    const rows = shiftRows(state[p]);
    const next = rowDown(rows);
    const d = rows ^ next;
    const doubled = below ^ (top & -((REDUCTION >>> p) & 1));
    state[p] = doubled ^ next ^ rowDown(rowDown(d)) ^ schedule[key + p];
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
    state[p] ^= schedule[last + p];
    state[p + 8] = rotate8(state[p + 8]) ^ schedule[last + p + 8];
    state[p + 16] = rotate16(state[p + 16]) ^ schedule[last + p + 16];
    state[p + 24] = rotate24(state[p + 24]) ^ schedule[last + p + 24];
  }
}

/** As {@link mixNarrow}, with a row in each of the words a, b, c and d. */
function mixWide(schedule: Int32Array, key: number): void {
  const a7 = state[7];
  const b7 = rotate8(state[15]);
  const c7 = rotate16(state[23]);
  const d7 = rotate24(state[31]);
  let ab = a7 ^ b7;
  let bc = b7 ^ c7;
  let cd = c7 ^ d7;
  let da = d7 ^ a7;
  const topAB = ab;
  const topBC = bc;
  const topCD = cd;
  const topDA = da;
  for (let p = 0; p < 8; p++) {
    const a = state[p];
    const b = rotate8(state[p + 8]);
    const c = rotate16(state[p + 16]);
    const d = rotate24(state[p + 24]);
    const reduced = -((REDUCTION >>> p) & 1);
    state[p] = ab ^ (topAB & reduced) ^ b ^ c ^ d ^ schedule[key + p];
    state[p + 8] = bc ^ (topBC & reduced) ^ c ^ d ^ a ^ schedule[key + p + 8];
    state[p + 16] = cd ^ (topCD & reduced) ^ d ^ a ^ b ^ schedule[key + p + 16];
    state[p + 24] = da ^ (topDA & reduced) ^ a ^ b ^ c ^ schedule[key + p + 24];
    ab = a ^ b;
    bc = b ^ c;
    cd = c ^ d;
    da = d ^ a;
  }
}
