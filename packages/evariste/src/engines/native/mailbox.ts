/**
 * Memory shared with the addon. Writing lengths and small inputs here and calling without arguments costs a third of
 * what passing typed arrays costs; and asking Node-API for the address of a typed array that V8 keeps on its heap (64
 * bytes and less) moves it off, which costs more than encrypting it. The layout is that of `ev_mailbox` in
 * `packages/native/src/napi/environment.h`.
 */

import { SHORT_TEXT } from "../engine.js";

/** The layout and functions that this file knows; the addon's must be the same. */
export const INTERFACE = 4;

/** Inputs up to this many bytes travel in the mailbox. */
export const SMALL = 64;

/**
 * Texts (with their tags) up to this many bytes travel there too: two copies cost less than passing two typed arrays and
 * asking both for their memory first.
 */
export const LONGEST_TEXT = SHORT_TEXT;

/** Up to here copying words costs less than a call of `set`; in bytes. */
const FEW = 24;

/** Typed arrays have the machine's byte order; the loops over words are for this one. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** In place of a length: the bytes are among the arguments. */
const IN_ARGUMENT = -1;

/** Indices into {@link Mailbox.ints}. */
export const KEY = 0;
export const KEY_GENERATION = 1;
export const STREAM = 2;
export const STREAM_GENERATION = 3;
export const IV_LENGTH = 4;
export const AAD_LENGTH = 5;
export const TEXT_LENGTH = 6;
export const TAG_LENGTH = 7;
export const DIRECTION = 8;
export const DISABLED = 9;
export const RESULT = 10;
export const GCM_KERNEL = 11;
export const GCTR_KERNEL = 12;
export const GHASH_KERNEL = 13;
export const COUNT = 14;
const INTERFACE_NUMBER = 15;

/** Offsets into {@link Mailbox.bytes}. */
export const IV = 64;
export const AAD = 128;
export const BLOCK = 192;
export const TEXT = 256;

/** What the addon exports. Typed arrays are arguments only where their length in the mailbox says so. */
export interface Addon {
  readonly mailbox: ArrayBuffer;
  createKey(): void;
  /** From H, in the block. Such a key is for `ghash` and `destroyKey`. */
  createHashKey(): void;
  destroyKey(): void;
  /** `[name, role, missing features, …]`, fastest first. */
  kernels(): string[];
  /** Fills in how often each kernel has run. */
  calls(counts: Float64Array): void;
  seal(text?: Uint8Array, out?: Uint8Array, aad?: Uint8Array, iv?: Uint8Array): void;
  open(text?: Uint8Array, out?: Uint8Array, aad?: Uint8Array, iv?: Uint8Array): void;
  /** As `open`, from the mailbox into a typed array of more than {@link SMALL} bytes. */
  openTo(text: undefined, out: Uint8Array, aad?: Uint8Array, iv?: Uint8Array): void;
  ghash(data?: Uint8Array): void;
  gctr(input?: Uint8Array, out?: Uint8Array): void;
  batch(
    ivs: Uint8Array,
    data: Uint8Array,
    offsets: Uint32Array,
    aad: Uint8Array,
    aadOffsets: Uint32Array,
    out: Uint8Array,
    verdicts: Uint8Array,
  ): void;
  /** Fresh memory that will be written whole: asks the system for large pages. */
  willFill(memory: Uint8Array): void;
  /** On another thread; until the promise settles nobody may touch the arguments. */
  segment(input: Uint8Array, out: Uint8Array, ghash: Uint8Array): Promise<void>;
  streamStart(iv?: Uint8Array): void;
  streamAad(aad?: Uint8Array): void;
  streamUpdate(chunk?: Uint8Array, out?: Uint8Array): void;
  streamFinish(): void;
  streamVerify(): void;
  streamEnd(): void;
}

/** The addon with views of its mailbox. One thread's; calls are synchronous, so nothing comes between put and call. */
export class Mailbox {
  readonly addon: Addon;
  readonly ints: Int32Array;
  readonly bytes: Uint8Array;
  /** The first n bytes of the text, for each n that was met: `set` between two views copies faster than a loop. */
  private readonly texts: (Uint8Array | undefined)[] = new Array(LONGEST_TEXT + 17);
  private readonly block: Uint8Array;

  constructor(addon: Addon) {
    this.addon = addon;
    this.ints = new Int32Array(addon.mailbox);
    this.bytes = new Uint8Array(addon.mailbox);
    this.block = this.bytes.subarray(BLOCK, BLOCK + 16);
  }

  get interface(): number {
    return this.ints[INTERFACE_NUMBER];
  }

  /**
   * Copies an input of up to {@link SMALL} bytes to `at` and its length to `lengthAt`. False when it is larger and has to be
   * an argument.
   */
  put(source: Uint8Array, at: number, lengthAt: number): boolean {
    const length = source.length;
    if (length > SMALL) {
      this.ints[lengthAt] = IN_ARGUMENT;
      return false;
    }
    this.ints[lengthAt] = length;
    this.copyIn(source, at, length);
    return true;
  }

  /** True when both are in the mailbox. */
  putHeader(iv: Uint8Array, aad: Uint8Array): boolean {
    if (iv.length !== 12 || aad.length !== 0 || !IS_LITTLE_ENDIAN) return this.putRareHeader(iv, aad);
    const { ints } = this;
    ints[IV_LENGTH] = 12;
    ints[AAD_LENGTH] = 0;
    ints[IV >> 2] = iv[0] | (iv[1] << 8) | (iv[2] << 16) | (iv[3] << 24);
    ints[(IV >> 2) + 1] = iv[4] | (iv[5] << 8) | (iv[6] << 16) | (iv[7] << 24);
    ints[(IV >> 2) + 2] = iv[8] | (iv[9] << 8) | (iv[10] << 16) | (iv[11] << 24);
    return true;
  }

  private putRareHeader(iv: Uint8Array, aad: Uint8Array): boolean {
    const ivInside = this.put(iv, IV, IV_LENGTH);
    return this.put(aad, AAD, AAD_LENGTH) && ivInside;
  }

  /** False when the text is too large and has to be an argument. */
  putText(text: Uint8Array): boolean {
    const { ints } = this;
    const length = text.length;
    if (length > LONGEST_TEXT) {
      ints[TEXT_LENGTH] = IN_ARGUMENT;
      return false;
    }
    ints[TEXT_LENGTH] = length;
    this.copyIn(text, TEXT, length);
    return true;
  }

  /** `at` is a multiple of 4. */
  private copyIn(source: Uint8Array, at: number, length: number): void {
    const { ints, bytes } = this;
    if (length > FEW || !IS_LITTLE_ENDIAN) {
      bytes.set(source, at);
      return;
    }
    let i = 0;
    // A whole block at once: the loop's own steps would cost as much as the copying.
    if (length >= 16) {
      const word = at >> 2;
      ints[word] = source[0] | (source[1] << 8) | (source[2] << 16) | (source[3] << 24);
      ints[word + 1] = source[4] | (source[5] << 8) | (source[6] << 16) | (source[7] << 24);
      ints[word + 2] = source[8] | (source[9] << 8) | (source[10] << 16) | (source[11] << 24);
      ints[word + 3] = source[12] | (source[13] << 8) | (source[14] << 16) | (source[15] << 24);
      i = 16;
    }
    for (; i < length; i++) bytes[at + i] = source[i];
  }

  private firstOfText(length: number): Uint8Array {
    const known = this.texts[length];
    if (known !== undefined) return known;
    const text = this.bytes.subarray(TEXT, TEXT + length);
    this.texts[length] = text;
    return text;
  }

  /** Copies ciphertext and tag to the start of `target`. */
  takeSealed(target: Uint8Array, length: number): void {
    target.set(this.firstOfText(length));
  }

  /** Copies what may be plaintext to the start of `target`, and clears it here. */
  takeText(target: Uint8Array, length: number): void {
    if (length !== 16 || !IS_LITTLE_ENDIAN) {
      const text = this.firstOfText(length);
      target.set(text);
      text.fill(0);
      return;
    }
    const { ints } = this;
    for (let i = 0; i < 16; i += 4) {
      const word = ints[(TEXT + i) >> 2];
      target[i] = word;
      target[i + 1] = word >> 8;
      target[i + 2] = word >> 16;
      target[i + 3] = word >> 24;
      ints[(TEXT + i) >> 2] = 0;
    }
  }

  /** A tag, a counter block, a state of GHASH or H, of up to 16 bytes. */
  putBlock(source: Uint8Array): void {
    this.bytes.set(source, BLOCK);
  }

  /** Copies the block to all of `target`, and clears it here. */
  takeBlock(target: Uint8Array): void {
    for (let i = 0; i < target.length; i++) target[i] = this.block[i];
    this.block.fill(0);
  }
}
