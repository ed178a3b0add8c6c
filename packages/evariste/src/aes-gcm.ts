/**
 * AES-GCM, NIST SP 800-38D. This file checks what callers give, once for all engines (sizes, limits, overlap, shared
 * memory, the rule that plaintext is released only after its tag), and hands checked inputs to an engine.
 */
import * as batch from "./batch.js";
import {
  checkAadLength,
  checkBytes,
  checkIv,
  checkKey,
  checkOut,
  checkTagLength,
  checkTextLength,
  EMPTY,
} from "./checks.js";
import { DISPOSE } from "./dispose.js";
import type { EngineKey, EngineName } from "./engines/engine.js";
import { KeyRing } from "./engines/key-ring.js";
import { AuthenticationError } from "./errors.js";
import { GcmDecryptor, GcmEncryptor } from "./incremental.js";
import { announce, OutputPool } from "./output-pool.js";
import { refuseShared, separate, unshared } from "./views.js";

/** How an {@link AesGcm} is made. */
export interface AesGcmOptions {
  /** Tag length in bytes, 12 to 16 (default 16); 4 and 8 need {@link allowShortTags}. */
  tagLength?: number | undefined;
  /** Allows tags of 4 and 8 bytes: read appendix C of the standard first. */
  allowShortTags?: boolean | undefined;
  /** Runs everything on this engine; for tests and measurements. Throws when it is not available. */
  engine?: EngineName | undefined;
  /** Kernels that this key must not use, by name; for tests and measurements. */
  disable?: Iterable<string> | undefined;
}

/** What belongs to one message besides its IV and text. */
export interface MessageOptions {
  /** Additional authenticated data: authenticated, not encrypted, not part of the output. Default: none. */
  aad?: Uint8Array | undefined;
}

/**
 * One AES key in Galois/Counter Mode. The key's length chooses AES-128, AES-192 or AES-256.
 *
 * An IV must never be used for two messages under one key: that gives away the XOR of the plaintexts and the
 * authentication key. `Sealer` chooses IVs itself; `XAesGcm` makes random ones safe.
 *
 * @example
 * const gcm = new AesGcm(key);
 * const sealed = gcm.encrypt(iv, plaintext, { aad: header }); // ciphertext, then tag
 * const plain = gcm.decrypt(iv, sealed, { aad: header }); // or throws AuthenticationError
 */
export class AesGcm {
  readonly #keys: KeyRing;
  readonly #tagLength: number;
  readonly #sealedPool = new OutputPool();
  readonly #plainPool = new OutputPool();

  /**
   * @param key 16, 24 or 32 bytes; copied, so the caller may wipe it
   * @throws TypeError, RangeError for a key or option that is not allowed, Error when `engine` is not available
   */
  constructor(key: Uint8Array, options: AesGcmOptions = {}) {
    const { allowShortTags, engine, disable } = options;
    const tagLength = options.tagLength ?? 16;
    checkKey(key);
    checkTagLength(tagLength, allowShortTags === true);
    this.#tagLength = tagLength;
    this.#keys = new KeyRing(key, engine, disable);
  }

  /** Name of the engine; `small+large` where message size decides between two. */
  get engine(): string {
    return this.#keys.engine;
  }

  /** Name of the kernel, as `engines()` lists it; `small+large` where message size decides between two engines. */
  get kernel(): string {
    return this.#keys.kernel;
  }

  /** Length of this key's tags in bytes. */
  get tagLength(): number {
    return this.#tagLength;
  }

  /**
   * GCM-AE, clause 7.1.
   *
   * @param iv 1 to 2^32 bytes, never used before under this key; 12 is best
   * @param plaintext at most 2^36 − 32 bytes
   * @returns ciphertext ‖ tag, `plaintext.length + tagLength` bytes
   * @throws TypeError, RangeError, StateError
   */
  encrypt(iv: Uint8Array, plaintext: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    const aad = options === undefined ? EMPTY : checkedAad(options);
    if (this.#isOrdinary(iv, plaintext)) {
      const key = this.#keys.for(plaintext.length);
      const out = this.#sealedPool.take(plaintext.length + this.#tagLength);
      key.seal(iv, aad, plaintext, out, this.#tagLength);
      return out;
    }
    this.#checkPlaintext(iv, plaintext);
    const key = this.#keys.for(plaintext.length);
    // New memory overlaps nothing.
    const out = this.#sealedPool.take(plaintext.length + this.#tagLength);
    announce(key, out);
    this.#seal(key, iv, aad, plaintext, this.#unshared("plaintext", plaintext), out);
    return out;
  }

  /**
   * GCM-AD, clause 7.2.
   *
   * @param sealed ciphertext ‖ tag
   * @returns the plaintext, `sealed.length - tagLength` bytes
   * @throws AuthenticationError when the message is not authentic, also when it is shorter than a tag
   * @throws TypeError, RangeError, StateError
   */
  decrypt(iv: Uint8Array, sealed: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    const aad = checkedAad(options);
    const length = this.#checkSealed(iv, sealed);
    const key = this.#keys.for(length);
    if (key.openFresh === undefined) {
      const out = this.#plainPool.take(length);
      announce(key, out);
      this.#open(key, iv, aad, sealed, out, length);
      return out;
    }
    const plaintext = key.openFresh(iv, aad, this.#unshared("sealed", sealed), this.#tagLength);
    if (plaintext === null) throw new AuthenticationError();
    return plaintext;
  }

  /**
   * As {@link encrypt}, into the caller's memory, without allocating.
   *
   * @param out at least `plaintext.length + tagLength` bytes; may start where `plaintext` starts (in place); any other
   *   overlap gives the same bytes by way of a copy
   * @returns how many bytes were written to the start of `out`
   */
  encryptInto(iv: Uint8Array, plaintext: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    const aad = options === undefined ? EMPTY : checkedAad(options);
    if (this.#isOrdinary(iv, plaintext) && out instanceof Uint8Array) {
      const written = plaintext.length + this.#tagLength;
      if (out.length >= written) {
        this.#keys.for(plaintext.length).seal(iv, aad, plaintext, out, this.#tagLength);
        return written;
      }
    }
    this.#checkPlaintext(iv, plaintext);
    const written = plaintext.length + this.#tagLength;
    checkOut(out, written);
    const key = this.#keys.for(plaintext.length);
    if (plaintext.length <= this.#keys.copiesUpTo) key.seal(iv, aad, plaintext, out, this.#tagLength);
    else this.#seal(key, iv, aad, plaintext, separate("plaintext", plaintext, out, written), out);
    return written;
  }

  /**
   * As {@link decrypt}, into the caller's memory, without allocating. When the message is not authentic, the bytes of
   * `out` that would have held plaintext are zero, in place too.
   *
   * @param out at least `sealed.length - tagLength` bytes; may start where `sealed` starts (in place); any other overlap
   *   gives the same bytes by way of a copy
   * @returns how many bytes were written to the start of `out`
   */
  decryptInto(iv: Uint8Array, sealed: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    const aad = options === undefined ? EMPTY : checkedAad(options);
    if (this.#isOrdinary(iv, sealed) && out instanceof Uint8Array) {
      const written = sealed.length - this.#tagLength;
      if (written > 0 && out.length >= written) {
        const authentic = this.#keys.for(written).open(iv, aad, sealed, out, this.#tagLength);
        if (!authentic) throw new AuthenticationError();
        return written;
      }
    }
    const written = this.#checkSealed(iv, sealed);
    checkOut(out, written);
    this.#open(this.#keys.for(written), iv, aad, sealed, out, written);
    return written;
  }

  /** @param input `plaintext` or a copy of it, which is cleared */
  #seal(
    key: EngineKey,
    iv: Uint8Array,
    aad: Uint8Array,
    plaintext: Uint8Array,
    input: Uint8Array,
    out: Uint8Array,
  ): void {
    try {
      key.seal(iv, aad, input, out, this.#tagLength);
    } finally {
      if (input !== plaintext) input.fill(0);
    }
  }

  #open(
    key: EngineKey,
    iv: Uint8Array,
    aad: Uint8Array,
    sealed: Uint8Array,
    out: Uint8Array,
    written: number,
  ): void {
    const isCopied = sealed.length <= this.#keys.copiesUpTo;
    const input = isCopied ? sealed : separate("sealed", sealed, out, written);
    let authentic = false;
    try {
      authentic = key.open(iv, aad, input, out, this.#tagLength);
    } catch (error) {
      // Out of memory in the middle, say: what is there was not verified.
      out.fill(0, 0, written);
      throw error;
    }
    if (!authentic) throw new AuthenticationError();
  }

  #checkPlaintext(iv: Uint8Array, plaintext: Uint8Array): void {
    checkIv(iv);
    checkBytes("plaintext", plaintext);
    checkTextLength(plaintext.length);
  }

  /** @returns the length of the text in `sealed` */
  #checkSealed(iv: Uint8Array, sealed: Uint8Array): number {
    if (!this.#isOrdinary(iv, sealed)) {
      checkIv(iv);
      checkBytes("sealed", sealed);
    }
    const length = sealed.length - this.#tagLength;
    if (length < 0) throw new AuthenticationError(`sealed is shorter than a tag of ${this.#tagLength} bytes`);
    checkTextLength(length);
    return length;
  }

  /**
   * True of what most calls give, short texts that the engine copies: one question in place of a dozen checks, which at 16 bytes
   * cost a fifth of the message. False says nothing.
   */
  #isOrdinary(iv: Uint8Array, text: Uint8Array): boolean {
    if (!(iv instanceof Uint8Array && iv.length === 12 && text instanceof Uint8Array)) return false;
    return text.length > 0 && text.length <= this.#keys.copiesUpTo;
  }

  #unshared(name: string, view: Uint8Array): Uint8Array {
    return view.length <= this.#keys.copiesUpTo ? view : unshared(name, view);
  }

  #decryptOrNull(iv: Uint8Array, sealed: Uint8Array, aad?: Uint8Array): Uint8Array<ArrayBuffer> | null {
    try {
      return this.decrypt(iv, sealed, { aad });
    } catch (error) {
      if (error instanceof AuthenticationError) return null;
      throw error;
    }
  }

  /**
   * Begins the encryption of a message that comes in pieces.
   *
   * @example
   * const encryptor = gcm.encryptor(iv).aad(header);
   * for (const piece of pieces) write(encryptor.update(piece));
   * write(encryptor.finish());
   */
  encryptor(iv: Uint8Array): GcmEncryptor {
    checkIv(iv);
    return new GcmEncryptor(this.#keys, iv, this.#tagLength);
  }

  /**
   * Begins the decryption of a message that comes in pieces. Its `updateUnverified` gives plaintext that nobody has
   * authenticated yet; whoever acts on it before `finish` has returned gives up what GCM is for.
   */
  decryptor(iv: Uint8Array): GcmDecryptor {
    checkIv(iv);
    return new GcmDecryptor(this.#keys, iv, this.#tagLength);
  }

  /**
   * GMAC: the tag of a message that has only AAD. To verify one, `decrypt(iv, tag, { aad })`, which compares in
   * constant time and returns no bytes.
   *
   * @returns `tagLength` bytes
   */
  mac(iv: Uint8Array, aad: Uint8Array): Uint8Array<ArrayBuffer> {
    return this.encrypt(iv, EMPTY, { aad });
  }

  /**
   * Encrypts many messages in one crossing into the engine, which pays from a handful of small messages up.
   *
   * @param messages an array, answered by an array; or messages packed end to end, see {@link batch.PackedMessages}
   * @param out for packed messages: memory for all outputs, `data` plus a tag each; allocated when missing
   */
  encryptBatch(messages: readonly batch.PlainMessage[]): Uint8Array<ArrayBuffer>[];
  encryptBatch(messages: batch.PackedMessages, out?: Uint8Array): batch.PackedOutput;
  encryptBatch(
    messages: readonly batch.PlainMessage[] | batch.PackedMessages,
    out?: Uint8Array,
  ): Uint8Array<ArrayBuffer>[] | batch.PackedOutput {
    return batch.isPacked(messages)
      ? batch.encryptPacked(this.#keys, this.#tagLength, messages, out)
      : batch.forEachMessage(messages, ({ iv, plaintext, aad }) => this.encrypt(iv, plaintext, { aad }));
  }

  /**
   * Decrypts many messages in one crossing. Each message has its own verdict; one that fails does not disturb the
   * others, and gives no plaintext: null in an array, zeros and `verified[i] === 0` when packed.
   *
   * @param out for packed messages: memory for all outputs, `data` less a tag each; allocated when missing
   */
  decryptBatch(messages: readonly batch.SealedMessage[]): (Uint8Array<ArrayBuffer> | null)[];
  decryptBatch(messages: batch.PackedMessages, out?: Uint8Array): batch.VerifiedOutput;
  decryptBatch(
    messages: readonly batch.SealedMessage[] | batch.PackedMessages,
    out?: Uint8Array,
  ): (Uint8Array<ArrayBuffer> | null)[] | batch.VerifiedOutput {
    return batch.isPacked(messages)
      ? batch.decryptPacked(this.#keys, this.#tagLength, messages, out)
      : batch.forEachMessage(messages, ({ iv, sealed, aad }) => this.#decryptOrNull(iv, sealed, aad));
  }

  /** Wipes the key's schedule and hash subkeys. Every later call, also on its encryptors, is a StateError. */
  destroy(): void {
    this.#keys.destroy();
  }

  /** `using gcm = new AesGcm(key)` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }
}

/** Read before the other arguments are checked: a getter may transfer their memory away. */
function checkedAad(options: MessageOptions | undefined): Uint8Array {
  if (options === undefined) return EMPTY;
  if (ArrayBuffer.isView(options))
    throw new TypeError("options is an array of bytes; an AAD goes in as { aad }");
  const { aad } = options;
  if (aad === undefined) return EMPTY;
  checkBytes("aad", aad);
  checkAadLength(aad.length);
  refuseShared("aad", aad);
  return aad;
}
