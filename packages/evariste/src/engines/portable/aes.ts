/** AES keystream: counter blocks go in as numbers and come out encrypted, as big-endian words. */

import { transposeBytes, transposeGroups } from "./planes.js";
import { encryptNarrow, encryptWide } from "./rounds.js";
import { state } from "./sbox.js";
import { expandKey, widenSchedule } from "./schedule.js";

/** The most blocks that {@link fillKeystream} makes at once. */
export const MAX_BLOCKS = 8;

/** From this many blocks on, the wide rounds cost less than narrow rounds two blocks at a time. */
const WIDE_FROM = 5;

/** An expanded AES key. */
export interface AesKey {
  readonly narrow: Int32Array;
  /** Made when a message first needs it: keys for short messages do not pay for it. */
  wide: Int32Array | undefined;
}

/** Encrypted counter blocks, 4 words each. Whoever had them made clears them: {@link clearKeystream}. */
export const keystream = new Int32Array(4 * MAX_BLOCKS);

/** Expands a key of 16, 24 or 32 bytes. */
export function createAesKey(rawKey: Uint8Array): AesKey {
  return { narrow: expandKey(rawKey), wide: undefined };
}

/** Overwrites the round keys. */
export function wipeAesKey(key: AesKey): void {
  key.narrow.fill(0);
  key.wide?.fill(0);
}

/** Clears the keystream and the planes that it came from. A loop: on so few words `fill` takes longer. */
export function clearKeystream(): void {
  for (let i = 0; i < 4 * MAX_BLOCKS; i++) {
    keystream[i] = 0;
    state[i] = 0;
  }
}

/**
 * Encrypts the counter blocks prefix || counter, prefix || counter + 1, … (32-bit wrap) into {@link keystream}.
 *
 * @param prefix the 96 bits before the counter, as words
 * @param blocks how many are needed, 1 to 8; more may be made
 */
export function fillKeystream(key: AesKey, prefix: Int32Array, counter: number, blocks: number): void {
  if (blocks >= WIDE_FROM) {
    key.wide ??= widenSchedule(key.narrow);
    fillBlocks(MAX_BLOCKS, key.wide, prefix, counter, 0);
    return;
  }
  fillBlocks(2, key.narrow, prefix, counter, 0);
  if (blocks > 2) fillBlocks(2, key.narrow, prefix, (counter + 2) | 0, 8);
}

/** Fills the keystream from word `at` on, with 2 blocks or 8: a row of the state has a word for each. */
function fillBlocks(
  blocks: number,
  schedule: Int32Array,
  prefix: Int32Array,
  counter: number,
  at: number,
): void {
  for (let b = 0; b < blocks; b++) {
    transposeBytes(prefix[0], prefix[1], prefix[2], (counter + b) | 0, state, 3 * blocks + b, -blocks);
  }
  transposeGroups(blocks / 2);
  if (blocks === 2) encryptNarrow(schedule);
  else encryptWide(schedule);
  transposeGroups(blocks / 2);
  for (let b = 0; b < blocks; b++) {
    const row3 = state[3 * blocks + b];
    transposeBytes(row3, state[2 * blocks + b], state[blocks + b], state[b], keystream, at + 4 * b, 1);
  }
}
