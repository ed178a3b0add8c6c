/**
 * What asynchronous messages are built from: a key that encrypts and hashes one segment at a time, from any counter block.
 * WebCrypto is one ({@link file://./platform-key.ts}), the synchronous engines are another ({@link file://./sync-key.ts}).
 */

import type { HashSubkey } from "../../gcm/hash-subkey.js";

/** A segment that was encrypted. */
export interface SealedSegment {
  /** As many bytes as the input had, in memory that holds nothing else of value. */
  readonly output: Uint8Array<ArrayBuffer>;
  /**
   * GHASH of the ciphertext from zero, 16 bytes.
   *
   * @param before CIPH_K of the counter block before the segment's first
   */
  hash(before: Uint8Array): Uint8Array<ArrayBuffer>;
}

/**
 * A key, asynchronously. Lengths are bytes. Every method reads its inputs before it returns its promise, so they may
 * change afterwards, once {@link SegmentKey.subkey} was awaited. H and the results of {@link SegmentKey.cipherBlock} and `hash` are secrets of the library.
 */
export interface SegmentKey {
  /** How it runs, for people: `webcrypto`, or the name of a synchronous engine. */
  readonly engine: string;
  /** H with its arithmetic; made at the first use, wiped by {@link SegmentKey.destroy}. */
  subkey(): Promise<HashSubkey>;
  /** CIPH_K of a block: the mask of a tag. */
  cipherBlock(block: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** GCTR from the counter block `icb`, and GHASH of what it gives. */
  encrypt(icb: Uint8Array, plaintext: Uint8Array): Promise<SealedSegment>;
  /** GCTR alone. */
  gctr(icb: Uint8Array, input: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** GHASH of `data` from zero, its last block padded with zeros. */
  hash(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** Wipes what the key made. What is under way may fail. */
  destroy(): void;
}
