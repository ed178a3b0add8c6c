/** What one message's keys are and how they come from the caller's key. */

import { AesGcm } from "../aes-gcm.js";
import { checkBytes, checkKey } from "../checks.js";
import { AuthenticationError } from "../errors.js";
import { copyOf } from "../gcm/bytes.js";
import { equalTags } from "../gcm/compare.js";
import { NONCE_LENGTH } from "../gcm/limits.js";
import { fillRandom } from "../random.js";
import { needSubtle } from "../webcrypto/crypto-key.js";
import { ChunkCipher } from "./chunk-cipher.js";
import { COMMITMENT_LENGTH, HEADER_LENGTH, SALT_LENGTH } from "./format.js";

/** What a message is bound to besides its key. */
export interface ChunkedOptions {
  /**
   * What the message is for, any bytes: it opens only under the context it was sealed with. Not part of the file.
   * Default: empty.
   */
  readonly context?: Uint8Array | undefined;
}

/** The keys' lengths, in bytes, with the AEAD names that go into the derivation: Cobblestone-128 and -256. */
const AEADS: ReadonlyMap<number, string> = new Map([
  [16, "AEAD_AES_128_GCM"],
  [32, "AEAD_AES_256_GCM"],
]);

const LABEL = "c2sp.org/chunked-encryption@v1+";
/** Bytes of one block of HKDF-Expand with SHA-512. */
const HASH_LENGTH = 64;

/** Copies of the caller's key and context, checked: what happens to the originals later does not matter. */
export interface InputKey {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly context: Uint8Array<ArrayBuffer>;
}

/**
 * @throws TypeError, RangeError unless the key has 16 or 32 bytes and the context, when given, is bytes
 */
export function inputKey(key: Uint8Array, options: ChunkedOptions | undefined): InputKey {
  checkKey(key, [...AEADS.keys()]);
  const context = options?.context ?? new Uint8Array(0);
  checkBytes("context", context);
  return { key: Uint8Array.from(key), context: Uint8Array.from(context) };
}

/** Begins a message to be sealed: a fresh salt, its header, and the cipher of its chunks. */
export async function beginMessage(
  input: InputKey,
): Promise<{ header: Uint8Array<ArrayBuffer>; cipher: ChunkCipher }> {
  const header = new Uint8Array(HEADER_LENGTH);
  const salt = header.subarray(0, SALT_LENGTH);
  fillRandom(salt);
  const { cipher, commitment } = await derive(input, salt);
  header.set(commitment, SALT_LENGTH);
  return { header, cipher };
}

/**
 * The cipher of a message's chunks, once its header has shown that key and context are right.
 *
 * @param header 56 bytes
 * @throws AuthenticationError when the commitment is another one
 */
export async function recogniseMessage(input: InputKey, header: Uint8Array): Promise<ChunkCipher> {
  const given = Uint8Array.from(header.subarray(SALT_LENGTH));
  const { cipher, commitment } = await derive(input, copyOf(header, 0, SALT_LENGTH));
  if (equalTags(given, commitment, COMMITMENT_LENGTH)) return cipher;
  cipher.destroy();
  throw new AuthenticationError("wrong key or context, or the header was altered");
}

/** key ‖ base nonce ‖ commitment = HKDF-Expand(input key, label ‖ AEAD name ‖ 00 ‖ salt ‖ context). */
async function derive(
  { key, context }: InputKey,
  salt: Uint8Array,
): Promise<{ cipher: ChunkCipher; commitment: Uint8Array }> {
  const name = new TextEncoder().encode(`${LABEL}${AEADS.get(key.length)}\0`);
  const info = joined(name, salt, context);
  const nonceAt = key.length;
  const commitmentAt = nonceAt + NONCE_LENGTH;
  const material = await hkdfExpand(key, info, commitmentAt + COMMITMENT_LENGTH);
  try {
    const gcm = new AesGcm(material.subarray(0, nonceAt));
    const cipher = new ChunkCipher(gcm, copyOf(material, nonceAt, commitmentAt));
    return { cipher, commitment: copyOf(material, commitmentAt) };
  } finally {
    material.fill(0);
  }
}

/** RFC 5869 clause 2.3 with SHA-512, on the platform's HMAC; wipes `prk`. */
async function hkdfExpand(
  prk: Uint8Array<ArrayBuffer>,
  info: Uint8Array,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const subtle = needSubtle(globalThis.crypto?.subtle);
    const key = await subtle.importKey("raw", prk, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
    const output = new Uint8Array(length);
    for (let i = 1, at = 0; at < length; i++, at += HASH_LENGTH) {
      const previous = output.subarray(Math.max(0, at - HASH_LENGTH), at);
      const input = joined(previous, info, Uint8Array.of(i));
      const block = new Uint8Array(await subtle.sign("HMAC", key, input));
      output.set(block.subarray(0, length - at), at);
      input.fill(0);
      block.fill(0);
    }
    return output;
  } finally {
    prk.fill(0);
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
