/** A message in pieces, built on nothing but a key's `ghash` and `gctr`, for every engine that has those two. */

import { equalTags } from "../gcm/compare.js";
import { addBlocks, deriveJ0, inc32, writeLengths } from "../gcm/counter.js";
import type { Direction, EngineKey, EngineStream } from "./engine.js";

/** The part of an engine's key that {@link IncrementalGcm} needs. */
export type IncrementalKey = Pick<EngineKey, "ghash" | "gctr">;

/** GHASH over bytes that come in pieces: holds back what does not fill a block yet. */
class BlockHash {
  readonly y = new Uint8Array(16);
  readonly #key: IncrementalKey;
  readonly #pending = new Uint8Array(16);
  #pendingLength = 0;

  constructor(key: IncrementalKey) {
    this.#key = key;
  }

  update(data: Uint8Array): void {
    let from = 0;
    if (this.#pendingLength > 0) {
      from = Math.min(data.length, 16 - this.#pendingLength);
      this.#pending.set(data.subarray(0, from), this.#pendingLength);
      this.#pendingLength += from;
      if (this.#pendingLength < 16) return;
      this.pad();
    }
    const whole = data.length - ((data.length - from) % 16);
    if (whole > from) this.#key.ghash(data.subarray(from, whole), this.y);
    this.#pending.set(data.subarray(whole));
    this.#pendingLength = data.length - whole;
  }

  /** Absorbs what is held back, padded with zeros to a block. */
  pad(): void {
    if (this.#pendingLength === 0) return;
    this.#key.ghash(this.#pending.subarray(0, this.#pendingLength), this.y);
    this.#pendingLength = 0;
  }

  wipe(): void {
    this.y.fill(0);
    this.#pending.fill(0);
    this.#pendingLength = 0;
  }
}

/** One message under a key, in the order that {@link EngineStream} asks for. */
export class IncrementalGcm implements EngineStream {
  readonly #key: IncrementalKey;
  readonly #direction: Direction;
  readonly #hash: BlockHash;
  readonly #j0 = new Uint8Array(16);
  /** The counter block that comes next. */
  readonly #counter = new Uint8Array(16);
  /** A block of keystream of which a piece has used up the start only. */
  readonly #keystream = new Uint8Array(16);
  #keystreamUsed = 16;
  #aadBytes = 0;
  #textBytes = 0;

  constructor(key: IncrementalKey, iv: Uint8Array, direction: Direction) {
    this.#key = key;
    this.#direction = direction;
    this.#hash = new BlockHash(key);
    deriveJ0((data, y) => key.ghash(data, y), iv, this.#j0);
    this.#counter.set(this.#j0);
    inc32(this.#counter);
  }

  aad(chunk: Uint8Array): void {
    this.#aadBytes += chunk.length;
    this.#hash.update(chunk);
  }

  update(chunk: Uint8Array, out: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#textBytes === 0) this.#hash.pad();
    this.#textBytes += chunk.length;
    // GHASH covers the ciphertext: in place, decryption is about to overwrite it.
    if (this.#direction === "decrypt") this.#hash.update(chunk);
    this.#crypt(chunk, out);
    if (this.#direction === "encrypt") this.#hash.update(out.subarray(0, chunk.length));
  }

  finish(tag: Uint8Array): void {
    const computed = this.#tag();
    tag.set(computed.subarray(0, tag.length));
    computed.fill(0);
  }

  verify(tag: Uint8Array): boolean {
    const computed = this.#tag();
    const authentic = equalTags(computed, tag, tag.length);
    computed.fill(0);
    return authentic;
  }

  wipe(): void {
    this.#hash.wipe();
    this.#j0.fill(0);
    this.#counter.fill(0);
    this.#keystream.fill(0);
    this.#keystreamUsed = 16;
  }

  /** GCTR continued: the rest of a block begun, then whole blocks, then the start of one more. */
  #crypt(chunk: Uint8Array, out: Uint8Array): void {
    const head = Math.min(chunk.length, 16 - this.#keystreamUsed);
    this.#xorPending(chunk, out, 0, head);
    const whole = chunk.length - ((chunk.length - head) % 16);
    if (whole > head) {
      this.#key.gctr(this.#counter, chunk.subarray(head, whole), out.subarray(head, whole));
      addBlocks(this.#counter, (whole - head) / 16);
    }
    if (whole === chunk.length) return;
    this.#keystream.fill(0);
    this.#key.gctr(this.#counter, this.#keystream, this.#keystream);
    this.#keystreamUsed = 0;
    inc32(this.#counter);
    this.#xorPending(chunk, out, whole, chunk.length);
  }

  #xorPending(chunk: Uint8Array, out: Uint8Array, from: number, to: number): void {
    for (let i = from; i < to; i++) out[i] = chunk[i] ^ this.#keystream[this.#keystreamUsed++];
  }

  /** T = GCTR_K(J0, S), clause 7.1 step 6, all 16 bytes of it. */
  #tag(): Uint8Array {
    const lengths = new Uint8Array(16);
    writeLengths(lengths, this.#aadBytes, this.#textBytes);
    this.#hash.pad();
    this.#hash.update(lengths);
    const tag = new Uint8Array(16);
    this.#key.gctr(this.#j0, this.#hash.y, tag);
    return tag;
  }
}
