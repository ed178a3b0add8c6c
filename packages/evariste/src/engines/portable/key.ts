/** A key of the portable engine: GCM-AE and GCM-AD (SP 800-38D, clause 7) over this folder's GCTR and GHASH. */

import { load32, store32 } from "../../gcm/bytes.js";
import { equalTags } from "../../gcm/compare.js";
import { clearScratch, expandFactor, FACTOR_WORDS } from "../../gcm/gf128.js";
import type { Direction, EngineKey, EngineStream } from "../engine.js";
import { IncrementalGcm } from "../incremental.js";
import {
  type AesKey,
  clearKeystream,
  createAesKey,
  fillKeystream,
  keystream,
  MAX_BLOCKS,
  wipeAesKey,
} from "./aes.js";
import { gctr, xorKeystream } from "./gctr.js";
import { absorb, absorbLengths } from "./ghash.js";

/** The routines of this engine: there is one of each, so none can be switched off. */
export const GCTR_KERNEL = "gctr_bitsliced";
export const GHASH_KERNEL = "ghash_ctmul";

/** How often each routine has run. */
export const calls = { [GCTR_KERNEL]: 0, [GHASH_KERNEL]: 0 };

// Scratch of the call in progress: nothing here is asynchronous, so one set is enough for all keys.
const y = new Int32Array(4);
const prefix = new Int32Array(3);
const tagMask = new Int32Array(4);
const computed = new Uint8Array(16);

/** That scratch, for tests that look whether it is clear. */
export const scratch: readonly (Int32Array | Uint8Array)[] = [y, prefix, tagMask, computed];

/** See {@link EngineKey}. */
export class PortableKey implements EngineKey {
  readonly kernel = `${GCTR_KERNEL}+${GHASH_KERNEL}`;
  readonly #aes: AesKey;
  readonly #factor = new Int32Array(FACTOR_WORDS);

  /** @param rawKey 16, 24 or 32 bytes; not kept */
  constructor(rawKey: Uint8Array) {
    this.#aes = createAesKey(rawKey);
    prefix.fill(0);
    fillKeystream(this.#aes, prefix, 0, 1);
    expandFactor(keystream.subarray(0, 4), this.#factor);
    clearKeystream();
  }

  seal(iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array, out: Uint8Array, tagLength: number): void {
    const length = plaintext.length;
    const counter = this.#beginText(iv, length);
    this.#hashAad(aad);
    this.#cryptText(counter, plaintext, out, length);
    this.#computeTag(aad.length, out, length);
    for (let i = 0; i < tagLength; i++) out[length + i] = computed[i];
    clear();
  }

  open(iv: Uint8Array, aad: Uint8Array, sealed: Uint8Array, out: Uint8Array, tagLength: number): boolean {
    const length = sealed.length - tagLength;
    const counter = this.#beginText(iv, length);
    this.#hashAad(aad);
    this.#computeTag(aad.length, sealed, length);
    const authentic = equalTags(computed, sealed, tagLength, length);
    if (authentic) this.#cryptText(counter, sealed, out, length);
    else out.fill(0, 0, length);
    clear();
    return authentic;
  }

  start(iv: Uint8Array, direction: Direction): EngineStream {
    return new IncrementalGcm(this, iv, direction);
  }

  ghash(data: Uint8Array, state: Uint8Array): void {
    calls[GHASH_KERNEL]++;
    for (let i = 0; i < 4; i++) y[i] = load32(state, 4 * i);
    absorb(y, this.#factor, data, 0, data.length);
    for (let i = 0; i < 4; i++) store32(state, 4 * i, y[i]);
    y.fill(0);
    clearScratch();
  }

  gctr(icb: Uint8Array, input: Uint8Array, out: Uint8Array): void {
    calls[GCTR_KERNEL]++;
    for (let i = 0; i < 3; i++) prefix[i] = load32(icb, 4 * i);
    gctr(this.#aes, prefix, load32(icb, 12), input, 0, out, 0, input.length);
    prefix.fill(0);
    clearKeystream();
  }

  wipe(): void {
    wipeAesKey(this.#aes);
    this.#factor.fill(0);
  }

  /**
   * Derives J0 and encrypts it together with the first counter blocks, which costs nothing more: the keystream then
   * holds E(J0) and up to 7 blocks for the text. Returns J0's counter.
   */
  #beginText(iv: Uint8Array, length: number): number {
    calls[GCTR_KERNEL]++;
    calls[GHASH_KERNEL]++;
    let counter = 1;
    if (iv.length === 12) {
      for (let i = 0; i < 3; i++) prefix[i] = load32(iv, 4 * i);
    } else {
      y.fill(0);
      absorb(y, this.#factor, iv, 0, iv.length);
      absorbLengths(y, this.#factor, 0, iv.length);
      for (let i = 0; i < 3; i++) prefix[i] = y[i];
      counter = y[3];
    }
    fillKeystream(this.#aes, prefix, counter, Math.min(1 + Math.ceil(length / 16), MAX_BLOCKS));
    for (let i = 0; i < 4; i++) tagMask[i] = keystream[i];
    return counter;
  }

  /** GCTR from inc32(J0): its first 7 blocks from the keystream at hand. */
  #cryptText(counter: number, input: Uint8Array, out: Uint8Array, length: number): void {
    const first = Math.min(length, 16 * (MAX_BLOCKS - 1));
    xorKeystream(4, input, 0, out, 0, first);
    gctr(this.#aes, prefix, (counter + MAX_BLOCKS) | 0, input, first, out, first, length - first);
  }

  /** Before any output: `out` may lie over the AAD. */
  #hashAad(aad: Uint8Array): void {
    y.fill(0);
    absorb(y, this.#factor, aad, 0, aad.length);
  }

  /** The tag, once the AAD is hashed, over the first `length` bytes of `text`, the ciphertext; into `computed`. */
  #computeTag(aadLength: number, text: Uint8Array, length: number): void {
    absorb(y, this.#factor, text, 0, length);
    absorbLengths(y, this.#factor, aadLength, length);
    for (let i = 0; i < 4; i++) store32(computed, 4 * i, y[i] ^ tagMask[i]);
  }
}

/** Clears everything that the last call worked on. */
function clear(): void {
  for (let i = 0; i < 4; i++) {
    y[i] = 0;
    tagMask[i] = 0;
    store32(computed, 4 * i, 0);
  }
  for (let i = 0; i < 3; i++) prefix[i] = 0;
  clearKeystream();
  clearScratch();
}
