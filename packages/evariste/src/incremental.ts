/** Messages in pieces: checks, limits and the order of calls, around an engine's stream. */
import { checkAadLength, checkBytes, checkOut, checkTextLength } from "./checks.js";
import type { Direction, EngineStream } from "./engines/engine.js";
import type { KeyRing } from "./engines/key-ring.js";
import { AuthenticationError, StateError } from "./errors.js";
import { refuseShared, separate } from "./views.js";

/** AAD may come, then only text, then nothing. */
type Phase = "aad" | "text" | "finished";

/** What both directions share; see {@link GcmEncryptor} and {@link GcmDecryptor}. */
class Incremental {
  readonly #keys: KeyRing;
  readonly #stream: EngineStream;
  readonly #tagLength: number;
  #phase: Phase = "aad";
  #aadLength = 0;
  #textLength = 0;

  protected constructor(keys: KeyRing, iv: Uint8Array, direction: Direction, tagLength: number) {
    this.#keys = keys;
    this.#tagLength = tagLength;
    // A message of unknown length is taken for a long one.
    this.#stream = keys.for(Number.POSITIVE_INFINITY).start(iv, direction, tagLength);
  }

  /**
   * Absorbs a piece of the AAD.
   *
   * @throws StateError once text has come; TypeError, RangeError
   */
  aad(chunk: Uint8Array): this {
    checkBytes("chunk", chunk);
    refuseShared("chunk", chunk);
    this.#mustBe("aad");
    checkAadLength(this.#aadLength + chunk.length);
    this.#stream.aad(chunk);
    this.#aadLength += chunk.length;
    return this;
  }

  protected process(chunk: Uint8Array, out: Uint8Array | undefined): Uint8Array {
    checkBytes("chunk", chunk);
    this.#mustBe("text");
    checkTextLength(this.#textLength + chunk.length);
    const target = out ?? new Uint8Array(chunk.length);
    checkOut(target, chunk.length);
    const copied = chunk.length <= this.#keys.streamsCopyUpTo;
    const input = copied ? chunk : separate("chunk", chunk, target, chunk.length);
    this.#phase = "text";
    try {
      this.#stream.update(input, target);
    } catch (error) {
      // An engine that broke off in the middle of a piece cannot go on.
      this.cancel();
      throw error;
    } finally {
      if (input !== chunk) input.fill(0);
    }
    this.#textLength += chunk.length;
    return target.length === chunk.length ? target : target.subarray(0, chunk.length);
  }

  protected tag(): Uint8Array<ArrayBuffer> {
    this.#mustBe("text");
    const tag = new Uint8Array(this.#tagLength);
    this.#end(() => this.#stream.finish(tag));
    return tag;
  }

  protected verify(tag: Uint8Array): void {
    checkBytes("tag", tag);
    this.#mustBe("text");
    const right = tag.length === this.#tagLength && this.#end(() => this.#stream.verify(tag));
    if (!right) {
      this.cancel();
      throw new AuthenticationError();
    }
  }

  /** Ends the message without a tag and clears its state. Harmless at any time. */
  cancel(): void {
    if (this.#phase !== "finished") this.#end(() => {});
  }

  #end<T>(last: () => T): T {
    this.#phase = "finished";
    try {
      return last();
    } finally {
      this.#stream.wipe();
    }
  }

  #mustBe(wanted: "aad" | "text"): void {
    if (this.#keys.destroyed) {
      this.cancel();
      throw new StateError("the key was destroyed");
    }
    if (this.#phase === "finished")
      throw new StateError("the message is finished; start a new one with a new IV");
    if (wanted === "aad" && this.#phase === "text") throw new StateError("AAD must come before the text");
  }
}

/**
 * The encryption of one message in pieces of any length: `aad`*, `update`*, `finish`. A call that throws a TypeError,
 * RangeError or StateError changes nothing and may be repeated rightly.
 */
export class GcmEncryptor extends Incremental {
  /** Use {@link AesGcm.encryptor}. */
  constructor(keys: KeyRing, iv: Uint8Array, tagLength: number) {
    super(keys, iv, "encrypt", tagLength);
  }

  /**
   * Encrypts a piece.
   *
   * @param out where to write; may be `chunk` itself; allocated when missing
   * @returns the `chunk.length` bytes of ciphertext
   */
  update(chunk: Uint8Array, out?: Uint8Array): Uint8Array {
    return this.process(chunk, out);
  }

  /** Ends the message. @returns its tag, `tagLength` bytes */
  finish(): Uint8Array<ArrayBuffer> {
    return this.tag();
  }
}

/**
 * The decryption of one message in pieces of any length: `aad`*, `updateUnverified`*, `finish`. A call that throws a
 * TypeError, RangeError or StateError changes nothing and may be repeated rightly.
 */
export class GcmDecryptor extends Incremental {
  /** Use {@link AesGcm.decryptor}. */
  constructor(keys: KeyRing, iv: Uint8Array, tagLength: number) {
    super(keys, iv, "decrypt", tagLength);
  }

  /**
   * Decrypts a piece. Nobody has authenticated what this returns: do not act on it before {@link finish} has returned.
   *
   * @param out where to write; may be `chunk` itself; allocated when missing
   * @returns the `chunk.length` bytes of unverified plaintext
   */
  updateUnverified(chunk: Uint8Array, out?: Uint8Array): Uint8Array {
    return this.process(chunk, out);
  }

  /**
   * Ends the message and verifies it.
   *
   * @throws AuthenticationError when it is not authentic: throw away all that `updateUnverified` gave
   */
  finish(tag: Uint8Array): void {
    this.verify(tag);
  }
}
