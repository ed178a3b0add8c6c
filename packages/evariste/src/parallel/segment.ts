/** One segment of a message, and how segments make one tag. */
import type { Direction, EngineKey } from "../engines/engine.js";
import { addBlocks, deriveJ0, writeLengths } from "../gcm/counter.js";
import * as gf128 from "../gcm/gf128.js";
import { BLOCK } from "../gcm/limits.js";

/** GCTR from `icb`, and GHASH from zero over the ciphertext: what `EngineKey.segment` does, on the calling thread. */
export function runSegment(
  key: EngineKey,
  direction: Direction,
  icb: Uint8Array,
  input: Uint8Array,
  out: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const y = new Uint8Array(BLOCK);
  if (direction === "decrypt") key.ghash(input, y);
  key.gctr(icb, input, out);
  if (direction === "encrypt") key.ghash(out.subarray(0, input.length), y);
  return y;
}

/** The counters and the tag of one message that is processed in segments of any order. */
export class SegmentedMessage {
  readonly #key: EngineKey;
  readonly #j0 = new Uint8Array(BLOCK);
  readonly #h: Int32Array;
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
    // H = CIPH_K(0^128), clause 7.1 step 1: the keystream block of the counter zero.
    const h = new Uint8Array(BLOCK);
    key.gctr(h, h.slice(), h);
    this.#h = gf128.fromBytes(h);
    h.fill(0);
  }

  /** The first counter block of segment `index`: inc32(J0), moved on by the blocks before it. */
  counterOf(index: number): Uint8Array<ArrayBuffer> {
    const icb = this.#j0.slice();
    addBlocks(icb, 1 + (index * this.#segmentLength) / BLOCK);
    return icb;
  }

  /** Takes the GHASH of segment `index`. */
  put(index: number, ghash: Uint8Array): void {
    this.#partial[index] = ghash;
  }

  /**
   * Clause 7.1 steps 5 and 6. GHASH is a polynomial in H, so S over the whole text is
   * (… (S_aad · H^m₁ ⊕ G₁) · H^m₂ ⊕ G₂ …) for segments of m₁, m₂, … blocks.
   *
   * @returns 16 bytes
   */
  tag(textLength: number): Uint8Array<ArrayBuffer> {
    const y = this.#aadHash.slice();
    const last = this.#partial.length - 1;
    const jump = gf128.pow(this.#h, this.#segmentLength / BLOCK);
    const lastJump = gf128.pow(this.#h, Math.ceil((textLength - last * this.#segmentLength) / BLOCK));
    this.#partial.forEach((ghash, index) => {
      gf128.toBytes(gf128.mul(gf128.fromBytes(y), index === last ? lastJump : jump), y);
      for (let i = 0; i < BLOCK; i++) y[i] ^= ghash[i];
    });
    const lengths = new Uint8Array(BLOCK);
    writeLengths(lengths, this.#aadLength, textLength);
    this.#key.ghash(lengths, y);
    const tag = new Uint8Array(BLOCK);
    this.#key.gctr(this.#j0, y, tag);
    for (const secret of [y, jump, lastJump]) secret.fill(0);
    return tag;
  }

  /** Clears H and the partial hashes. */
  wipe(): void {
    for (const ghash of this.#partial) ghash?.fill(0);
    this.#h.fill(0);
    this.#aadHash.fill(0);
    this.#j0.fill(0);
  }
}
