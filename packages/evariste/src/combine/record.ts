/**
 * A part's record as bytes, all integers big-endian: "EVRP", version 1, message id (16 bytes), offset and length (64 bits
 * each), then salt, sealed GHASH and tag of a record (`webcrypto/records.ts`).
 */

import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { copyOf } from "../gcm/bytes.js";
import { BLOCK } from "../gcm/limits.js";
import { needSubtle } from "../webcrypto/crypto-key.js";
import { openRecord, RECORD_OVERHEAD, sealRecord } from "../webcrypto/records.js";

type Bytes = Uint8Array<ArrayBuffer>;

const MAGIC = [0x45, 0x56, 0x52, 0x50];
const VERSION = 1;
const LABEL = "part record";
const ID_AT = 5;
const OFFSET_AT = ID_AT + BLOCK;
const HEADER_LENGTH = OFFSET_AT + 16;

/** Length of every record, in bytes. */
export const RECORD_LENGTH = HEADER_LENGTH + RECORD_OVERHEAD + BLOCK;

/** Where a part lies, and its GHASH from zero. */
export interface Part {
  readonly offset: number;
  readonly length: number;
  /** Secret: who sees it can compute H. */
  readonly ghash: Bytes;
}

/** What tells messages of one key apart: the IV, shortened by SHA-256. */
export async function messageId(subtle: SubtleCrypto | undefined, iv: Bytes): Promise<Bytes> {
  return new Uint8Array(await needSubtle(subtle).digest("SHA-256", iv), 0, BLOCK);
}

/** @returns {@link RECORD_LENGTH} bytes */
export async function sealPart(
  subtle: SubtleCrypto | undefined,
  key: SegmentKey,
  id: Bytes,
  part: Part,
): Promise<Bytes> {
  const header = new Uint8Array(HEADER_LENGTH);
  header.set(MAGIC);
  header[4] = VERSION;
  header.set(id, ID_AT);
  const view = new DataView(header.buffer);
  view.setBigUint64(OFFSET_AT, BigInt(part.offset));
  view.setBigUint64(OFFSET_AT + 8, BigInt(part.length));
  const record = new Uint8Array(RECORD_LENGTH);
  record.set(header);
  record.set(await sealRecord(subtle, key, LABEL, header, part.ghash), HEADER_LENGTH);
  return record;
}

/**
 * @param name what errors call the record
 * @throws RangeError for what is no record of a version known here, or one of another message
 * @throws AuthenticationError for a record that was altered or made under another key
 */
export async function openPart(
  subtle: SubtleCrypto | undefined,
  key: SegmentKey,
  id: Bytes,
  record: Bytes,
  name: string,
): Promise<Part> {
  if (record.length !== RECORD_LENGTH || MAGIC.some((byte, i) => record[i] !== byte)) {
    throw new RangeError(`${name} is no part's record of ${RECORD_LENGTH} bytes`);
  }
  if (record[4] !== VERSION) throw new RangeError(`${name} has version ${record[4]}; known is ${VERSION}`);
  if (id.some((byte, i) => record[ID_AT + i] !== byte)) {
    throw new RangeError(`${name} belongs to a message with another IV`);
  }
  const header = copyOf(record, 0, HEADER_LENGTH);
  const ghash = await openRecord(subtle, key, LABEL, header, copyOf(record, HEADER_LENGTH));
  const view = new DataView(header.buffer);
  const offset = Number(view.getBigUint64(OFFSET_AT));
  return { offset, length: Number(view.getBigUint64(OFFSET_AT + 8)), ghash };
}
