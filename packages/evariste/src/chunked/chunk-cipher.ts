/** One message's chunks, each by its number. */
import type { AesGcm } from "../aes-gcm.js";
import { load32, store32 } from "../gcm/bytes.js";
import { NONCE_LENGTH } from "../gcm/limits.js";
import { CHUNK_LENGTH, SEALED_CHUNK_LENGTH } from "./format.js";

/** Seals and opens the chunks of one message, in any order. The memory it writes must not overlap what it reads. */
export class ChunkCipher {
  readonly #gcm: AesGcm;
  readonly #baseNonce: Uint8Array;
  readonly #nonce = new Uint8Array(NONCE_LENGTH);

  /** @param baseNonce 12 bytes; both arguments belong to this object from now on */
  constructor(gcm: AesGcm, baseNonce: Uint8Array) {
    this.#gcm = gcm;
    this.#baseNonce = baseNonce;
  }

  /** Writes chunk `index` and its tag to the start of `out`. */
  seal(index: number, plaintext: Uint8Array, out: Uint8Array): void {
    this.#gcm.encryptInto(this.#nonceOf(index), plaintext, out);
  }

  /**
   * Writes the plaintext of chunk `index` to the start of `out`.
   *
   * @throws AuthenticationError, and then the plaintext's place in `out` is zero
   */
  open(index: number, sealed: Uint8Array, out: Uint8Array): void {
    this.#gcm.decryptInto(this.#nonceOf(index), sealed, out);
  }

  /** Seals full chunks from `index` on, end to end, from all of `plaintext`, a multiple of 16,384 bytes. */
  sealAll(index: number, plaintext: Uint8Array, out: Uint8Array): void {
    for (let i = 0; i * CHUNK_LENGTH < plaintext.length; i++) {
      const chunk = plaintext.subarray(i * CHUNK_LENGTH, (i + 1) * CHUNK_LENGTH);
      this.seal(index + i, chunk, out.subarray(i * SEALED_CHUNK_LENGTH));
    }
  }

  /**
   * Opens full chunks from `index` on, end to end, from all of `sealed`, a multiple of 16,400 bytes.
   *
   * @throws AuthenticationError at the first chunk that is not authentic: `out` may hold the plaintext of those before
   */
  openAll(index: number, sealed: Uint8Array, out: Uint8Array): void {
    for (let i = 0; i * SEALED_CHUNK_LENGTH < sealed.length; i++) {
      const chunk = sealed.subarray(i * SEALED_CHUNK_LENGTH, (i + 1) * SEALED_CHUNK_LENGTH);
      this.open(index + i, chunk, out.subarray(i * CHUNK_LENGTH));
    }
  }

  /** Wipes the message's key. Later calls are a StateError. */
  destroy(): void {
    this.#gcm.destroy();
    this.#baseNonce.fill(0);
    this.#nonce.fill(0);
  }

  /** The base nonce XOR the chunk's number, as a big-endian integer of the nonce's width; below 2^38. */
  #nonceOf(index: number): Uint8Array {
    const nonce = this.#nonce;
    nonce.set(this.#baseNonce);
    nonce[7] ^= Math.floor(index / 2 ** 32);
    store32(nonce, 8, load32(nonce, 8) ^ (index | 0));
    return nonce;
  }
}
