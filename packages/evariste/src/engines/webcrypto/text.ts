/** One message, or a part of one, that goes through a {@link SegmentKey} segment by segment. */

import { StateError } from "../../errors.js";
import { copyOf } from "../../gcm/bytes.js";
import { addBlocks, deriveJ0 } from "../../gcm/counter.js";
import { type HashSubkey, xorInto } from "../../gcm/hash-subkey.js";
import { BLOCK } from "../../gcm/limits.js";
import type { SegmentKey } from "./segment-key.js";

/** AAD is hashed in pieces of this many bytes: less than any platform refuses. */
const AAD_PIECE = 1024 * 1024;

/** A segment that was started and is not part of the hash yet. */
interface Pending {
  readonly bytes: number;
  hash: ((before: Uint8Array) => Uint8Array) | undefined;
  /**
   * Encryption: the last block of plaintext, which becomes CIPH_K of the last counter block when the ciphertext is there.
   * Decryption's hashes need none.
   */
  lastBlock: Uint8Array | undefined;
}

/**
 * The counters and the hash of consecutive segments. Segments are started in order, run at once and finish in any order.
 * All but the last have lengths that are multiples of 16, and none is empty. The caller counts: the limits are its business.
 */
export class SegmentedText {
  readonly #key: SegmentKey;
  readonly #subkey: HashSubkey;
  readonly #counter: Uint8Array;
  /** CIPH_K(J0), the tag's mask. */
  readonly #mask: Uint8Array;
  /** GHASH of the AAD and of the segments up to the first pending one. */
  readonly #y: Uint8Array;
  readonly #aadLength: number;
  readonly #pending: Pending[] = [];
  /** CIPH_K of the counter block before the first pending segment. */
  #before: Uint8Array;
  #length = 0;

  private constructor(
    key: SegmentKey,
    subkey: HashSubkey,
    counter: Uint8Array,
    mask: Uint8Array,
    y: Uint8Array,
    aadLength: number,
  ) {
    this.#key = key;
    this.#subkey = subkey;
    this.#counter = counter;
    this.#mask = mask;
    this.#before = copyOf(mask);
    this.#y = y;
    this.#aadLength = aadLength;
  }

  /**
   * Begins a message.
   *
   * @param iv 1 byte or more; read before the promise is returned
   * @param aad must not change before the promise settles
   */
  static async begin(key: SegmentKey, iv: Uint8Array, aad: Uint8Array): Promise<SegmentedText> {
    const j0 = await preCounterBlock(key, copyOf(iv));
    const subkey = await key.subkey();
    const [mask, y] = await Promise.all([key.cipherBlock(j0), hashAll(key, aad)]);
    addBlocks(j0, 1);
    return new SegmentedText(key, subkey, j0, mask, y, aad.length);
  }

  /**
   * Begins a part of a message's text, which has a {@link partialHash} and no tag.
   *
   * @param offset where the part begins, in bytes; a multiple of 16
   */
  static async beginPart(key: SegmentKey, iv: Uint8Array, offset: number): Promise<SegmentedText> {
    const block = await preCounterBlock(key, copyOf(iv));
    addBlocks(block, offset / BLOCK);
    const [subkey, before] = await Promise.all([key.subkey(), key.cipherBlock(block)]);
    addBlocks(block, 1);
    return new SegmentedText(key, subkey, block, before, new Uint8Array(BLOCK), 0);
  }

  /** Bytes of all segments so far. */
  get length(): number {
    return this.#length;
  }

  /** Encrypts the next segment. Reads `plaintext` before the promise is returned. */
  async encrypt(plaintext: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const icb = this.#advance(plaintext.length);
    const pending = this.#pend(plaintext.length);
    const lastBlock = copyOf(plaintext, Math.floor((plaintext.length - 1) / BLOCK) * BLOCK);
    pending.lastBlock = lastBlock;
    const { output, hash } = await this.#key.encrypt(icb, plaintext);
    // The keystream is the text XOR the ciphertext.
    xorInto(lastBlock, output.subarray(output.length - lastBlock.length));
    pending.hash = hash;
    this.#fold();
    return output;
  }

  /** Decrypts the next segment; what it gives is not verified. Reads `ciphertext` before the promise is returned. */
  async decryptUnverified(ciphertext: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const icb = this.#advance(ciphertext.length);
    const pending = this.#pend(ciphertext.length);
    const [output, ghash] = await Promise.all([this.#key.gctr(icb, ciphertext), this.#key.hash(ciphertext)]);
    pending.hash = () => ghash;
    this.#fold();
    return output;
  }

  /** Hashes the next segment of ciphertext and no more: the first of two passes. Reads it before the promise is returned. */
  async verify(ciphertext: Uint8Array): Promise<void> {
    this.#advance(ciphertext.length);
    const pending = this.#pend(ciphertext.length);
    const ghash = await this.#key.hash(ciphertext);
    pending.hash = () => ghash;
    this.#fold();
  }

  /** Decrypts the next segment of a message whose tag is known to be right. It does not count for {@link tag}. */
  decryptVerified(ciphertext: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    return this.#key.gctr(this.#advance(ciphertext.length), ciphertext);
  }

  /** The tag of the message, 16 bytes. Every segment's promise must have been awaited. */
  tag(): Uint8Array<ArrayBuffer> {
    const tag = this.partialHash();
    this.#subkey.hashToTag(tag, this.#mask, this.#aadLength, this.#length);
    return tag;
  }

  /** GHASH of a part from zero, 16 bytes. Every segment's promise must have been awaited. */
  partialHash(): Uint8Array<ArrayBuffer> {
    if (this.#pending.length > 0) throw new StateError("a segment of the message is still under way");
    return new Uint8Array(this.#y);
  }

  /** Clears the secrets. */
  wipe(): void {
    for (const secret of [this.#mask, this.#before, this.#y]) secret.fill(0);
    for (const { lastBlock } of this.#pending) lastBlock?.fill(0);
  }

  /** The counter block that a segment of this length begins with; the next one begins behind it. */
  #advance(bytes: number): Uint8Array {
    if (this.#length % BLOCK !== 0) throw new StateError("a segment inside a message must be whole blocks");
    const icb = copyOf(this.#counter);
    addBlocks(this.#counter, Math.ceil(bytes / BLOCK));
    this.#length += bytes;
    return icb;
  }

  #pend(bytes: number): Pending {
    const pending: Pending = { bytes, hash: undefined, lastBlock: undefined };
    this.#pending.push(pending);
    return pending;
  }

  /** Appends the hashes of the first segments that have one. */
  #fold(): void {
    for (let first = this.#pending[0]; first?.hash !== undefined; first = this.#pending[0]) {
      const { bytes, hash, lastBlock } = first;
      this.#pending.shift();
      const ghash = hash(this.#before);
      this.#subkey.append(this.#y, ghash, bytes);
      ghash.fill(0);
      if (lastBlock === undefined) continue;
      this.#before.fill(0);
      this.#before = lastBlock;
    }
  }
}

/** J0, clause 7.1 step 2. */
export async function preCounterBlock(key: SegmentKey, iv: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const subkey = await key.subkey();
  const j0 = new Uint8Array(BLOCK);
  deriveJ0((data, y) => subkey.ghash(data, y), iv, j0);
  return j0;
}

/** GHASH of data of any length from zero. `data` must not change before the promise settles. */
export async function hashAll(key: SegmentKey, data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const y = new Uint8Array(BLOCK);
  const subkey = await key.subkey();
  for (let at = 0; at < data.length; at += AAD_PIECE) {
    const piece = data.subarray(at, at + AAD_PIECE);
    subkey.append(y, await key.hash(piece), piece.length);
  }
  return y;
}
