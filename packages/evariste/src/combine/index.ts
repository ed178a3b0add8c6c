/**
 * One ordinary AES-GCM message whose parts are encrypted in different places: workers, machines, the parts of a multipart
 * upload. Each part gives its ciphertext and a record of about a hundred bytes; all records together give the tag.
 *
 * Trust: every place that encrypts a part or combines needs the key. Whoever has it, or H alone, can forge messages under this
 * key, so a place that is not trusted with that must not take part. Records hold keyed hashes, from which H could be
 * computed; they are sealed under a key derived from H, so what carries or stores them need not be trusted. What cannot
 * be noticed here: a part that was encrypted twice with different bytes, which gives away the XOR of both. Repeat a part
 * only with the same bytes.
 *
 * @module
 */

import { checkAadLength, checkBytes, checkIv, checkTextLength, EMPTY } from "../checks.js";
import { Pipeline } from "../engines/webcrypto/pipeline.js";
import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { hashAll, preCounterBlock, SegmentedText } from "../engines/webcrypto/text.js";
import { copyOf } from "../gcm/bytes.js";
import { BLOCK } from "../gcm/limits.js";
import { refuseShared } from "../views.js";
import type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
import { openSegments } from "../webcrypto/open-key.js";
import { type SegmentOptions, type Settings, settingsOf } from "../webcrypto/settings.js";
import { messageId, openPart, type Part, sealPart } from "./record.js";

type Bytes = Uint8Array<ArrayBuffer>;

export { RECORD_LENGTH } from "./record.js";

/** How {@link encryptPart} works. */
export interface PartOptions extends SegmentOptions {
  /** Stops the work between two segments; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A part of a message. */
export interface EncryptedPart {
  /** As long as the plaintext, in consecutive pieces. */
  readonly ciphertext: readonly Bytes[];
  /** What {@link combineParts} needs of the part: {@link RECORD_LENGTH} bytes, sealed, to be stored or sent anywhere. */
  readonly record: Bytes;
}

/**
 * Encrypts the part of a message that begins at `offset`.
 *
 * @param key 16, 24 or 32 bytes; or a CryptoKey with usage `encrypt`
 * @param iv the message's IV, the same for all of its parts, and for no other message under this key
 * @param offset bytes of the message before this part; a multiple of 16
 * @param plaintext not to be changed before the promise settles; every part but the last has a multiple of 16 bytes
 * @throws TypeError, RangeError; the signal's reason
 */
export async function encryptPart(
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  offset: number,
  plaintext: Uint8Array,
  options: PartOptions = {},
): Promise<EncryptedPart> {
  checkIv(iv);
  checkBytes("plaintext", plaintext);
  refuseShared("plaintext", plaintext);
  if (!Number.isInteger(offset / BLOCK) || offset < 0) {
    throw new RangeError(`offset is ${String(offset)}; allowed are multiples of 16`);
  }
  checkTextLength(offset + plaintext.length);
  const ownIv = new Uint8Array(iv);
  const settings = settingsOf(options);
  const segments = await openSegments(key, "encrypt", settings);
  try {
    const text = await SegmentedText.beginPart(segments, ownIv, offset);
    try {
      const ciphertext = await encryptAll(text, plaintext, settings, options.signal);
      const part: Part = { offset, length: plaintext.length, ghash: text.partialHash() };
      const id = await messageId(settings.subtle, ownIv);
      const record = await sealPart(settings.subtle, segments, id, part);
      part.ghash.fill(0);
      return { ciphertext, record };
    } finally {
      text.wipe();
    }
  } finally {
    segments.destroy();
  }
}

async function encryptAll(
  text: SegmentedText,
  plaintext: Uint8Array,
  { segmentLength, inFlight, yieldAfter }: Settings,
  signal: AbortSignal | undefined,
): Promise<Bytes[]> {
  const ciphertext: Bytes[] = [];
  const pipeline = new Pipeline<Bytes>(inFlight, yieldAfter, (output) => {
    ciphertext.push(output);
  });
  try {
    for (let at = 0; at < plaintext.length; at += segmentLength) {
      signal?.throwIfAborted();
      const segment = plaintext.subarray(at, at + segmentLength);
      await pipeline.add(() => text.encrypt(segment));
    }
    await pipeline.drain();
    signal?.throwIfAborted();
    return ciphertext;
  } finally {
    await pipeline.abandon(() => {});
  }
}

/** What {@link combineParts} is told of the whole message. */
export interface CombineOptions extends SegmentOptions {
  /** Bytes of the whole plaintext: without it nobody would notice that the last part is missing. */
  readonly length: number;
  /** Additional authenticated data. Default: none. */
  readonly aad?: Uint8Array | undefined;
}

/**
 * The tag of the message whose parts these are.
 *
 * @param records one of each part, in any order
 * @returns the tag, which goes behind the parts' ciphertexts
 * @throws RangeError when a part is missing, doubled, overlaps another, goes beyond `length` or belongs to a message with
 *   another IV, and for what is no record; the error says which bytes of the message are concerned
 * @throws AuthenticationError for a record that was altered or made under another key; TypeError
 */
export async function combineParts(
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  records: Iterable<Uint8Array>,
  options: CombineOptions,
): Promise<Bytes> {
  checkIv(iv);
  const { length, aad = EMPTY } = options;
  checkBytes("aad", aad);
  checkAadLength(aad.length);
  if (!Number.isSafeInteger(length) || length < 0) {
    throw new RangeError(`length is ${String(length)}; allowed are integers from 0`);
  }
  checkTextLength(length);
  const [ownIv, ownAad, settings] = [new Uint8Array(iv), new Uint8Array(aad), settingsOf(options)];
  const own = Array.from(records, (record, i) => {
    checkBytes(`record ${i}`, record);
    return new Uint8Array(record);
  });
  const segments = await openSegments(key, "encrypt", settings);
  const parts: Part[] = [];
  try {
    const id = await messageId(settings.subtle, ownIv);
    for (const [i, record] of own.entries()) {
      parts.push(await openPart(settings.subtle, segments, id, record, `record ${i}`));
    }
    const whole = checkedParts(parts, length);
    return copyOf(await tagOf(segments, ownIv, ownAad, whole, length), 0, settings.tagLength);
  } finally {
    for (const { ghash } of parts) ghash.fill(0);
    segments.destroy();
  }
}

/** The parts in order. An empty part says nothing and is dropped. */
function checkedParts(parts: readonly Part[], length: number): Part[] {
  const ordered = parts.filter((part) => part.length > 0).sort((a, b) => a.offset - b.offset);
  let end = 0;
  for (const part of ordered) {
    const named = `the part of bytes ${part.offset} to ${part.offset + part.length}`;
    if (part.offset > end) throw new RangeError(`bytes ${end} to ${part.offset} of the message are missing`);
    if (part.offset < end)
      throw new RangeError(`${named} is doubled or overlaps another, which ends at ${end}`);
    end += part.length;
    if (end > length) throw new RangeError(`${named} goes beyond the message's length, ${length}`);
  }
  if (end < length) throw new RangeError(`bytes ${end} to ${length} of the message are missing`);
  return ordered;
}

async function tagOf(
  key: SegmentKey,
  iv: Bytes,
  aad: Bytes,
  parts: readonly Part[],
  length: number,
): Promise<Bytes> {
  const subkey = await key.subkey();
  const j0 = await preCounterBlock(key, iv);
  const tag = await hashAll(key, aad);
  for (const part of parts) subkey.append(tag, part.ghash, part.length);
  const mask = await key.cipherBlock(j0);
  subkey.hashToTag(tag, mask, aad.length, length);
  mask.fill(0);
  return tag;
}

export type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
export type { SegmentOptions } from "../webcrypto/settings.js";
