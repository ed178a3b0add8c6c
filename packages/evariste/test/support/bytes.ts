/** What several test files share. */

import { createCipheriv, randomBytes } from "node:crypto";
import { expect } from "vitest";

/** The bytes of a hexadecimal string. */
export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

/** Random bytes as a plain Uint8Array in memory of its own. */
export function random(length: number): Uint8Array {
  return Uint8Array.from(randomBytes(length));
}

/** Expects equal bytes: much faster on long arrays than `toEqual`, which visits each element. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) === 0) return;
  expect(Buffer.from(actual).toString("hex")).toBe(Buffer.from(expected).toString("hex"));
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
