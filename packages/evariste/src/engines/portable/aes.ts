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
    fillWide(key.wide, prefix, counter);
    return;
  }
  fillNarrow(key.narrow, prefix, counter, 0);
  if (blocks > 2) fillNarrow(key.narrow, prefix, (counter + 2) | 0, 8);
}

function fillNarrow(schedule: Int32Array, prefix: Int32Array, counter: number, at: number): void {
  transposeBytes(prefix[0], prefix[1], prefix[2], counter, state, 6, -2);
  transposeBytes(prefix[0], prefix[1], prefix[2], (counter + 1) | 0, state, 7, -2);
  transposeGroups(1);
  encryptNarrow(schedule);
  transposeGroups(1);
  transposeBytes(state[6], state[4], state[2], state[0], keystream, at, 1);
  transposeBytes(state[7], state[5], state[3], state[1], keystream, at + 4, 1);
}

function fillWide(schedule: Int32Array, prefix: Int32Array, counter: number): void {
  transposeBytes(prefix[0], prefix[1], prefix[2], 0, state, 24, -8);
  const row0 = state[0];
  const row1 = state[8];
  const row2 = state[16];
  const row3 = state[24];
  // The counter is column 3, which has the highest byte lane of each row.
  for (let block = 0; block < MAX_BLOCKS; block++) {
    const count = (counter + block) | 0;
    state[block] = row0 | (count & 0xff000000);
    state[block + 8] = row1 | ((count << 8) & 0xff000000);
    state[block + 16] = row2 | ((count << 16) & 0xff000000);
    state[block + 24] = row3 | (count << 24);
  }
  transposeGroups(4);
  encryptWide(schedule);
  transposeGroups(4);
  for (let block = 0; block < MAX_BLOCKS; block++) {
    const row3word = state[block + 24];
    transposeBytes(row3word, state[block + 16], state[block + 8], state[block], keystream, 4 * block, 1);
  }
}
