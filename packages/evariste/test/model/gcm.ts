/** GCM by the book: NIST SP 800-38D, clauses 6 and 7, bit by bit. The model that tests compare with. */

import { encryptBlock } from "./aes.js";

const R = 0xe1n << 120n;
const ALL = (1n << 128n) - 1n;

/** A block as an integer whose most significant bit is the block's first bit. */
export function toInteger(block: Uint8Array): bigint {
  return block.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** The block of 16 bytes, or of `length` bytes, of an integer. */
export function toBlock(integer: bigint, length = 16): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Number((integer >> BigInt(8 * (length - 1 - i))) & 255n));
}

/** X • Y, Algorithm 1. */
export function multiply(x: bigint, y: bigint): bigint {
  let z = 0n;
  let v = y;
  for (let i = 127n; i >= 0n; i--) {
    if ((x >> i) & 1n) z ^= v;
    v = v & 1n ? (v >> 1n) ^ R : v >> 1n;
  }
  return z & ALL;
}

function pad16(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(data.length / 16) * 16);
  padded.set(data);
  return padded;
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** GHASH_H(X), Algorithm 2, the last block padded with zeros. */
export function ghash(h: Uint8Array, data: Uint8Array, y0: Uint8Array = new Uint8Array(16)): Uint8Array {
  const x = pad16(data);
  let y = toInteger(y0);
  for (let i = 0; i < x.length; i += 16) y = multiply(y ^ toInteger(x.subarray(i, i + 16)), toInteger(h));
  return toBlock(y);
}

/** inc_32, clause 6.2. */
export function inc32(block: Uint8Array): Uint8Array {
  const count = (toInteger(block.subarray(12)) + 1n) & 0xffffffffn;
  return concat(block.subarray(0, 12), toBlock(count, 4));
}

/** GCTR_K(ICB, X), Algorithm 3. */
export function gctr(key: Uint8Array, icb: Uint8Array, input: Uint8Array): Uint8Array {
  const output = new Uint8Array(input.length);
  let counter = icb;
  for (let i = 0; i < input.length; i++) {
    if (i > 0 && i % 16 === 0) counter = inc32(counter);
    if (i % 16 === 0) output.set(encryptBlock(key, counter).subarray(0, input.length - i), i);
  }
  return output.map((byte, i) => byte ^ input[i]);
}

function lengths(a: Uint8Array, c: Uint8Array): Uint8Array {
  return concat(toBlock(8n * BigInt(a.length), 8), toBlock(8n * BigInt(c.length), 8));
}

/** The hash subkey, clause 7.1 step 1. */
export function hashSubkey(key: Uint8Array): Uint8Array {
  return encryptBlock(key, new Uint8Array(16));
}

/** The pre-counter block, clause 7.1 step 2. */
export function preCounterBlock(key: Uint8Array, iv: Uint8Array): Uint8Array {
  if (iv.length === 12) return concat(iv, Uint8Array.of(0, 0, 0, 1));
  return ghash(hashSubkey(key), concat(pad16(iv), lengths(new Uint8Array(0), iv)));
}

/** GCM-AE, Algorithm 4: ciphertext, then the tag of `tagLength` bytes. */
export function seal(
  key: Uint8Array,
  iv: Uint8Array,
  aad: Uint8Array,
  plaintext: Uint8Array,
  tagLength = 16,
): Uint8Array {
  const j0 = preCounterBlock(key, iv);
  const c = gctr(key, inc32(j0), plaintext);
  const s = ghash(hashSubkey(key), concat(pad16(aad), pad16(c), lengths(aad, c)));
  return concat(c, gctr(key, j0, s).subarray(0, tagLength));
}
