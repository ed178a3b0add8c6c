/** nonce ‖ ciphertext ‖ tag in one buffer, for every AEAD here that draws its nonces itself. */

import type { MessageOptions } from "./aes-gcm.js";
import { checkBytes, checkOut } from "./checks.js";
import { AuthenticationError } from "./errors.js";
import { copyOf } from "./gcm/bytes.js";
import type { NonceSource } from "./nonces.js";
import { OutputPool } from "./output-pool.js";

/** Length of the tags, in bytes: managed nonces come with full tags only. */
const TAG_LENGTH = 16;

/** The part of `AesGcm` and `XAesGcm` that framing stands on. */
export interface Aead {
  encryptInto(nonce: Uint8Array, plaintext: Uint8Array, out: Uint8Array, options?: MessageOptions): number;
  decryptInto(nonce: Uint8Array, sealed: Uint8Array, out: Uint8Array, options?: MessageOptions): number;
}

/** Seals under nonces of a source and puts each in front of its message. */
export class Framing {
  readonly #aead: Aead;
  readonly #nonces: NonceSource;
  readonly #nonceLength: number;
  /** Absent while a message is under way: a call from within it, by a getter say, must not change its nonce. */
  #nonce: Uint8Array | undefined;
  readonly #sealedPool = new OutputPool();
  readonly #plainPool = new OutputPool();

  /** @param nonceLength bytes, the same for every message */
  constructor(aead: Aead, nonces: NonceSource, nonceLength: number) {
    this.#aead = aead;
    this.#nonces = nonces;
    this.#nonceLength = nonceLength;
  }

  /** @returns nonce ‖ ciphertext ‖ tag, of a pool; throws what the source of nonces and the AEAD throw */
  seal(plaintext: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    checkBytes("plaintext", plaintext);
    const out = this.#sealedPool.take(this.#nonceLength + plaintext.length + TAG_LENGTH);
    this.sealInto(plaintext, out, options);
    return out;
  }

  /** @returns the plaintext, of a pool; throws AuthenticationError, and what the AEAD throws */
  open(sealed: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    checkBytes("sealed", sealed);
    const out = this.#plainPool.take(Math.max(0, sealed.length - this.#nonceLength - TAG_LENGTH));
    this.openInto(sealed, out, options);
    return out;
  }

  /** As {@link seal}, to the start of `out`, which may overlap the inputs; gives the length written. */
  sealInto(plaintext: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    checkBytes("plaintext", plaintext);
    const length = this.#nonceLength + plaintext.length + TAG_LENGTH;
    checkOut(out, length);
    const nonce = this.#nonce ?? new Uint8Array(this.#nonceLength);
    this.#nonce = undefined;
    this.#nonces.draw(nonce);
    this.#aead.encryptInto(nonce, plaintext, out.subarray(this.#nonceLength), options);
    // Last: the plaintext may lie where the nonce goes.
    out.set(nonce);
    this.#nonce = nonce;
    return length;
  }

  /** As {@link open}, to the start of `out`, which may overlap `sealed`; gives the length written. */
  openInto(sealed: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    checkBytes("sealed", sealed);
    const least = this.#nonceLength + TAG_LENGTH;
    if (sealed.length < least) {
      throw new AuthenticationError(`sealed is shorter than a nonce and a tag, ${least} bytes`);
    }
    const nonce = copyOf(sealed, 0, this.#nonceLength);
    return this.#aead.decryptInto(nonce, sealed.subarray(this.#nonceLength), out, options);
  }
}
