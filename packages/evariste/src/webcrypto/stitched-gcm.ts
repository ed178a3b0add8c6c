/** AES-GCM by WebCrypto, with messages cut into segments: see `engines/webcrypto`. */

import { AesGcm } from "../aes-gcm.js";
import { checkAadLength, checkBytes, checkIv, checkOut, checkTextLength, EMPTY } from "../checks.js";
import { DISPOSE } from "../dispose.js";
import { keepFreedMemory } from "../engines/webcrypto/memory.js";
import { Pipeline } from "../engines/webcrypto/pipeline.js";
import { SYNC_BELOW_PORTABLE } from "../engines/webcrypto/runtimes.js";
import { SegmentedText } from "../engines/webcrypto/text.js";
import { AuthenticationError, StateError } from "../errors.js";
import { copyOf } from "../gcm/bytes.js";
import { equalTags } from "../gcm/compare.js";
import { BLOCK } from "../gcm/limits.js";
import { refuseShared, separate, unshared } from "../views.js";
import type { CryptoKeyLike } from "./crypto-key.js";
import { openOnce, sealOnce } from "./one-shot.js";
import { checkUsage, isCryptoKey, type OpenedKey, openKey } from "./open-key.js";
import { JoinedOutput, type Output, PartsOutput } from "./output.js";
import { type SegmentOptions, type Settings, settingsOf } from "./settings.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** How a {@link StitchedGcm} is made. */
export interface StitchedOptions extends SegmentOptions {
  /**
   * First length in bytes that WebCrypto takes of a raw key's messages; shorter ones run synchronously, which is
   * faster. Default: measured for each runtime.
   */
  readonly syncBelow?: number | undefined;
}

/** What belongs to one message besides its IV and text. */
export interface StitchedMessageOptions {
  /** Additional authenticated data; copied. Default: none. */
  readonly aad?: Uint8Array | undefined;
  /** Stops the work between two segments; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each segment with the bytes of text done and in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A message whose arguments were checked. */
interface Message extends StitchedMessageOptions {
  readonly iv: Bytes;
  readonly text: Bytes;
  readonly aad: Bytes;
}

/**
 * One AES key in Galois/Counter Mode by the platform's WebCrypto, with large messages cut into segments that run at
 * once. The results are ordinary AES-GCM. Takes non-extractable CryptoKeys, any IV and tags of 12 to 16 bytes.
 *
 * A CryptoKey's usages are kept to: `encrypt` alone does not decrypt, and `decrypt` alone cannot be cut into
 * segments, so its messages are opened by one call, up to the size that the platform takes.
 *
 * All methods are asynchronous and all errors rejections. A text must not change, nor its memory be transferred, before
 * the promise settles; IV and AAD are copied.
 *
 * @example
 * const gcm = await StitchedGcm.create(cryptoKey);
 * const sealed = await gcm.encrypt(iv, plaintext, { aad, signal, onProgress });
 */
export class StitchedGcm {
  readonly #key: OpenedKey;
  readonly #settings: Settings;
  /** For short messages of a raw key. */
  readonly #sync: AesGcm | undefined;
  readonly #syncBelow: number;
  #destroyed = false;

  private constructor(key: OpenedKey, settings: Settings, sync: AesGcm | undefined, syncBelow: number) {
    this.#key = key;
    this.#settings = settings;
    this.#sync = sync;
    this.#syncBelow = syncBelow;
  }

  /**
   * @param key an AES-GCM CryptoKey, or 16, 24 or 32 bytes, which are copied. A raw key that the platform does not take (192
   *   bits in Chromium, any without a secure context) runs on the synchronous engines, a segment at a time
   * @throws TypeError, RangeError for a key or option that is not allowed; Error when the platform's AES-GCM gives
   *   wrong answers
   */
  static async create(key: Uint8Array | CryptoKeyLike, options: StitchedOptions = {}): Promise<StitchedGcm> {
    const settings = settingsOf(options);
    const sync = isCryptoKey(key) ? undefined : new AesGcm(key, { tagLength: settings.tagLength });
    try {
      const opened = await openKey(key, settings.subtle);
      const fallback = sync?.engine === "portable" ? SYNC_BELOW_PORTABLE : settings.syncBelow;
      return new StitchedGcm(opened, settings, sync, options.syncBelow ?? fallback);
    } catch (error) {
      sync?.destroy();
      throw error;
    }
  }

  /** What runs long messages: `webcrypto`, or the name of a synchronous engine. */
  get engine(): string {
    return this.#key.segments?.engine ?? "webcrypto";
  }

  /**
   * GCM-AE, SP 800-38D clause 7.1.
   *
   * @param iv 1 byte or more, never used before under this key
   * @param plaintext at most 2^36 − 32 bytes
   * @returns ciphertext ‖ tag
   * @throws TypeError, RangeError, StateError; TypeError for a CryptoKey without usage `encrypt`; the signal's reason
   */
  async encrypt(iv: Uint8Array, plaintext: Uint8Array, options?: StitchedMessageOptions): Promise<Bytes> {
    const output = new JoinedOutput(false);
    await this.#encrypt(this.#checked(iv, "plaintext", plaintext, options), output);
    return output.bytes;
  }

  /**
   * As {@link encrypt}, without joining: ciphertext in order and the tag last, ready for `new Blob(parts)`, `writev` and
   * the like. Joining costs a good part of what stitching gains.
   */
  async encryptToParts(
    iv: Uint8Array,
    plaintext: Uint8Array,
    options?: StitchedMessageOptions,
  ): Promise<Bytes[]> {
    const output = new PartsOutput();
    await this.#encrypt(this.#checked(iv, "plaintext", plaintext, options), output);
    return output.parts;
  }

  /**
   * As {@link encrypt}, into the caller's memory: fresh memory costs more than the encryption.
   *
   * @param out at least `plaintext.length + tagLength` bytes; may start where `plaintext` starts (in place); any other overlap
   *   gives the same bytes by way of a copy. It is written while the work goes on, and holds nothing of use after an error
   * @returns how many bytes were written to the start of `out`
   */
  async encryptInto(
    iv: Uint8Array,
    plaintext: Uint8Array,
    out: Uint8Array,
    options?: StitchedMessageOptions,
  ): Promise<number> {
    const message = this.#checked(iv, "plaintext", plaintext, options);
    const written = message.text.length + this.#settings.tagLength;
    const [text, target] = this.#apart("plaintext", message.text, out, written);
    try {
      await this.#encrypt({ ...message, text }, new JoinedOutput(false, target));
    } finally {
      if (text !== message.text) text.fill(0);
    }
    return written;
  }

  /**
   * GCM-AD, clause 7.2. Nothing is released before the tag is verified, and nothing survives a wrong one.
   *
   * @param sealed ciphertext ‖ tag
   * @returns the plaintext
   * @throws AuthenticationError when the message is not authentic, also when it is shorter than a tag
   * @throws TypeError, RangeError, StateError; TypeError for a CryptoKey without usage `decrypt`; the signal's reason
   */
  async decrypt(iv: Uint8Array, sealed: Uint8Array, options?: StitchedMessageOptions): Promise<Bytes> {
    const output = new JoinedOutput(true);
    await this.#decrypt(this.#checked(iv, "sealed", sealed, options), output);
    return output.bytes;
  }

  /**
   * As {@link decrypt}, into the caller's memory. The message is read twice, and nothing is written before its tag is verified.
   *
   * @param out at least `sealed.length - tagLength` bytes; may start where `sealed` starts (in place); any other overlap gives the
   *   same bytes by way of a copy. After an error the bytes that would have held plaintext are zero, in place too
   * @returns how many bytes were written to the start of `out`
   */
  async decryptInto(
    iv: Uint8Array,
    sealed: Uint8Array,
    out: Uint8Array,
    options?: StitchedMessageOptions,
  ): Promise<number> {
    const message = this.#checked(iv, "sealed", sealed, options);
    const written = this.#openedLength(message.text.length);
    const [text, target] = this.#apart("sealed", message.text, out, written);
    await this.#decrypt({ ...message, text }, new JoinedOutput(true, target), true);
    return written;
  }

  /** As {@link decrypt}, without joining: the plaintext in order. */
  async decryptToParts(
    iv: Uint8Array,
    sealed: Uint8Array,
    options?: StitchedMessageOptions,
  ): Promise<Bytes[]> {
    const output = new PartsOutput();
    await this.#decrypt(this.#checked(iv, "sealed", sealed, options), output);
    return output.parts;
  }

  /** Wipes H and raw keys. Calls that are under way and later ones are a StateError. A CryptoKey stays as it is. */
  destroy(): void {
    this.#destroyed = true;
    this.#key.segments?.destroy();
    this.#sync?.destroy();
  }

  /** `using` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }

  /** `text` where writing `written` bytes to `out` does not change it, and those bytes of `out`. */
  #apart(name: string, text: Bytes, out: Uint8Array, written: number): [text: Bytes, target: Bytes] {
    checkOut(out, written);
    return [separate(name, text, out, written) as Bytes, out.subarray(0, written) as Bytes];
  }

  #checked(iv: Uint8Array, name: string, text: Uint8Array, options: StitchedMessageOptions = {}): Message {
    if (this.#destroyed) throw new StateError("the key was destroyed");
    checkIv(iv);
    checkBytes(name, text);
    refuseShared(name, text);
    const { aad = EMPTY } = options;
    checkBytes("aad", aad);
    checkAadLength(aad.length);
    options.signal?.throwIfAborted();
    return {
      ...options,
      iv: new Uint8Array(iv),
      // Shared memory of at most 64 bytes becomes a copy.
      text: unshared(name, text) as Bytes,
      aad: new Uint8Array(aad),
    };
  }

  async #encrypt(message: Message, output: Output): Promise<void> {
    const { iv, text, aad } = message;
    checkUsage(this.#key.usages, "encrypt");
    checkTextLength(text.length);
    const { tagLength } = this.#settings;
    if (this.#sync !== undefined && text.length < this.#syncBelow) {
      output.whole(this.#sync.encrypt(iv, text, { aad }));
    } else if (this.#fitsOneCall(text.length)) {
      output.whole(await sealOnce(this.#settings, this.#key, iv, text, aad));
    } else {
      output.begin(text.length + tagLength);
      const tag = await this.#stitch("encrypt", message, text, output);
      output.take(copyOf(tag, 0, tagLength));
    }
    this.#finish(message, text.length);
  }

  /** @param verifyFirst `output` is in sight of the caller */
  async #decrypt(message: Message, output: Output, verifyFirst = false): Promise<void> {
    const { iv, text: sealed, aad } = message;
    checkUsage(this.#key.usages, "decrypt");
    const length = this.#openedLength(sealed.length);
    try {
      if (this.#sync !== undefined && length < this.#syncBelow) {
        output.whole(this.#sync.decrypt(iv, sealed, { aad }));
      } else if (this.#fitsOneCall(length)) {
        output.whole(await openOnce(this.#settings, this.#key, iv, sealed, aad));
      } else {
        // A copy: what is compared at the end must be what was there at the beginning.
        const expected = copyOf(sealed, length);
        const text = sealed.subarray(0, length);
        output.begin(length);
        const tag = verifyFirst
          ? await this.#stitch("verify", halfDone(message, 0), text)
          : await this.#stitch("decryptUnverified", message, text, output);
        if (!equalTags(tag, expected, this.#settings.tagLength)) throw new AuthenticationError();
        if (verifyFirst) await this.#stitch("decryptVerified", halfDone(message, length / 2), text, output);
      }
      this.#finish(message, length);
    } catch (error) {
      output.clear();
      throw error;
    }
  }

  /** @throws AuthenticationError, RangeError for a message that is too short or too long */
  #openedLength(sealedLength: number): number {
    const { tagLength } = this.#settings;
    const length = sealedLength - tagLength;
    if (length < 0) throw new AuthenticationError(`sealed is shorter than a tag of ${tagLength} bytes`);
    checkTextLength(length);
    return length;
  }

  /** Runs all segments and gives the tag, which for `decryptVerified` means nothing. */
  async #stitch(
    step: "encrypt" | "decryptUnverified" | "verify" | "decryptVerified",
    { iv, aad, signal, onProgress }: Message,
    text: Bytes,
    output?: Output,
  ): Promise<Bytes> {
    const { segmentLength, inFlight, yieldAfter, keepFreed } = this.#settings;
    keepFreedMemory(keepFreed);
    const hashed = step === "decryptVerified" ? EMPTY : aad;
    const message = await SegmentedText.begin(this.#key.segments!, iv, hashed);
    let done = 0;
    const pipeline = new Pipeline<Bytes | undefined>(inFlight, yieldAfter, (segment) => {
      done = Math.min(text.length, done + segmentLength);
      if (segment !== undefined) output?.take(segment);
      if (done < text.length) onProgress?.(done, text.length);
    });
    try {
      for (let at = 0; at < text.length; at += segmentLength) {
        signal?.throwIfAborted();
        const segment = text.subarray(at, at + segmentLength);
        await pipeline.add(async () => (await message[step](segment)) ?? undefined);
      }
      await pipeline.drain();
      return message.tag();
    } catch (error) {
      await pipeline.abandon((segment) => segment?.fill(0));
      throw error;
    } finally {
      message.wipe();
    }
  }

  #fitsOneCall(length: number): boolean {
    if (this.#key.cryptoKey === undefined) return false;
    if (this.#key.segments === undefined) return true;
    // Deno opens full tags only.
    return length <= this.#settings.segmentLength && this.#settings.tagLength === BLOCK;
  }

  #finish({ signal, onProgress }: Message, length: number): void {
    signal?.throwIfAborted();
    if (this.#destroyed) throw new StateError("the key was destroyed");
    onProgress?.(length, length);
  }
}

/** The message as one of two passes over it sees it: its progress is half of what is done, behind `before` bytes. */
function halfDone(message: Message, before: number): Message {
  const { onProgress } = message;
  if (onProgress === undefined) return message;
  return { ...message, onProgress: (done, total) => onProgress(Math.floor(before + done / 2), total) };
}
