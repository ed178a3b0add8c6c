/**
 * XAES-256-GCM (c2sp.org/XAES-256-GCM, v1): AES-256-GCM with nonces of 192 bits, long enough to be random for all purposes.
 * The first half of the nonce derives a key by CMAC in counter mode (SP 800-108), the second is that key's nonce.
 */

import { AesGcm, type AesGcmOptions, type MessageOptions } from "./aes-gcm.js";
import { checkBytes, checkKey } from "./checks.js";
import { DISPOSE } from "./dispose.js";
import { KeyRing } from "./engines/key-ring.js";
import { Framing } from "./framing.js";
import { copyOf } from "./gcm/bytes.js";
import { BLOCK, NONCE_LENGTH } from "./gcm/limits.js";
import { OutputPool } from "./output-pool.js";
import { fillRandom } from "./random.js";

const KEY_LENGTH = 32;
const XAES_NONCE_LENGTH = 24;
const TAG_LENGTH = 16;
const ZERO_BLOCK = new Uint8Array(BLOCK);

/** For tests and measurements: as in {@link AesGcmOptions}. */
export type XAesGcmOptions = Pick<AesGcmOptions, "engine" | "disable">;

/**
 * One XAES-256-GCM key. Random nonces are safe for 2^80 messages under one key; `seal` draws them, `encrypt` takes the
 * caller's. Each message costs a key set-up, which only small messages feel.
 *
 * @example
 * const xaes = new XAesGcm(key);
 * const sealed = xaes.seal(plaintext); // nonce ‖ ciphertext ‖ tag
 * const plain = xaes.open(sealed); // or throws AuthenticationError
 */
export class XAesGcm {
  readonly #options: XAesGcmOptions;
  readonly #keys: KeyRing;
  /** K1 of CMAC (SP 800-38B clause 6.1). */
  readonly #k1: Uint8Array;
  readonly #framing = new Framing(this, { draw: fillRandom }, XAES_NONCE_LENGTH);
  readonly #sealedPool = new OutputPool();
  readonly #plainPool = new OutputPool();

  /**
   * @param key 32 bytes; copied
   * @throws TypeError, RangeError for a key or option that is not allowed
   */
  constructor(key: Uint8Array, options: XAesGcmOptions = {}) {
    checkKey(key, [KEY_LENGTH]);
    // An iterable may give its names once only, and every message needs them.
    this.#options = options.disable === undefined ? options : { ...options, disable: [...options.disable] };
    this.#keys = new KeyRing(key, this.#options.engine, this.#options.disable);
    this.#k1 = new Uint8Array(BLOCK);
    this.#aes(ZERO_BLOCK, this.#k1);
    double(this.#k1);
  }

  /**
   * Encrypts under a nonce of the caller.
   *
   * @param nonce 24 bytes, never used before under this key; random ones do
   * @param plaintext at most 2^36 - 32 bytes
   * @returns ciphertext ‖ tag, `plaintext.length + 16` bytes, without the nonce
   * @throws TypeError, RangeError, StateError
   */
  encrypt(nonce: Uint8Array, plaintext: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    checkBytes("plaintext", plaintext);
    const out = this.#sealedPool.take(plaintext.length + TAG_LENGTH);
    this.encryptInto(nonce, plaintext, out, options);
    return out;
  }

  /**
   * Decrypts what {@link encrypt} made.
   *
   * @param nonce the 24 bytes it was encrypted under
   * @param sealed ciphertext ‖ tag
   * @returns the plaintext, `sealed.length - 16` bytes
   * @throws AuthenticationError when the message is not authentic, also when it is shorter than a tag
   * @throws TypeError, RangeError, StateError
   */
  decrypt(nonce: Uint8Array, sealed: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    checkBytes("sealed", sealed);
    const out = this.#plainPool.take(Math.max(0, sealed.length - TAG_LENGTH));
    this.decryptInto(nonce, sealed, out, options);
    return out;
  }

  /** As {@link encrypt}, into the caller's memory; overlap and result as in `AesGcm.encryptInto`. */
  encryptInto(nonce: Uint8Array, plaintext: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    return this.#withKey(nonce, (gcm, iv) => gcm.encryptInto(iv, plaintext, out, options));
  }

  /** As {@link decrypt}, into the caller's memory; overlap, result and what failure leaves as in `AesGcm.decryptInto`. */
  decryptInto(nonce: Uint8Array, sealed: Uint8Array, out: Uint8Array, options?: MessageOptions): number {
    return this.#withKey(nonce, (gcm, iv) => gcm.decryptInto(iv, sealed, out, options));
  }

  /**
   * Encrypts under a random nonce.
   *
   * @returns nonce ‖ ciphertext ‖ tag, `plaintext.length + 40` bytes
   * @throws TypeError, RangeError, StateError
   */
  seal(plaintext: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    return this.#framing.seal(plaintext, options);
  }

  /**
   * Decrypts what {@link seal} made.
   *
   * @returns the plaintext, `sealed.length - 40` bytes
   * @throws AuthenticationError when the message is not authentic, also when it is shorter than 40 bytes
   * @throws TypeError, RangeError, StateError
   */
  open(sealed: Uint8Array, options?: MessageOptions): Uint8Array<ArrayBuffer> {
    return this.#framing.open(sealed, options);
  }

  /** Wipes the key. Every later call is a StateError. */
  destroy(): void {
    this.#keys.destroy();
    this.#k1.fill(0);
  }

  /** `using xaes = new XAesGcm(key)` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }

  /** Runs `work` with AES-256-GCM under the nonce's own key, and wipes that. */
  #withKey(nonce: Uint8Array, work: (gcm: AesGcm, iv: Uint8Array) => number): number {
    checkBytes("nonce", nonce);
    if (nonce.length !== XAES_NONCE_LENGTH) {
      throw new RangeError(`nonce has ${nonce.length} bytes; ${XAES_NONCE_LENGTH} are needed`);
    }
    const messageKey = this.#deriveKey(nonce);
    const gcm = new AesGcm(messageKey, this.#options);
    messageKey.fill(0);
    try {
      return work(gcm, copyOf(nonce, NONCE_LENGTH));
    } finally {
      gcm.destroy();
    }
  }

  /** Kx = AES_K(M1 ⊕ K1) ‖ AES_K(M2 ⊕ K1), Mi = 00 0i 58 00 ‖ N[0..11]: 58 is the label "X". */
  #deriveKey(nonce: Uint8Array): Uint8Array {
    const derived = new Uint8Array(KEY_LENGTH);
    const block = new Uint8Array(BLOCK);
    for (let i = 1; i <= 2; i++) {
      block.set([0, i, 0x58, 0]);
      block.set(nonce.subarray(0, NONCE_LENGTH), 4);
      for (let j = 0; j < BLOCK; j++) block[j] ^= this.#k1[j];
      this.#aes(block, derived.subarray((i - 1) * BLOCK, i * BLOCK));
    }
    block.fill(0);
    return derived;
  }

  /** CIPH_K(block): one block of keystream is the cipher of its counter block. */
  #aes(block: Uint8Array, out: Uint8Array): void {
    this.#keys.for(BLOCK).gctr(block, ZERO_BLOCK, out);
  }
}

/** Doubles a block in CMAC's GF(2^128), in place, in constant time: shifts left and folds the carry back with 87. */
function double(block: Uint8Array): void {
  const carry = block[0] >> 7;
  for (let i = 0; i < BLOCK - 1; i++) block[i] = (block[i] << 1) | (block[i + 1] >> 7);
  block[BLOCK - 1] = (block[BLOCK - 1] << 1) ^ (-carry & 0x87);
}
