/** AES-GCM with nonces that nobody has to think of. */
import { AesGcm, type AesGcmOptions, type MessageOptions } from "./aes-gcm.js";
import { DISPOSE } from "./dispose.js";
import { Framing } from "./framing.js";
import { NONCE_LENGTH } from "./gcm/limits.js";
import { CounterNonces, type NonceSource, RandomNonces } from "./nonces.js";

/** Random nonces: nothing to remember, at most 2^32 messages per key. */
export interface RandomNonceOptions {
  readonly nonce: "random";
}

/** Counted nonces: at most 2^64 messages per key, and the next counter has to be kept with the key. */
export interface CounterNonceOptions {
  readonly nonce: "counter";
  /** The first counter that was never used under this key: 0n for a new key, later what {@link Sealer.next} said. */
  readonly start: bigint;
  /** 4 bytes in front of the counter, different for everyone who seals under the same key. Default: zeros. */
  readonly fixed?: Uint8Array | undefined;
}

/** How a {@link Sealer} is made; `engine` and `disable` are for tests and measurements. */
export type SealerOptions = (RandomNonceOptions | CounterNonceOptions) &
  Pick<AesGcmOptions, "engine" | "disable">;

/**
 * One AES key that seals messages as nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes) and never uses a nonce twice.
 *
 * With `nonce: "random"` it refuses to seal more than 2^32 messages, the limit of SP 800-38D clause 8.3. It counts its own:
 * several Sealers of one key, also in other processes and after restarts, share the limit, so keep their sum below
 * it, or use `XAesGcm`, whose random nonces have no such limit.
 *
 * With `nonce: "counter"` nonces follow clause 8.2.1: a fixed field, then a 64-bit counter. Store `next` before a
 * sealed message leaves: a counter that starts again gives away plaintexts and the authentication key.
 *
 * @example
 * const sealer = new Sealer(key, { nonce: "random" });
 * const sealed = sealer.seal(plaintext, { aad: header });
 * const plain = sealer.open(sealed, { aad: header }); // or throws AuthenticationError
 */
export class Sealer {
  readonly #gcm: AesGcm;
  readonly #nonces: NonceSource;
  readonly #framing: Framing;

  /**
   * @param key 16, 24 or 32 bytes; copied
   * @throws TypeError, RangeError for a key or option that is not allowed
   */
  constructor(key: Uint8Array, options: SealerOptions) {
    this.#nonces = nonceSource(options);
    const { engine, disable } = options;
    this.#gcm = new AesGcm(key, {
      ...(engine === undefined ? {} : { engine }),
      ...(disable === undefined ? {} : { disable }),
    });
    this.#framing = new Framing(this.#gcm, this.#nonces, NONCE_LENGTH);
  }

  /** With counted nonces: the counter of the next message, to be stored; 2^64 when used up. Undefined with random ones. */
  get next(): bigint | undefined {
    return this.#nonces instanceof CounterNonces ? this.#nonces.next : undefined;
  }

  /**
   * Encrypts a message under a nonce of its own. A call that throws may have used its nonce up; it is not used again.
   *
   * @param plaintext at most 2^36 - 32 bytes
   * @returns nonce ‖ ciphertext ‖ tag, `plaintext.length + 28` bytes
   * @throws StateError when no nonce is left, or after `destroy`; TypeError, RangeError
   */
  seal(plaintext: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    return this.#framing.seal(plaintext, options);
  }

  /**
   * Decrypts a message that a Sealer of the same key made, whatever its nonces come from.
   *
   * @returns the plaintext, `sealed.length - 28` bytes
   * @throws AuthenticationError when the message is not authentic, also when it is shorter than 28 bytes
   * @throws StateError after `destroy`; TypeError, RangeError
   */
  open(sealed: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    return this.#framing.open(sealed, options);
  }

  /**
   * As {@link seal}, into the caller's memory, without allocating.
   *
   * @param out at least `plaintext.length + 28` bytes; may hold the plaintext: at byte 12 it is encrypted in place, any
   *   other overlap gives the same bytes by way of a copy
   * @returns how many bytes were written to the start of `out`
   */
  sealInto(plaintext: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    return this.#framing.sealInto(plaintext, out, options);
  }

  /**
   * As {@link open}, into the caller's memory. When the message is not authentic, the bytes of `out` that would have
   * held plaintext are zero.
   *
   * @param out at least `sealed.length - 28` bytes; may be `sealed.subarray(12)` (in place); any other overlap gives the
   *   same bytes by way of a copy
   * @returns how many bytes were written to the start of `out`
   */
  openInto(sealed: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    return this.#framing.openInto(sealed, out, options);
  }

  /** Wipes the key. Every later call is a StateError. */
  destroy(): void {
    this.#gcm.destroy();
  }

  /** `using sealer = new Sealer(key, …)` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }
}

function nonceSource(options: SealerOptions): NonceSource {
  switch (options?.nonce) {
    case "random":
      return new RandomNonces();
    case "counter":
      return new CounterNonces(options.start, options.fixed);
    default:
      throw new TypeError('options.nonce must be "random" or "counter"');
  }
}
