/**
 * The layout of C2SP chunked encryption (c2sp.org/chunked-encryption, v1) with AES-GCM and SHA-512:
 * salt (24) ‖ commitment (32) ‖ sealed chunks. Every chunk but the last holds 16 KiB of plaintext, and the last is
 * always shorter, maybe empty: its shortness is what marks the end. So each plaintext length has one file length.
 * All lengths are bytes.
 */
import { AuthenticationError } from "../errors.js";

/** Length of the random salt that a file begins with. */
export const SALT_LENGTH = 24;

/** Length of the commitment to key, salt and context. */
export const COMMITMENT_LENGTH = 32;

/** Length of a file's header: the salt, then the commitment. */
export const HEADER_LENGTH = 56;

/** Plaintext of every chunk but the last, which has less. */
export const CHUNK_LENGTH = 16384;

/** Tag of a chunk. */
export const TAG_LENGTH = 16;

/** Length of a full chunk's ciphertext with its tag. */
export const SEALED_CHUNK_LENGTH = 16400;

/** Chunks of one message, the short one included: "MUST NOT exceed 2^38 chunks". */
export const MAX_CHUNKS = 2 ** 38;

/** Longest message, 4 PiB less one byte: the last chunk is short. */
export const MAX_MESSAGE = MAX_CHUNKS * CHUNK_LENGTH - 1;

/**
 * Length of the file that a message becomes: header, chunks and tags.
 *
 * @param plaintextLength bytes of the message, 0 to 2^52 - 1
 * @throws RangeError for any other number
 */
export function sealedLength(plaintextLength: number): number {
  if (!isLength(plaintextLength) || plaintextLength > MAX_MESSAGE) {
    throw new RangeError(`plaintextLength is ${plaintextLength}; allowed are integers from 0 to 2^52 - 1`);
  }
  const chunks = Math.floor(plaintextLength / CHUNK_LENGTH) + 1;
  return HEADER_LENGTH + plaintextLength + chunks * TAG_LENGTH;
}

/**
 * Length of the message in a file, as the file's length has it. It is authentic once the last chunk was opened at the
 * place that follows from it.
 *
 * @param sealedLength bytes of the file
 * @throws AuthenticationError when no file has that length: it was cut, or is none
 * @throws RangeError unless `sealedLength` is a non-negative integer
 */
export function plaintextLength(sealedLength: number): number {
  if (!isLength(sealedLength)) {
    throw new RangeError(`sealedLength is ${sealedLength}; allowed are integers from 0 to 2^53 - 1`);
  }
  if (sealedLength < HEADER_LENGTH) {
    throw new AuthenticationError(`${sealedLength} bytes are shorter than a header of ${HEADER_LENGTH}`);
  }
  const body = sealedLength - HEADER_LENGTH;
  const fullChunks = Math.floor(body / SEALED_CHUNK_LENGTH);
  const last = body - fullChunks * SEALED_CHUNK_LENGTH;
  if (last < TAG_LENGTH) {
    throw new AuthenticationError(`no message has ${sealedLength} bytes: it was cut in its last chunk`);
  }
  if (fullChunks >= MAX_CHUNKS) {
    throw new AuthenticationError(`no message has ${sealedLength} bytes: it would pass 2^38 chunks`);
  }
  return fullChunks * CHUNK_LENGTH + last - TAG_LENGTH;
}

function isLength(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
