/**
 * A second reading of the Cobblestone format (C2SP chunked encryption, c2sp.org/chunked-encryption, v1), written from
 * its text with nothing but node:crypto, to check this project's files by. Plain rather than quick.
 */
import { createDecipheriv, createHmac } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const SALT_LENGTH = 24;
const NONCE_LENGTH = 12;
const COMMITMENT_LENGTH = 32;
const CHUNK_LENGTH = 16_384;
const TAG_LENGTH = 16;

/** HKDF-Expand with SHA-512 (RFC 5869, clause 2.3). */
export function hkdfExpand(prk: Uint8Array, info: Uint8Array, length: number): Buffer {
  const blocks: Buffer[] = [];
  let previous: Buffer = Buffer.alloc(0);
  for (let i = 1; blocks.length * 64 < length; i++) {
    previous = createHmac("sha512", prk).update(previous).update(info).update(Uint8Array.of(i)).digest();
    blocks.push(previous);
  }
  return Buffer.concat(blocks).subarray(0, length);
}

/**
 * Decrypts a file, one chunk after the other.
 *
 * @param key 16 or 32 bytes
 * @throws Error that says which part of the format does not hold
 */
export function* readCobblestone(
  path: string,
  key: Uint8Array,
  context = new Uint8Array(0),
): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    const header = readUpTo(file, SALT_LENGTH + COMMITMENT_LENGTH);
    if (header.length < SALT_LENGTH + COMMITMENT_LENGTH) throw new Error("the header is cut");
    const derived = deriveKeys(key, header.subarray(0, SALT_LENGTH), context);
    if (!derived.commitment.equals(header.subarray(SALT_LENGTH))) throw new Error("the commitment differs");
    for (let index = 0n; ; index++) {
      const sealed = readUpTo(file, CHUNK_LENGTH + TAG_LENGTH);
      if (sealed.length < TAG_LENGTH) throw new Error("the last chunk is missing");
      yield openChunk(key.length * 8, derived.key, nonceOf(derived.baseNonce, index), sealed);
      // A short chunk is the last one, and a short read shows that the file ends there.
      if (sealed.length < CHUNK_LENGTH + TAG_LENGTH) return;
    }
  } finally {
    closeSync(file);
  }
}

function deriveKeys(key: Uint8Array, salt: Uint8Array, context: Uint8Array) {
  const info = Buffer.concat([
    Buffer.from(`c2sp.org/chunked-encryption@v1+AEAD_AES_${key.length * 8}_GCM\0`, "latin1"),
    salt,
    context,
  ]);
  const all = hkdfExpand(key, info, key.length + NONCE_LENGTH + COMMITMENT_LENGTH);
  return {
    key: all.subarray(0, key.length),
    baseNonce: all.subarray(key.length, key.length + NONCE_LENGTH),
    commitment: all.subarray(key.length + NONCE_LENGTH),
  };
}

function nonceOf(baseNonce: Buffer, index: bigint): Buffer {
  const nonce = Buffer.from(baseNonce);
  nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ index, 4);
  return nonce;
}

function openChunk(bits: number, key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(bits === 128 ? "aes-128-gcm" : "aes-256-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_LENGTH));
  const plaintext = decipher.update(sealed.subarray(0, sealed.length - TAG_LENGTH));
  decipher.final();
  return plaintext;
}

/** Reads until `length` bytes are there or the file ends. */
export function readUpTo(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
