/**
 * The engine contract. An engine is one complete AES-GCM (NIST SP 800-38D), so that a message costs one crossing
 * of the JavaScript boundary. Engines get checked inputs only: IV and tag lengths, message limits, overlap, shared
 * and detached buffers and the release rule are the business of `aes-gcm.ts`, once for all engines.
 */

/** The synchronous engines. Which one runs what is {@link file://./thresholds.ts}. */
export type EngineName = "native" | "openssl" | "wasm" | "portable";

/** Which way a message goes: GCM-AE (clause 7.1) or GCM-AD (clause 7.2). */
export type Direction = "encrypt" | "decrypt";

/** The operation a kernel implements. A `gcm` kernel is GCTR and GHASH woven into one loop. */
export type KernelRole = "aes" | "gctr" | "ghash" | "gcm";

/** What `engines()` says of one CPU-specific routine. */
export interface KernelReport {
  readonly name: string;
  readonly role: KernelRole;
  /** The machine can run it, and nobody switched it off. */
  readonly available: boolean;
  /** New keys use it. */
  readonly chosen: boolean;
  /** Why it is not available; absent when it is. */
  readonly reason?: string;
}

/** Inputs up to this size, in bytes, may live on V8's heap: see {@link Engine.copiesUpTo}. */
export const SMALL_INPUT = 64;

/** Texts up to this size, in bytes and with their tags, may lie in shared memory: they are copied. */
export const SHORT_TEXT = 1040;

/** One complete way of running AES-GCM. */
export interface Engine {
  readonly name: EngineName;
  /**
   * `seal` and `open` read a text (with its tag) of at most so many bytes once, before anything is written, and write
   * plaintext only after its tag was verified; so neither overlap nor another thread can matter, and `aes-gcm.ts` does not
   * ask for `.buffer`, which costs a quarter of such a message and moves an array of up to {@link SMALL_INPUT} bytes off V8's
   * heap. At least {@link SMALL_INPUT}, or 0.
   */
  readonly copiesUpTo: number;
  /** The same of the pieces of an {@link EngineStream}, but for the tag, which no piece waits for. */
  readonly streamsCopyUpTo: number;
  /**
   * Kernels of this engine, fastest first; for each role the first available one is chosen. The plain kernel is the
   * last entry of the same list and cannot be switched off.
   *
   * @param disabled names of kernels to leave out
   */
  kernels(disabled: ReadonlySet<string>): readonly KernelReport[];
  /**
   * Expands a key of 16, 24 or 32 bytes once. The engine copies what it needs; the caller may wipe `rawKey` afterwards.
   *
   * @param disabled names of kernels that this key must not use
   */
  createKey(rawKey: Uint8Array, disabled: ReadonlySet<string>): EngineKey;
  /**
   * A key of H alone, 16 bytes, which is copied: WebCrypto keeps the rest to itself. Of engines that hash faster than WebCrypto.
   */
  createHashKey?(h: Uint8Array, disabled: ReadonlySet<string>): HashKey;
  /** How often each kernel has run in this process, by name: tests prove with it which one a message took. */
  kernelCalls?(): Readonly<Record<string, number>>;
}

/**
 * An expanded key: the AES schedule, H and what the kernels derive from H.
 *
 * Buffers: `out` is either the very memory of the input (same start) or does not overlap it. Inputs are never
 * modified unless `out` is the same memory. `iv` and `aad` are read whole before anything is written. Lengths are
 * bytes. No method may be called after `wipe()`.
 */
export interface EngineKey {
  /** The kernels that this key runs, as one word for people: `gcm_vaes_avx2`, or `gctr_aesni+ghash_clmul`. */
  readonly kernel: string;
  /**
   * GCM-AE, clause 7.1, on a whole message: writes ciphertext and then the tag to the start of `out`, which holds at
   * least `plaintext.length + tagLength` bytes.
   */
  seal(iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array, out: Uint8Array, tagLength: number): void;
  /**
   * GCM-AD, clause 7.2, on a whole message. `sealed` is ciphertext then tag, so that a small message needs no view
   * objects. Returns false when the tag is wrong; then the plaintext's bytes in `out` are all zero, in place too.
   */
  open(iv: Uint8Array, aad: Uint8Array, sealed: Uint8Array, out: Uint8Array, tagLength: number): boolean;
  /**
   * As {@link open}, into memory that nobody else has; null when the tag is wrong. For engines whose platform allocates the
   * plaintext itself, so that it need not be copied.
   */
  openFresh?(
    iv: Uint8Array,
    aad: Uint8Array,
    sealed: Uint8Array,
    tagLength: number,
  ): Uint8Array<ArrayBuffer> | null;
  /**
   * Begins a message that comes in pieces, with a tag of `tagLength` bytes. Streams of one key are independent.
   */
  start(iv: Uint8Array, direction: Direction, tagLength: number): EngineStream;
  /**
   * GHASH, clause 6.4, continued: absorbs `data`, its last block padded with zeros, into the 16-byte state `y` in place.
   * Starting from zero on whole blocks this is GHASH_H(data).
   */
  ghash(data: Uint8Array, y: Uint8Array): void;
  /** GCTR, clause 6.5: `out` = `input` XOR the keystream that starts at the 16-byte block `icb` (inc32: 32-bit wrap). */
  gctr(icb: Uint8Array, input: Uint8Array, out: Uint8Array): void;
  /**
   * Many messages under this key in one crossing; engines without it are looped over by `engines/batch.ts`.
   * Returns the number of failed messages (always 0 when sealing).
   */
  batch?(job: BatchJob): number;
  /**
   * Says that `memory`, large and fresh from the system, is about to be written whole. Changes nothing but the time that its
   * first write takes.
   */
  willFill?(memory: Uint8Array): void;
  /**
   * One segment of a message on another thread of the engine's own: GCTR from `icb`, and GHASH from zero over the
   * segment's ciphertext, which the promise brings (16 bytes). Until it settles nobody may touch `input` or `out`, or
   * wipe the key. Engines without it are run in workers by `parallel/`.
   */
  segment?(direction: Direction, icb: Uint8Array, input: Uint8Array, out: Uint8Array): Promise<Uint8Array>;
  /** Overwrites the schedule, H and its powers. Streams of this key die with it. */
  wipe(): void;
}

/** H and what the kernels derive from it. */
export type HashKey = Pick<EngineKey, "ghash" | "wipe">;

/** A message in pieces of any length, in the order `aad`*, `update`*, then `finish` or `verify`, once. */
export interface EngineStream {
  /** Absorbs a piece of the additional authenticated data. */
  aad(chunk: Uint8Array): void;
  /** Encrypts or decrypts a piece: writes exactly `chunk.length` bytes to the start of `out`. */
  update(chunk: Uint8Array, out: Uint8Array): void;
  /** Encryption: writes the first `tag.length` bytes of the tag (clause 7.1 step 6: MSB_t). */
  finish(tag: Uint8Array): void;
  /** Decryption: compares `tag` with the computed one in constant time. */
  verify(tag: Uint8Array): boolean;
  /** Clears the state. Called on every path, also after `finish` and `verify`. */
  wipe(): void;
}

/** Messages packed end to end, checked: see `AesGcm.encryptBatch` for what a caller gives. */
export interface BatchJob {
  readonly direction: Direction;
  /** Number of messages. */
  readonly count: number;
  /** IV of message i: `ivs[i * ivLength … (i + 1) * ivLength)`. */
  readonly ivs: Uint8Array;
  readonly ivLength: number;
  /** Input of message i: `data[offsets[i] … offsets[i + 1])`; for decryption with its tag at the end. */
  readonly data: Uint8Array;
  /** `count + 1` entries, never decreasing, none above `data.length`. */
  readonly offsets: Uint32Array;
  /** AAD of message i: `aad[aadOffsets[i] … aadOffsets[i + 1])`. */
  readonly aad: Uint8Array;
  /** Absent: no message has AAD. */
  readonly aadOffsets: Uint32Array | undefined;
  readonly tagLength: number;
  /** Outputs end to end. */
  readonly out: Uint8Array;
  /** Where they are: message i is `out[outOffsets[i] … outOffsets[i + 1])`. */
  readonly outOffsets: Uint32Array;
  /** Decryption: `verdicts[i]` becomes 1 when message i is authentic, else 0 and its plaintext is zero. */
  readonly verdicts: Uint8Array;
}
