/** GHASH of each segment of a message, by which any segment can be verified alone. */

import { Pipeline } from "../engines/webcrypto/pipeline.js";
import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { hashAll, preCounterBlock } from "../engines/webcrypto/text.js";
import { AuthenticationError } from "../errors.js";
import { copyOf } from "../gcm/bytes.js";
import { equalTags } from "../gcm/compare.js";
import { addBlocks } from "../gcm/counter.js";
import { BLOCK } from "../gcm/limits.js";
import type { Settings } from "../webcrypto/settings.js";
import type { SealedSource } from "./sealed-source.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** Partial hashes end to end, 16 bytes each, of segments of one length. */
export interface SegmentHashes {
  /** Bytes of every segment but the last; a multiple of 16. */
  readonly segmentLength: number;
  /** Secret: who sees them can compute H. */
  readonly hashes: Bytes;
}

/** What the verification of a message may be given. */
export interface VerifyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads the whole message once, verifies its tag, and gives the hashes of its segments. Holds a few segments at a time.
 *
 * @throws AuthenticationError when the message is not authentic
 */
export async function verifyWhole(
  key: SegmentKey,
  iv: Bytes,
  aad: Bytes,
  source: SealedSource,
  settings: Settings,
  { signal, onProgress }: VerifyOptions,
): Promise<SegmentHashes> {
  const { segmentLength, inFlight, yieldAfter } = settings;
  const hashes = new Uint8Array(Math.ceil(source.size / segmentLength) * BLOCK);
  const subkey = await key.subkey();
  const j0 = await preCounterBlock(key, iv);
  const [y, mask] = await Promise.all([hashAll(key, aad), key.cipherBlock(j0)]);
  let done = 0;
  const pipeline = new Pipeline<{ ghash: Bytes; length: number }>(
    inFlight,
    yieldAfter,
    ({ ghash, length }) => {
      hashes.set(ghash, (done / segmentLength) * BLOCK);
      subkey.append(y, ghash, length);
      ghash.fill(0);
      done += length;
      onProgress?.(done, source.size);
    },
  );
  try {
    for (let at = 0; at < source.size; at += segmentLength) {
      signal?.throwIfAborted();
      const length = Math.min(segmentLength, source.size - at);
      await pipeline.add(async () => {
        const ciphertext = await source.read(at, length);
        const ghash = await key.hash(ciphertext);
        source.drop(ciphertext);
        return { ghash, length };
      });
    }
    await pipeline.drain();
    signal?.throwIfAborted();
    subkey.hashToTag(y, mask, aad.length, source.size);
    if (!equalTags(y, source.tag, source.tag.length)) throw new AuthenticationError();
    return { segmentLength, hashes };
  } catch (error) {
    await pipeline.abandon(({ ghash }) => ghash.fill(0));
    hashes.fill(0);
    throw error;
  } finally {
    mask.fill(0);
    y.fill(0);
  }
}

/**
 * Decrypts one segment whose hash is known.
 *
 * @param j0 the message's pre-counter block
 * @throws AuthenticationError, with no plaintext left, when the segment's hash is another
 */
export async function openSegment(
  key: SegmentKey,
  j0: Bytes,
  source: SealedSource,
  { segmentLength, hashes }: SegmentHashes,
  index: number,
): Promise<Bytes> {
  const offset = index * segmentLength;
  const ciphertext = await source.read(offset, Math.min(segmentLength, source.size - offset));
  // Both calls read the same bytes: nothing runs between them.
  const [plaintext, ghash] = await Promise.all([
    key.gctr(counterAt(j0, offset), ciphertext),
    key.hash(ciphertext),
  ]);
  source.drop(ciphertext);
  if (equalTags(ghash, hashes, BLOCK, index * BLOCK)) return plaintext;
  plaintext.fill(0);
  throw new AuthenticationError(`segment ${index} of the source is not what was verified: it was altered`);
}

/** The counter block of the text at `offset`, a multiple of 16. */
export function counterAt(j0: Bytes, offset: number): Bytes {
  const counter = copyOf(j0);
  addBlocks(counter, 1 + offset / BLOCK);
  return counter;
}
