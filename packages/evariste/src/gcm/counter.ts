/** Counter blocks and the length block (SP 800-38D, clauses 6.2, 7.1). All arithmetic here is on public values. */

import { load32, store32 } from "./bytes.js";

/** Continues GHASH over `data`, its last block padded with zeros: the shape of `EngineKey.ghash`. */
export type GhashFunction = (data: Uint8Array, y: Uint8Array) => void;

const lengthBlock = new Uint8Array(16);

/**
 * The pre-counter block, clause 7.1 step 2, for an IV of any length.
 *
 * @param ghash GHASH under the key in use; not called for IVs of 12 bytes
 * @param iv 1 byte or more
 * @param j0 receives 16 bytes
 */
export function deriveJ0(ghash: GhashFunction, iv: Uint8Array, j0: Uint8Array): void {
  if (iv.length === 12) {
    j0.set(iv);
    store32(j0, 12, 1);
    return;
  }
  j0.fill(0, 0, 16);
  ghash(iv, j0);
  writeLengths(lengthBlock, 0, iv.length);
  ghash(lengthBlock, j0);
}

/** inc32, clause 6.2, in place: the last 32 bits count up and wrap, the first 96 stay. */
export function inc32(block: Uint8Array): void {
  addBlocks(block, 1);
}

/**
 * inc32 applied `blocks` times, in place.
 *
 * @param blocks a non-negative integer up to 2^53 - 1; what exceeds 32 bits wraps
 */
export function addBlocks(block: Uint8Array, blocks: number): void {
  // The operator | reduces modulo 2^32 exactly, for every integer that a number holds exactly.
  store32(block, 12, (load32(block, 12) + (blocks | 0)) | 0);
}

/**
 * Writes [len(A)]_64 || [len(C)]_64, the last block of GHASH (clause 7.1 step 5).
 *
 * @param block receives 16 bytes
 * @param aadBytes length of the additional authenticated data in bytes, up to 2^53 - 1
 * @param textBytes length of the ciphertext in bytes, up to 2^53 - 1
 */
export function writeLengths(block: Uint8Array, aadBytes: number, textBytes: number): void {
  storeBits64(block, 0, aadBytes);
  storeBits64(block, 8, textBytes);
}

/** A length in bytes as a 64-bit count of bits: division, since 8 times the length may not be an exact number. */
function storeBits64(block: Uint8Array, offset: number, bytes: number): void {
  store32(block, offset, Math.floor(bytes / 0x20000000));
  store32(block, offset + 4, (bytes % 0x20000000) << 3);
}
