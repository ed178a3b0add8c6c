import type * as nodeCrypto from "node:crypto";
import { load32 } from "../../gcm/bytes.js";
import { addBlocks, deriveJ0, writeLengths } from "../../gcm/counter.js";
import * as gf128 from "../../gcm/gf128.js";
import { BLOCK, NONCE_LENGTH } from "../../gcm/limits.js";
import type { Direction, EngineKey, EngineStream } from "../engine.js";
import { absorbAad, LONGEST_UPDATE, pump, pumpSecret } from "./pump.js";

type Crypto = typeof nodeCrypto;

/** OpenSSL's limit, and Bun's: 1,024 bits. */
const LONGEST_IV = 128;

const ZERO_BLOCK = new Uint8Array(BLOCK);
const ZERO_NONCE = new Uint8Array(NONCE_LENGTH);

/** What {@link OpensslKey.ghash} needs of a key. */
interface Probe {
  /** H = CIPH_K(0^128), which is the first keystream block of the counter zero. */
  readonly h: Int32Array;
  readonly hInverse: Int32Array;
  /** E(J0) of the zero nonce. */
  readonly mask: Uint8Array;
}

/** A key of node:crypto: a KeyObject, which Node 24 sets up five times faster than raw bytes. */
export class OpensslKey implements EngineKey {
  readonly kernel: string;
  readonly #crypto: Crypto;
  readonly #gcmName: nodeCrypto.CipherGCMTypes;
  readonly #ctrName: string;
  readonly #count: () => void;
  #key: nodeCrypto.KeyObject | undefined;
  #probed: Probe | undefined;

  constructor(crypto: Crypto, rawKey: Uint8Array, kernel: string, count: () => void) {
    this.kernel = kernel;
    this.#crypto = crypto;
    const bits = rawKey.length * 8;
    this.#gcmName = `aes-${bits}-gcm` as nodeCrypto.CipherGCMTypes;
    this.#ctrName = `aes-${bits}-ctr`;
    this.#count = count;
    this.#key = crypto.createSecretKey(rawKey);
  }

  seal(iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array, out: Uint8Array, tagLength: number): void {
    const cipher = this.#cipher(iv, tagLength);
    absorbAad(cipher, aad);
    pump(cipher, plaintext, out);
    cipher.final();
    out.set(cipher.getAuthTag(), plaintext.length);
  }

  open(iv: Uint8Array, aad: Uint8Array, sealed: Uint8Array, out: Uint8Array, tagLength: number): boolean {
    const length = sealed.length - tagLength;
    const decipher = this.#decipher(iv, tagLength);
    absorbAad(decipher, aad);
    // Before the text: in place, `out` may end where the tag begins, never behind it.
    decipher.setAuthTag(sealed.subarray(length));
    pumpSecret(decipher, sealed.subarray(0, length), out);
    if (isAuthentic(decipher)) return true;
    out.fill(0, 0, length);
    return false;
  }

  openFresh(
    iv: Uint8Array,
    aad: Uint8Array,
    sealed: Uint8Array,
    tagLength: number,
  ): Uint8Array<ArrayBuffer> | null {
    const length = sealed.length - tagLength;
    if (length > LONGEST_UPDATE) {
      const out = new Uint8Array(length);
      return this.open(iv, aad, sealed, out, tagLength) ? out : null;
    }
    const decipher = this.#decipher(iv, tagLength);
    absorbAad(decipher, aad);
    decipher.setAuthTag(sealed.subarray(length));
    const plaintext = decipher.update(sealed.subarray(0, length));
    if (isAuthentic(decipher)) return withoutNeighbours(plaintext);
    plaintext.fill(0);
    return null;
  }

  start(iv: Uint8Array, direction: Direction, tagLength: number): EngineStream {
    return direction === "encrypt" ? this.#encryptStream(iv, tagLength) : this.#decryptStream(iv, tagLength);
  }

  /**
   * By way of GMAC, which runs at hardware speed: for the AAD A and no text, T = (GHASH(A) ⊕ len) · H ⊕ E(J0)
   * (clause 7.1 steps 5 and 6), so GHASH(A) = (T ⊕ E(J0)) · H⁻¹ ⊕ len. The state before A adds state · H^blocks.
   */
  ghash(data: Uint8Array, y: Uint8Array): void {
    if (data.length === 0) return;
    const { h, hInverse, mask } = this.#probe();
    const cipher = this.#cipher(ZERO_NONCE, BLOCK);
    absorbAad(cipher, data);
    cipher.final();
    const tag = cipher.getAuthTag();
    for (let i = 0; i < BLOCK; i++) tag[i] ^= mask[i];
    const sum = gf128.mul(gf128.fromBytes(tag), hInverse);
    const lengths = new Uint8Array(BLOCK);
    writeLengths(lengths, data.length, 0);
    const carried = gf128.mul(gf128.fromBytes(y), gf128.pow(h, Math.ceil(data.length / BLOCK)));
    for (let i = 0; i < 4; i++) sum[i] ^= carried[i] ^ load32(lengths, 4 * i);
    gf128.toBytes(sum, y);
    for (const secret of [tag, sum, carried]) secret.fill(0);
  }

  /** OpenSSL's counter is 128 bits wide; GCTR's wraps at 32, so a message that reaches the wrap takes two calls. */
  gctr(icb: Uint8Array, input: Uint8Array, out: Uint8Array): void {
    const counter = load32(icb, NONCE_LENGTH) >>> 0;
    const beforeWrap = Math.min(input.length, (2 ** 32 - counter) * BLOCK);
    this.#ctr(icb, input.subarray(0, beforeWrap), out);
    if (beforeWrap === input.length) return;
    const wrapped = new Uint8Array(icb);
    addBlocks(wrapped, beforeWrap / BLOCK);
    this.#ctr(wrapped, input.subarray(beforeWrap), out.subarray(beforeWrap));
  }

  wipe(): void {
    // A KeyObject cannot be wiped; Node clears its memory when it is collected.
    this.#key = undefined;
    for (const secret of Object.values(this.#probed ?? {})) secret.fill(0);
    this.#probed = undefined;
  }

  #ctr(icb: Uint8Array, input: Uint8Array, out: Uint8Array): void {
    const cipher = this.#crypto.createCipheriv(this.#ctrName, this.#live(), icb);
    pumpSecret(cipher, input, out);
    cipher.final();
  }

  #probe(): Probe {
    if (this.#probed === undefined) {
      const hashSubkey = new Uint8Array(BLOCK);
      this.#ctr(ZERO_BLOCK, ZERO_BLOCK, hashSubkey);
      const h = gf128.fromBytes(hashSubkey);
      hashSubkey.fill(0);
      const mask = new Uint8Array(BLOCK);
      deriveJ0(() => {}, ZERO_NONCE, mask);
      this.#ctr(mask, ZERO_BLOCK, mask);
      this.#probed = { h, hInverse: gf128.inverse(h), mask };
    }
    return this.#probed;
  }

  #live(): nodeCrypto.KeyObject {
    if (this.#key === undefined) throw new Error("the key was wiped");
    return this.#key;
  }

  /** The IV itself where OpenSSL takes its length, else the 16-byte IV that leads to the same J0. */
  #usableIv(iv: Uint8Array): Uint8Array {
    if (iv.length <= LONGEST_IV) return iv;
    const j0 = new Uint8Array(BLOCK);
    deriveJ0((data, y) => this.ghash(data, y), iv, j0);
    return gf128.ivForJ0(j0, this.#probe().hInverse);
  }

  #cipher(iv: Uint8Array, tagLength: number): nodeCrypto.CipherGCM {
    this.#count();
    const usable = this.#usableIv(iv);
    return this.#crypto.createCipheriv(this.#gcmName, this.#live(), usable, { authTagLength: tagLength });
  }

  #decipher(iv: Uint8Array, tagLength: number): nodeCrypto.DecipherGCM {
    this.#count();
    const usable = this.#usableIv(iv);
    return this.#crypto.createDecipheriv(this.#gcmName, this.#live(), usable, { authTagLength: tagLength });
  }

  #encryptStream(iv: Uint8Array, tagLength: number): EngineStream {
    const cipher = this.#cipher(iv, tagLength);
    return {
      aad: (chunk) => absorbAad(cipher, chunk),
      update: (chunk, out) => pump(cipher, chunk, out),
      finish: (tag) => {
        cipher.final();
        tag.set(cipher.getAuthTag());
      },
      verify: () => false,
      wipe: () => {},
    };
  }

  #decryptStream(iv: Uint8Array, tagLength: number): EngineStream {
    const decipher = this.#decipher(iv, tagLength);
    return {
      aad: (chunk) => absorbAad(decipher, chunk),
      update: (chunk, out) => pumpSecret(decipher, chunk, out),
      finish: () => {
        throw new Error("a decryption has no tag to give");
      },
      verify: (tag) => {
        decipher.setAuthTag(tag);
        return isAuthentic(decipher);
      },
      wipe: () => {},
    };
  }
}

/** The bytes as a plain array that has its memory for itself, which is what Node gives; other runtimes may cut from a pool. */
function withoutNeighbours(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

/** OpenSSL compares the tag in constant time and says no by throwing. */
function isAuthentic(decipher: nodeCrypto.DecipherGCM): boolean {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}
