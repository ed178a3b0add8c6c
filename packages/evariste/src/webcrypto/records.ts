/**
 * Partial hashes on their way through other hands. Who knows GHASH of a known ciphertext can compute H from it and forge, so
 * they are encrypted, under a key that is derived from H: breaking it is worth nothing to who does not know H, and who
 * does needs no record. The message's own key, its IVs and its counter blocks are not used for it.
 */
import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { AuthenticationError } from "../errors.js";
import { needSubtle } from "./crypto-key.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that a record adds: salt and tag. */
export const RECORD_OVERHEAD = 32 + 16;

const SALT_LENGTH = 32;

/** Each record has a key of its own, so one fixed nonce serves once. */
const NONCE: Bytes = new Uint8Array(12);

/**
 * HKDF-SHA-256 (RFC 5869) of H with a random salt gives an AES-256-GCM key for this record alone.
 *
 * @param label what kind of record this is
 * @param header public bytes that the record is bound to
 * @returns salt ‖ ciphertext ‖ tag
 */
export async function sealRecord(
  subtle: SubtleCrypto | undefined,
  key: SegmentKey,
  label: string,
  header: Bytes,
  secret: Bytes,
): Promise<Bytes> {
  const salt = globalThis.crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
  const { recordKey, platform } = await deriveKey(subtle, key, label, salt, "encrypt");
  const parameters = { name: "AES-GCM", iv: NONCE, additionalData: header };
  const sealed = new Uint8Array(await platform.encrypt(parameters, recordKey, secret));
  const record = new Uint8Array(SALT_LENGTH + sealed.length);
  record.set(salt);
  record.set(sealed, SALT_LENGTH);
  return record;
}

/** @throws AuthenticationError for a record of another key, kind or header, or one that was altered */
export async function openRecord(
  subtle: SubtleCrypto | undefined,
  key: SegmentKey,
  label: string,
  header: Bytes,
  record: Bytes,
): Promise<Bytes> {
  const salt = record.subarray(0, SALT_LENGTH);
  const { recordKey, platform } = await deriveKey(subtle, key, label, salt, "decrypt");
  const parameters = { name: "AES-GCM", iv: NONCE, additionalData: header };
  try {
    return new Uint8Array(await platform.decrypt(parameters, recordKey, record.subarray(SALT_LENGTH)));
  } catch {
    throw new AuthenticationError(`the ${label} is not authentic: altered, or of another key or message`);
  }
}

async function deriveKey(
  subtle: SubtleCrypto | undefined,
  key: SegmentKey,
  label: string,
  salt: Bytes,
  usage: "encrypt" | "decrypt",
): Promise<{ recordKey: CryptoKey; platform: SubtleCrypto }> {
  const platform = needSubtle(subtle);
  const h = (await key.subkey()).bytes();
  try {
    const input = await platform.importKey("raw", h, "HKDF", false, ["deriveKey"]);
    const info = new TextEncoder().encode(`evariste ${label} v1`);
    const parameters = { name: "HKDF", hash: "SHA-256", salt, info };
    const target = { name: "AES-GCM", length: 256 };
    return { recordKey: await platform.deriveKey(parameters, input, target, false, [usage]), platform };
  } finally {
    h.fill(0);
  }
}
