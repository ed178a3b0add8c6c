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

/** The rows after next: rows are pairs of bits in each byte lane. */
function twoRowsDown(plane: number): number {
  return ((plane >>> 4) & 0x0f0f0f0f) | ((plane & 0x0f0f0f0f) << 4);
}

/**
 * ShiftRows, MixColumns and AddRoundKey. With d = a(r) + a(r+1), a column becomes 2 d(r) + a(r+1) + d(r+2); doubling
 * moves a plane up and adds the top one to planes 0, 1, 3 and 4 (x^8 + x^4 + x^3 + x + 1).
 */
function mixNarrow(schedule: Int32Array, key: number): void {
  let row0 = state[7] & ROW0;
  let rows123 = shiftedRows(state[7]);
  let next = (rows123 >>> 2) | (row0 << 6);
  const top = row0 ^ rows123 ^ next;
  let below = top;
  let d = 0;

  row0 = state[0] & ROW0;
  rows123 = shiftedRows(state[0]);
  next = (rows123 >>> 2) | (row0 << 6);
  d = row0 ^ rows123 ^ next;
  state[0] = below ^ next ^ twoRowsDown(d) ^ schedule[key];
  below = d;

  row0 = state[1] & ROW0;
  rows123 = shiftedRows(state[1]);
  next = (rows123 >>> 2) | (row0 << 6);
  d = row0 ^ rows123 ^ next;
  state[1] = below ^ top ^ next ^ twoRowsDown(d) ^ schedule[key + 1];
  below = d;

  row0 = state[2] & ROW0;
  rows123 = shiftedRows(state[2]);
  next = (rows123 >>> 2) | (row0 << 6);
  d = row0 ^ rows123 ^ next;
  state[2] = below ^ next ^ twoRowsDown(d) ^ schedule[key + 2];
  below = d;

  row0 = state[3] & ROW0;
  rows123 = shiftedRows(state[3]);
  next = (rows123 >>> 2) | (row0 << 6);
  d = row0 ^ rows123 ^ next;
  state[3] = below ^ top ^ next ^ twoRowsDown(d) ^ schedule[key + 3];
  below = d;

  row0 = state[4] & ROW0;
  rows123 = shiftedRows(state[4]);
  next = (rows123 >>> 2) | (row0 << 6);
  d = row0 ^ rows123 ^ next;
  state[4] = below ^ top ^ next ^ twoRowsDown(d) ^ schedule[key + 4];
  below = d;

  row0 = state[5] & ROW0;
  rows123 = shiftedRows(state[5]);
  next = (rows123 >>> 2) | (row0 << 6);
  d = row0 ^ rows123 ^ next;
  state[5] = below ^ next ^ twoRowsDown(d) ^ schedule[key + 5];
  below = d;

  row0 = state[6] & ROW0;
  rows123 = shiftedRows(state[6]);
  next = (rows123 >>> 2) | (row0 << 6);
  d = row0 ^ rows123 ^ next;
  state[6] = below ^ next ^ twoRowsDown(d) ^ schedule[key + 6];
  below = d;

  row0 = state[7] & ROW0;
  next = (shiftedRows(state[7]) >>> 2) | (row0 << 6);
  state[7] = below ^ next ^ twoRowsDown(top) ^ schedule[key + 7];
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

/** Rotations to the right: byte lanes are columns, so these move a row's columns down as ShiftRows does. */
const rotate8 = (row: number) => (row >>> 8) | (row << 24);
const rotate16 = (row: number) => (row >>> 16) | (row << 16);
const rotate24 = (row: number) => (row >>> 24) | (row << 8);

/**
 * As {@link mixNarrow}, with a row in each of the words a, b, c and d. Written out, because indices that are constants
 * need no checks: the same as a loop takes nearly twice the time.
 */
function mixWide(schedule: Int32Array, key: number): void {
  let a = state[7];
  let b = rotate8(state[15]);
  let c = rotate16(state[23]);
  let d = rotate24(state[31]);
  const topAB = a ^ b;
  const topBC = b ^ c;
  const topCD = c ^ d;
  const topDA = d ^ a;
  let ab = topAB;
  let bc = topBC;
  let cd = topCD;
  let da = topDA;

  a = state[0];
  b = rotate8(state[8]);
  c = rotate16(state[16]);
  d = rotate24(state[24]);
  state[0] = ab ^ b ^ c ^ d ^ schedule[key];
  state[8] = bc ^ c ^ d ^ a ^ schedule[key + 8];
  state[16] = cd ^ d ^ a ^ b ^ schedule[key + 16];
  state[24] = da ^ a ^ b ^ c ^ schedule[key + 24];
  ab = a ^ b;
  bc = b ^ c;
  cd = c ^ d;
  da = d ^ a;

  a = state[1];
  b = rotate8(state[9]);
  c = rotate16(state[17]);
  d = rotate24(state[25]);
  state[1] = ab ^ topAB ^ b ^ c ^ d ^ schedule[key + 1];
  state[9] = bc ^ topBC ^ c ^ d ^ a ^ schedule[key + 9];
  state[17] = cd ^ topCD ^ d ^ a ^ b ^ schedule[key + 17];
  state[25] = da ^ topDA ^ a ^ b ^ c ^ schedule[key + 25];
  ab = a ^ b;
  bc = b ^ c;
  cd = c ^ d;
  da = d ^ a;

  a = state[2];
  b = rotate8(state[10]);
  c = rotate16(state[18]);
  d = rotate24(state[26]);
  state[2] = ab ^ b ^ c ^ d ^ schedule[key + 2];
  state[10] = bc ^ c ^ d ^ a ^ schedule[key + 10];
  state[18] = cd ^ d ^ a ^ b ^ schedule[key + 18];
  state[26] = da ^ a ^ b ^ c ^ schedule[key + 26];
  ab = a ^ b;
  bc = b ^ c;
  cd = c ^ d;
  da = d ^ a;

  a = state[3];
  b = rotate8(state[11]);
  c = rotate16(state[19]);
  d = rotate24(state[27]);
  state[3] = ab ^ topAB ^ b ^ c ^ d ^ schedule[key + 3];
  state[11] = bc ^ topBC ^ c ^ d ^ a ^ schedule[key + 11];
  state[19] = cd ^ topCD ^ d ^ a ^ b ^ schedule[key + 19];
  state[27] = da ^ topDA ^ a ^ b ^ c ^ schedule[key + 27];
  ab = a ^ b;
  bc = b ^ c;
  cd = c ^ d;
  da = d ^ a;

  a = state[4];
  b = rotate8(state[12]);
  c = rotate16(state[20]);
  d = rotate24(state[28]);
  state[4] = ab ^ topAB ^ b ^ c ^ d ^ schedule[key + 4];
  state[12] = bc ^ topBC ^ c ^ d ^ a ^ schedule[key + 12];
  state[20] = cd ^ topCD ^ d ^ a ^ b ^ schedule[key + 20];
  state[28] = da ^ topDA ^ a ^ b ^ c ^ schedule[key + 28];
  ab = a ^ b;
  bc = b ^ c;
  cd = c ^ d;
  da = d ^ a;

  a = state[5];
  b = rotate8(state[13]);
  c = rotate16(state[21]);
  d = rotate24(state[29]);
  state[5] = ab ^ b ^ c ^ d ^ schedule[key + 5];
  state[13] = bc ^ c ^ d ^ a ^ schedule[key + 13];
  state[21] = cd ^ d ^ a ^ b ^ schedule[key + 21];
  state[29] = da ^ a ^ b ^ c ^ schedule[key + 29];
  ab = a ^ b;
  bc = b ^ c;
  cd = c ^ d;
  da = d ^ a;

  a = state[6];
  b = rotate8(state[14]);
  c = rotate16(state[22]);
  d = rotate24(state[30]);
  state[6] = ab ^ b ^ c ^ d ^ schedule[key + 6];
  state[14] = bc ^ c ^ d ^ a ^ schedule[key + 14];
  state[22] = cd ^ d ^ a ^ b ^ schedule[key + 22];
  state[30] = da ^ a ^ b ^ c ^ schedule[key + 30];
  ab = a ^ b;
  bc = b ^ c;
  cd = c ^ d;
  da = d ^ a;

  a = state[7];
  b = rotate8(state[15]);
  c = rotate16(state[23]);
  d = rotate24(state[31]);
  state[7] = ab ^ b ^ c ^ d ^ schedule[key + 7];
  state[15] = bc ^ c ^ d ^ a ^ schedule[key + 15];
  state[23] = cd ^ d ^ a ^ b ^ schedule[key + 23];
  state[31] = da ^ a ^ b ^ c ^ schedule[key + 31];
}
