/** The counters and the tag of a message that is processed in segments of any order. */

import type { EngineKey } from "../engines/engine.js";
import { cipherBlock, hashSubkeyOf } from "../engines/run-segment.js";
import { copyOf } from "../gcm/bytes.js";
import { addBlocks, deriveJ0 } from "../gcm/counter.js";
import { HashSubkey } from "../gcm/hash-subkey.js";
import { BLOCK } from "../gcm/limits.js";

/** One message under one key, in segments of one length. */
export class SegmentedMessage {
  readonly #key: EngineKey;
  readonly #j0 = new Uint8Array(BLOCK);
  readonly #subkey: HashSubkey;
  readonly #partial: Uint8Array[] = [];
  readonly #segmentLength: number;
  readonly #aadLength: number;
  /** GHASH of the AAD, at once: the caller's array may change before the text is done. */
  readonly #aadHash = new Uint8Array(BLOCK);

  /** @param segmentLength bytes of every segment but the last; a multiple of 16 */
  constructor(key: EngineKey, iv: Uint8Array, aad: Uint8Array, segmentLength: number) {
    this.#key = key;
    this.#segmentLength = segmentLength;
    this.#aadLength = aad.length;
    key.ghash(aad, this.#aadHash);
    deriveJ0((data, y) => key.ghash(data, y), iv, this.#j0);
    const h = hashSubkeyOf(key);
    this.#subkey = new HashSubkey(h);
    h.fill(0);
  }

  /** The first counter block of segment `index`: inc32(J0), moved on by the blocks before it. */
  counterOf(index: number): Uint8Array<ArrayBuffer> {
    const icb = copyOf(this.#j0);
    addBlocks(icb, 1 + (index * this.#segmentLength) / BLOCK);
    return icb;
  }

  /** Takes the GHASH of segment `index`. */
  put(index: number, ghash: Uint8Array): void {
    this.#partial[index] = ghash;
  }

  /**
   * Clause 7.1 steps 5 and 6, from the segments' hashes.
   *
   * @returns 16 bytes
   */
  tag(textLength: number): Uint8Array<ArrayBuffer> {
    const tag = copyOf(this.#aadHash);
    this.#partial.forEach((ghash, index) => {
      const rest = textLength - index * this.#segmentLength;
      this.#subkey.append(tag, ghash, Math.min(rest, this.#segmentLength));
    });
    const mask = cipherBlock(this.#key, this.#j0);
    this.#subkey.hashToTag(tag, mask, this.#aadLength, textLength);
    mask.fill(0);
    return tag;
  }

  /** Clears H and the partial hashes. */
  wipe(): void {
    for (const ghash of this.#partial) ghash?.fill(0);
    this.#subkey.wipe();
    this.#aadHash.fill(0);
    this.#j0.fill(0);
  }
}
