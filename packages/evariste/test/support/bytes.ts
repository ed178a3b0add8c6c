/** Byte strings for tests. */

import { createCipheriv, randomBytes } from "node:crypto";
import { expect } from "vitest";

/** The bytes of a hexadecimal string. */
export function hex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

/** Hex of bytes: what comparisons of short byte strings show when they fail. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

/** Random bytes as a plain Uint8Array in memory of its own. */
export function random(length: number): Uint8Array {
  return Uint8Array.from(randomBytes(length));
}

/** `length` bytes that differ from place to place and between seeds, the same in every run (xorshift32). */
export function pattern(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = (seed * 0x9e3779b9) | 1;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  return bytes;
}

/** Expects equal bytes: much faster on long arrays than `toEqual`, which visits each element. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) === 0) return;
  expect(Buffer.from(actual).toString("hex")).toBe(Buffer.from(expected).toString("hex"));
}

/** The parts end to end. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts));
}

/** True when both hold the same bytes: for long ones, where printing a difference helps nobody. */
export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Cuts bytes into pieces of `size`, the last one shorter. */
export function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const result: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) result.push(bytes.subarray(at, at + size));
  return result;
}

/** A copy with one bit flipped. */
export function flipped(bytes: Uint8Array, at: number, bit = 0): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  copy[at] ^= 1 << bit;
  return copy;
}

/** A copy at an odd place of a larger buffer. */
export function unaligned(bytes: Uint8Array, offset: number): Uint8Array {
  const view = new Uint8Array(bytes.length + 32).subarray(offset, offset + bytes.length);
  view.set(bytes);
  return view;
}

/** Ciphertext and tag as node:crypto makes them; OpenSSL takes IVs up to 128 bytes. */
export function nodeSeal(
  key: Uint8Array,
  iv: Uint8Array,
  aad: Uint8Array,
  plaintext: Uint8Array,
  tagLength = 16,
): Uint8Array {
  const name = `aes-${key.length * 8}-gcm` as "aes-128-gcm";
  const cipher = createCipheriv(name, key, iv, { authTagLength: tagLength });
  cipher.setAAD(aad);
  const parts = [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
  return Uint8Array.from(Buffer.concat(parts));
}
