/**
 * The index of a message as bytes, all integers big-endian: "EVRI", version 1, segment length (32 bits), message length (64
 * bits), then salt, sealed hashes and tag of a record (`webcrypto/records.ts`).
 */

import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { AuthenticationError } from "../errors.js";
import { copyOf } from "../gcm/bytes.js";
import { BLOCK } from "../gcm/limits.js";
import { openRecord, RECORD_OVERHEAD, sealRecord } from "../webcrypto/records.js";
import type { SealedSource } from "./sealed-source.js";
import type { SegmentHashes } from "./segment-hashes.js";

type Bytes = Uint8Array<ArrayBuffer>;

const MAGIC = [0x45, 0x56, 0x52, 0x49];
const VERSION = 1;
const LABEL = "range index";
const HEADER_LENGTH = 17;

/** What an index is bound to: the sizes it shows, and the message's tag and IV. */
function boundHeader(header: Bytes, source: SealedSource, iv: Bytes): Bytes {
  const bound = new Uint8Array(header.length + 1 + source.tag.length + iv.length);
  bound.set(header);
  bound[header.length] = source.tag.length;
  bound.set(source.tag, header.length + 1);
  bound.set(iv, header.length + 1 + source.tag.length);
  return bound;
}

/** @returns the index, to be stored anywhere */
export async function sealIndex(
  subtle: SubtleCrypto | undefined,
  key: SegmentKey,
  iv: Bytes,
  source: SealedSource,
  { segmentLength, hashes }: SegmentHashes,
): Promise<Bytes> {
  const header = new Uint8Array(HEADER_LENGTH);
  header.set(MAGIC);
  header[4] = VERSION;
  const view = new DataView(header.buffer);
  view.setUint32(5, segmentLength);
  view.setBigUint64(9, BigInt(source.size));
  const record = await sealRecord(subtle, key, LABEL, boundHeader(header, source, iv), hashes);
  const index = new Uint8Array(header.length + record.length);
  index.set(header);
  index.set(record, header.length);
  return index;
}

/**
 * @throws AuthenticationError for an index that was altered, or that belongs to another message, key or length
 * @throws RangeError for what is no index of a version known here
 */
export async function openIndex(
  subtle: SubtleCrypto | undefined,
  key: SegmentKey,
  iv: Bytes,
  source: SealedSource,
  index: Bytes,
): Promise<SegmentHashes> {
  const isIndex =
    index.length >= HEADER_LENGTH + RECORD_OVERHEAD && MAGIC.every((byte, i) => index[i] === byte);
  if (!isIndex) throw new RangeError("the index does not begin as one");
  if (index[4] !== VERSION) throw new RangeError(`the index has version ${index[4]}; known is ${VERSION}`);
  const header = copyOf(index, 0, HEADER_LENGTH);
  const view = new DataView(header.buffer);
  const segmentLength = view.getUint32(5);
  if (view.getBigUint64(9) !== BigInt(source.size)) {
    throw new AuthenticationError(
      `the index is of a message of ${view.getBigUint64(9)} bytes, not ${source.size}`,
    );
  }
  const bound = boundHeader(header, source, iv);
  const hashes = await openRecord(subtle, key, LABEL, bound, copyOf(index, HEADER_LENGTH));
  if (hashes.length !== Math.ceil(source.size / segmentLength) * BLOCK) {
    throw new AuthenticationError("the index does not have as many hashes as the message has segments");
  }
  return { segmentLength, hashes };
}
