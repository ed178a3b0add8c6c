/** Chunked encryption of messages that are in memory. */
import { allocateUnsafe } from "#platform";
import { checkBytes } from "../checks.js";
import { AuthenticationError } from "../errors.js";
import { refuseShared } from "../views.js";
import { CHUNK_LENGTH, HEADER_LENGTH, plaintextLength, SEALED_CHUNK_LENGTH, sealedLength } from "./format.js";
import { beginMessage, type ChunkedOptions, inputKey, recogniseMessage } from "./keys.js";

/**
 * Seals a message under a fresh random salt: the same message gives another file each time.
 *
 * @param key uniformly random; 16 bytes for Cobblestone-128, 32 for Cobblestone-256; copied
 * @param plaintext not to be changed before the promise settles
 * @returns header and chunks, {@link sealedLength} bytes
 * @throws TypeError, RangeError
 */
export async function seal(
  key: Uint8Array,
  plaintext: Uint8Array,
  options?: ChunkedOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  checkWhole("plaintext", plaintext);
  const { header, cipher } = await beginMessage(inputKey(key, options));
  try {
    // Again: while the key was derived, the memory may have been transferred or resized.
    checkWhole("plaintext", plaintext);
    const out = allocateUnsafe(sealedLength(plaintext.length));
    out.set(header);
    const chunks = out.subarray(HEADER_LENGTH);
    const full = Math.floor(plaintext.length / CHUNK_LENGTH);
    cipher.sealAll(0, plaintext.subarray(0, full * CHUNK_LENGTH), chunks);
    cipher.seal(full, plaintext.subarray(full * CHUNK_LENGTH), chunks.subarray(full * SEALED_CHUNK_LENGTH));
    return out;
  } finally {
    cipher.destroy();
  }
}

/**
 * Opens a file in memory, whole or not at all.
 *
 * @param key the 16 or 32 bytes that the message was sealed with; copied
 * @param sealed not to be changed before the promise settles
 * @throws AuthenticationError for a wrong key or context, and for a file that was altered, cut or added to
 * @throws TypeError, RangeError
 */
export async function open(
  key: Uint8Array,
  sealed: Uint8Array,
  options?: ChunkedOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  checkWhole("sealed", sealed);
  const input = inputKey(key, options);
  if (sealed.length < HEADER_LENGTH) {
    input.key.fill(0);
    throw new AuthenticationError(`${sealed.length} bytes are shorter than a header of ${HEADER_LENGTH}`);
  }
  const cipher = await recogniseMessage(input, sealed.subarray(0, HEADER_LENGTH));
  try {
    checkWhole("sealed", sealed);
    const out = allocateUnsafe(plaintextLength(sealed.length));
    const chunks = sealed.subarray(HEADER_LENGTH);
    const full = Math.floor(out.length / CHUNK_LENGTH);
    try {
      cipher.openAll(0, chunks.subarray(0, full * SEALED_CHUNK_LENGTH), out);
      cipher.open(full, chunks.subarray(full * SEALED_CHUNK_LENGTH), out.subarray(full * CHUNK_LENGTH));
    } catch (error) {
      out.fill(0);
      throw error;
    }
    return out;
  } finally {
    cipher.destroy();
  }
}

function checkWhole(name: string, bytes: Uint8Array): void {
  checkBytes(name, bytes);
  refuseShared(name, bytes);
}
