/** What H alone can do (SP 800-38D, clause 7): GHASH of a message from GHASHes of its parts, and IVs for chosen counters. */
import { StateError } from "../errors.js";
import { writeLengths } from "./counter.js";
import * as gf128 from "./gf128.js";
import { BLOCK } from "./limits.js";

/**
 * The hash subkey H with its arithmetic. GHASH is a polynomial in H, so parts that were hashed from zero, each on its own,
 * combine: GHASH(X ‖ Z) = GHASH(X) · H^(blocks of Z) ⊕ GHASH(Z), where X ends at a block's edge.
 */
export class HashSubkey {
  readonly #h: Int32Array;
  readonly #factor = new Int32Array(gf128.FACTOR_WORDS);
  #inverse: Int32Array | undefined;
  /** The last power that {@link append} needed: segments are of one length but for the last. */
  #jump: { readonly blocks: number; readonly power: Int32Array } | undefined;
  #wiped = false;

  /** @param h CIPH_K(0^128), 16 bytes (clause 7.1 step 1); copied */
  constructor(h: Uint8Array) {
    this.#h = gf128.fromBytes(h);
    gf128.expandFactor(this.#h, this.#factor);
  }

  /** True for the one H under which nothing is authenticated and J0 depends on no IV; of 2^128 keys one has it. */
  get isZero(): boolean {
    return this.#h.reduce((bits, word) => bits | word, 0) === 0;
  }

  /** H, 16 bytes, which the caller clears. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.#mustLive();
    const h = new Uint8Array(BLOCK);
    gf128.toBytes(this.#h, h);
    return h;
  }

  /** Continues GHASH over `data`, its last block padded with zeros, in `y`. Plain and slow: for IVs and lengths. */
  ghash(data: Uint8Array, y: Uint8Array): void {
    this.#mustLive();
    const sum = gf128.fromBytes(y);
    const block = new Uint8Array(BLOCK);
    for (let at = 0; at < data.length; at += BLOCK) {
      block.fill(0).set(data.subarray(at, at + BLOCK));
      const words = gf128.fromBytes(block);
      for (let i = 0; i < 4; i++) sum[i] ^= words[i];
      gf128.multiply(sum, this.#factor);
    }
    gf128.toBytes(sum, y);
    sum.fill(0);
    gf128.clearScratch();
  }

  /**
   * Puts a part behind what `y` has hashed so far, in place: y ← y · H^⌈bytes/16⌉ ⊕ ghash.
   *
   * @param ghash GHASH of the part from zero
   * @param bytes the part's length
   */
  append(y: Uint8Array, ghash: Uint8Array, bytes: number): void {
    const moved = gf128.mul(gf128.fromBytes(y), this.#power(Math.ceil(bytes / BLOCK)));
    gf128.toBytes(moved, y);
    xorInto(y, ghash);
    moved.fill(0);
  }

  /**
   * Clause 7.1 steps 5 and 6, in place: the hash of padded AAD and ciphertext becomes S with the length block, and the tag
   * with the mask, T = S ⊕ CIPH_K(J0).
   *
   * @param y 16 bytes, from {@link append}
   * @param mask CIPH_K(J0), 16 bytes
   */
  hashToTag(y: Uint8Array, mask: Uint8Array, aadBytes: number, textBytes: number): void {
    const lengths = new Uint8Array(BLOCK);
    writeLengths(lengths, aadBytes, textBytes);
    this.ghash(lengths, y);
    xorInto(y, mask);
  }

  /**
   * {@link hashToTag} undone, which tells the hash of a part from the tag of a message that was only this part:
   * T = (G ⊕ lengths) · H ⊕ mask, so G = (T ⊕ mask) · H⁻¹ ⊕ lengths.
   *
   * @param tag 16 bytes
   * @param mask CIPH_K(J0) of that message
   */
  hashOfTag(tag: Uint8Array, mask: Uint8Array, aadBytes: number, textBytes: number): Uint8Array<ArrayBuffer> {
    const ghash = new Uint8Array(BLOCK);
    ghash.set(tag);
    xorInto(ghash, mask);
    const product = gf128.mul(gf128.fromBytes(ghash), this.#inverted());
    gf128.toBytes(product, ghash);
    product.fill(0);
    const lengths = new Uint8Array(BLOCK);
    writeLengths(lengths, aadBytes, textBytes);
    xorInto(ghash, lengths);
    return ghash;
  }

  /** The 16-byte IV whose J0 is the given block; see {@link gf128.ivForJ0}. H must not be zero. */
  ivForJ0(j0: Uint8Array): Uint8Array<ArrayBuffer> {
    return new Uint8Array(gf128.ivForJ0(j0, this.#inverted()));
  }

  /** Clears H and what was made of it. */
  wipe(): void {
    for (const secret of [this.#h, this.#factor, this.#inverse, this.#jump?.power]) secret?.fill(0);
    this.#inverse = undefined;
    this.#jump = undefined;
    this.#wiped = true;
  }

  /** A wiped H would send every segment to one counter block. */
  #mustLive(): void {
    if (this.#wiped) throw new StateError("the key was destroyed");
  }

  #inverted(): Int32Array {
    this.#mustLive();
    this.#inverse ??= gf128.inverse(this.#h);
    return this.#inverse;
  }

  #power(blocks: number): Int32Array {
    this.#mustLive();
    if (this.#jump?.blocks !== blocks) {
      this.#jump?.power.fill(0);
      this.#jump = { blocks, power: gf128.pow(this.#h, blocks) };
    }
    return this.#jump.power;
  }
}

/** target ← target ⊕ source, as many bytes as `source` has. */
export function xorInto(target: Uint8Array, source: Uint8Array): void {
  for (let i = 0; i < source.length; i++) target[i] ^= source[i];
}
