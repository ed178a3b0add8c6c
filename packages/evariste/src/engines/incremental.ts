/** A message in pieces, built on nothing but a key's `ghash` and `gctr`, for every engine that has those two. */

import { equalTags } from "../gcm/compare.js";
import { addBlocks, deriveJ0, writeLengths } from "../gcm/counter.js";
import type { Direction, EngineKey, EngineStream } from "./engine.js";

/** The part of an engine's key that {@link IncrementalGcm} needs. */
export type IncrementalKey = Pick<EngineKey, "ghash" | "gctr">;

/** One message under a key, in the order that {@link EngineStream} asks for. */
export class IncrementalGcm implements EngineStream {
  readonly #key: IncrementalKey;
  readonly #direction: Direction;
  readonly #j0 = new Uint8Array(16);
  /** The counter block that comes next. */
  readonly #counter = new Uint8Array(16);
  /** What GHASH has come to. */
  readonly #y = new Uint8Array(16);
  /** The start of a block of AAD or ciphertext that is not hashed yet. */
  readonly #pending = new Uint8Array(16);
  /** The keystream of that block, of which its start is used up. */
  readonly #keystream = new Uint8Array(16);
  #aadBytes = 0;
  #textBytes = 0;

  constructor(key: IncrementalKey, iv: Uint8Array, direction: Direction) {
    this.#key = key;
    this.#direction = direction;
    deriveJ0((data, y) => key.ghash(data, y), iv, this.#j0);
    this.#counter.set(this.#j0);
    addBlocks(this.#counter, 1);
  }

  aad(chunk: Uint8Array): void {
    this.#hash(chunk, this.#aadBytes % 16);
    this.#aadBytes += chunk.length;
  }

  update(chunk: Uint8Array, out: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#textBytes === 0) this.#pad(this.#aadBytes);
    const begun = this.#textBytes % 16;
    this.#textBytes += chunk.length;
    // GHASH covers the ciphertext: in place, decryption is about to overwrite it.
    if (this.#direction === "decrypt") this.#hash(chunk, begun);
    this.#crypt(chunk, out, begun);
    if (this.#direction === "encrypt") this.#hash(part(out, 0, chunk.length), begun);
  }

  finish(tag: Uint8Array): void {
    const computed = this.#tag();
    for (let i = 0; i < tag.length; i++) tag[i] = computed[i];
    computed.fill(0);
  }

  verify(tag: Uint8Array): boolean {
    const computed = this.#tag();
    const authentic = equalTags(computed, tag, tag.length);
    computed.fill(0);
    return authentic;
  }

  wipe(): void {
    for (const state of [this.#j0, this.#counter, this.#y, this.#pending, this.#keystream]) state.fill(0);
  }

  /** GHASH continued: the rest of a block begun, then whole blocks; the start of one more is held back. */
  #hash(data: Uint8Array, begun: number): void {
    const head = headOf(data, begun);
    for (let i = 0; i < head; i++) this.#pending[begun + i] = data[i];
    if (head > 0 && begun + head === 16) this.#key.ghash(this.#pending, this.#y);
    const whole = data.length - ((data.length - head) % 16);
    if (whole > head) this.#key.ghash(part(data, head, whole), this.#y);
    for (let i = whole; i < data.length; i++) this.#pending[i - whole] = data[i];
  }

  /** Hashes what is held back of so many bytes, padded with zeros to a block. */
  #pad(bytes: number): void {
    if (bytes % 16 > 0) this.#key.ghash(this.#pending.subarray(0, bytes % 16), this.#y);
  }

  /** GCTR continued: the rest of a block begun, then whole blocks, then the start of one more. */
  #crypt(chunk: Uint8Array, out: Uint8Array, begun: number): void {
    const head = headOf(chunk, begun);
    for (let i = 0; i < head; i++) out[i] = chunk[i] ^ this.#keystream[begun + i];
    const whole = chunk.length - ((chunk.length - head) % 16);
    if (whole > head) {
      this.#key.gctr(this.#counter, part(chunk, head, whole), part(out, head, whole));
      addBlocks(this.#counter, (whole - head) / 16);
    }
    if (whole === chunk.length) return;
    this.#keystream.fill(0);
    this.#key.gctr(this.#counter, this.#keystream, this.#keystream);
    addBlocks(this.#counter, 1);
    for (let i = whole; i < chunk.length; i++) out[i] = chunk[i] ^ this.#keystream[i - whole];
  }

  /** T = GCTR_K(J0, S), clause 7.1 step 6, all 16 bytes of it. */
  #tag(): Uint8Array {
    this.#pad(this.#textBytes || this.#aadBytes);
    writeLengths(this.#pending, this.#aadBytes, this.#textBytes);
    this.#key.ghash(this.#pending, this.#y);
    const tag = new Uint8Array(16);
    this.#key.gctr(this.#j0, this.#y, tag);
    return tag;
  }
}

/** How many bytes of `data` belong to the block that was begun. */
function headOf(data: Uint8Array, begun: number): number {
  return Math.min(data.length, -begun & 15);
}

/** A view of its own takes V8 longer than a block the cipher. */
function part(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return to - from === bytes.length ? bytes : bytes.subarray(from, to);
}
