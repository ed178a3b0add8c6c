/**
 * Memory shared with the addon. Writing lengths and small inputs here and calling without arguments costs a third of
 * what passing typed arrays costs; and asking Node-API for the address of a typed array that V8 keeps on its heap (64
 * bytes and less) moves it off, which costs more than encrypting it. The layout is that of `ev_mailbox` in
 * `packages/native/src/napi/environment.h`.
 */

/** The layout and functions that this file knows; the addon's must be the same. */
export const INTERFACE = 1;

/** Inputs up to this many bytes travel in the mailbox. */
export const SMALL = 64;

/** Up to here a loop over words copies faster than a call of `set`; in bytes. */
const FEW = 32;

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
export const TEXT = 192;
export const BLOCK = 272;

/** What the addon exports. Typed arrays are arguments only where their length in the mailbox says so. */
export interface Addon {
  readonly mailbox: ArrayBuffer;
  createKey(): void;
  destroyKey(): void;
  /** `[name, role, missing features, …]`, fastest first. */
  kernels(): string[];
  /** Fills in how often each kernel has run. */
  calls(counts: Float64Array): void;
  seal(text?: Uint8Array, out?: Uint8Array, aad?: Uint8Array, iv?: Uint8Array): void;
  open(text?: Uint8Array, out?: Uint8Array, aad?: Uint8Array, iv?: Uint8Array): void;
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
  /** The first n bytes of the text, for each n: `set` between two views copies faster than a loop. */
  private readonly texts: readonly Uint8Array[];
  private readonly block: Uint8Array;
  /** The same memory, to clear it by eight bytes: on so few, `fill` costs as much as the cipher. */
  private readonly words: Float64Array;

  constructor(addon: Addon) {
    this.addon = addon;
    this.ints = new Int32Array(addon.mailbox);
    this.bytes = new Uint8Array(addon.mailbox);
    this.texts = Array.from({ length: SMALL + 17 }, (_, n) => this.bytes.subarray(TEXT, TEXT + n));
    this.words = new Float64Array(addon.mailbox);
    this.block = this.bytes.subarray(BLOCK, BLOCK + 16);
  }

  get interface(): number {
    return this.ints[INTERFACE_NUMBER];
  }

  /**
   * Copies an input of up to `limit` bytes to `at` and its length to `lengthAt`. False when it is larger and has to be
   * an argument.
   */
  put(source: Uint8Array, at: number, lengthAt: number, limit = SMALL): boolean {
    const length = source.length;
    if (length > limit) {
      this.ints[lengthAt] = IN_ARGUMENT;
      return false;
    }
    this.ints[lengthAt] = length;
    if (length <= FEW && IS_LITTLE_ENDIAN) this.copyFew(source, at, length);
    else this.bytes.set(source, at);
    return true;
  }

  /** `at` is a multiple of 4. */
  private copyFew(source: Uint8Array, at: number, length: number): void {
    const { ints, bytes } = this;
    let i = 0;
    for (; i + 4 <= length; i += 4) {
      ints[(at + i) >> 2] = source[i] | (source[i + 1] << 8) | (source[i + 2] << 16) | (source[i + 3] << 24);
    }
    for (; i < length; i++) bytes[at + i] = source[i];
  }

  /** Copies ciphertext and tag to the start of `target`. */
  takeSealed(target: Uint8Array, length: number): void {
    target.set(this.texts[length]);
  }

  /** Copies what may be plaintext to the start of `target`, and clears it here. */
  takeText(target: Uint8Array, length: number): void {
    target.set(this.texts[length]);
    const end = (TEXT + length + 7) >> 3;
    for (let i = TEXT >> 3; i < end; i++) this.words[i] = 0;
  }

  /** A tag, a counter block or a state of GHASH, of up to 16 bytes. */
  putBlock(source: Uint8Array): void {
    this.bytes.set(source, BLOCK);
  }

  /** Copies the block to all of `target`, and clears it here. */
  takeBlock(target: Uint8Array): void {
    for (let i = 0; i < target.length; i++) target[i] = this.block[i];
    this.block.fill(0);
  }
}
