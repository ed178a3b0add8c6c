import { type EngineStream, SMALL_INPUT } from "../engine.js";
import type { Backend } from "./backend.js";
import type { WasmKey } from "./key.js";
import { ANY_COUNTER, BLOCK, CHUNK_BYTES, DECRYPT, EJ0, FINISH, ICB, IV, TEXT, Y } from "./layout.js";

/**
 * A message in pieces. Its state lives here, between calls, so that any number of streams and messages may share the
 * module's scratch memory: GHASH state, E(J0), IV or counter block, and the block that the last piece left unfinished.
 */
export class WasmStream implements EngineStream {
  readonly #key: WasmKey;
  readonly #backend: Backend;
  /** DECRYPT or 0, and ANY_COUNTER for IVs of other than 96 bits. */
  #flags: number;
  readonly #iv = new Uint8Array(12);
  readonly #icb = new Uint8Array(16);
  readonly #y = new Uint8Array(16);
  readonly #ej0 = new Uint8Array(16);
  /** Keystream of the unfinished block. */
  readonly #keystream = new Uint8Array(16);
  /** AAD or ciphertext of the unfinished block. */
  readonly #partial = new Uint8Array(16);
  #partialLength = 0;
  /** Counter of the next whole block, for IVs of 96 bits. */
  #counter = 2;
  #aadBytes = 0;
  #textBytes = 0;

  constructor(key: WasmKey, backend: Backend, iv: Uint8Array, direction: number) {
    this.#key = key;
    this.#backend = backend;
    const { scratch } = backend;
    key.prepare(Math.ceil(iv.length / 16) + 1);
    if (iv.length === 12) {
      this.#flags = direction;
      this.#iv.set(iv);
      this.#makeKeystream(1);
      scratch.take(BLOCK, 16, this.#ej0, 0);
    } else {
      this.#flags = direction | key.begin(iv);
      scratch.take(ICB, 16, this.#icb, 0);
      scratch.take(EJ0, 16, this.#ej0, 0);
      scratch.clear(EJ0, 16);
    }
    scratch.clear(BLOCK, 16);
  }

  aad(chunk: Uint8Array): void {
    this.#aadBytes += chunk.length;
    this.#enter(chunk.length);
    const { scratch, exports } = this.#backend;
    let at = 0;
    if (this.#partialLength > 0) {
      at = Math.min(16 - this.#partialLength, chunk.length);
      for (let i = 0; i < at; i++) this.#partial[this.#partialLength + i] = chunk[i];
      this.#partialLength += at;
      if (this.#partialLength === 16) this.#absorbPartial();
    }
    for (; chunk.length - at >= 16; ) {
      const size = Math.min((chunk.length - at) & ~15, CHUNK_BYTES);
      scratch.putPart(TEXT, chunk, at, size);
      exports.absorb(this.#key.slot, this.#key.wide, TEXT, size);
      at += size;
    }
    for (; at < chunk.length; at++) this.#partial[this.#partialLength++] = chunk[at];
    this.#leave();
  }

  update(input: Uint8Array, out: Uint8Array): void {
    // Small inputs may overlap the output in any way: see `Engine.copiesUpTo`.
    const chunk = input.length > SMALL_INPUT ? input : new Uint8Array(input);
    this.#enter(chunk.length);
    this.#endAad();
    this.#textBytes += chunk.length;
    const head = this.#partialLength > 0 ? Math.min(16 - this.#partialLength, chunk.length) : 0;
    this.#crypt(chunk, out, 0, head);
    if (this.#partialLength === 16) this.#absorbPartial();
    const whole = (chunk.length - head) & ~15;
    this.#cryptBlocks(chunk, out, head, head + whole);
    if (head + whole < chunk.length) {
      this.#makeKeystream(this.#counter++);
      this.#backend.scratch.take(BLOCK, 16, this.#keystream, 0);
      this.#crypt(chunk, out, head + whole, chunk.length);
    }
    this.#leave();
    this.#backend.calls++;
  }

  finish(tag: Uint8Array): void {
    this.#end(0, tag);
    const { scratch } = this.#backend;
    scratch.take(TEXT, tag.length, tag, 0);
    scratch.clear(TEXT, 32);
  }

  verify(tag: Uint8Array): boolean {
    return this.#end(DECRYPT, tag) === 1;
  }

  wipe(): void {
    for (const secret of [this.#icb, this.#y, this.#ej0, this.#keystream, this.#partial]) secret.fill(0);
    this.#partialLength = 0;
  }

  /** Puts the stream's state into scratch memory. */
  #enter(bytes: number): void {
    this.#key.prepare(Math.ceil(bytes / 16) + 1);
    const { scratch } = this.#backend;
    scratch.put(Y, this.#y);
    if (this.#flags & ANY_COUNTER) scratch.put(ICB, this.#icb);
    else scratch.put(IV, this.#iv);
  }

  /** Takes the state out again. */
  #leave(): void {
    const { scratch } = this.#backend;
    scratch.take(Y, 16, this.#y, 0);
    scratch.take(ICB, 16, this.#icb, 0);
    scratch.clear(Y, ICB + 16 - Y);
    scratch.clear(BLOCK, 16);
  }

  #absorbPartial(): void {
    const { scratch, exports } = this.#backend;
    scratch.putPart(TEXT, this.#partial, 0, this.#partialLength);
    exports.absorb(this.#key.slot, this.#key.wide, TEXT, this.#partialLength);
    this.#partialLength = 0;
  }

  /** The AAD is padded with zeros to a whole block before the text (clause 7.1 step 4). */
  #endAad(): void {
    if (this.#textBytes === 0 && this.#partialLength > 0) this.#absorbPartial();
  }

  /** E_K of a counter block, into BLOCK: of IV || counter, or of the ICB, which moves on. */
  #makeKeystream(counter: number): void {
    const { scratch, exports } = this.#backend;
    if (this.#flags & ANY_COUNTER) {
      scratch.moveBlock(ICB, BLOCK);
      scratch.increment(ICB);
    } else {
      scratch.put(BLOCK, this.#iv);
      scratch.setWord(BLOCK + 12, counter);
    }
    exports.block(this.#key.slot, this.#key.rounds);
  }

  /** Part of the unfinished block; its ciphertext is kept for GHASH. */
  #crypt(chunk: Uint8Array, out: Uint8Array, from: number, to: number): void {
    const isDecrypt = (this.#flags & DECRYPT) !== 0;
    for (let i = from; i < to; i++) {
      const byte = chunk[i];
      const result = byte ^ this.#keystream[this.#partialLength];
      this.#partial[this.#partialLength++] = isDecrypt ? byte : result;
      out[i] = result;
    }
  }

  #cryptBlocks(chunk: Uint8Array, out: Uint8Array, from: number, to: number): void {
    const { scratch } = this.#backend;
    const any = (this.#flags & ANY_COUNTER) !== 0;
    // Another message may have run since: states after round 2 are kept from the first whole run of this piece on.
    const cacheFrom = ((this.#counter >>> 3) + 31) & ~31;
    for (let at = from; at < to; ) {
      const place = any ? 0 : this.#counter & 7;
      const size = Math.min(to - at, CHUNK_BYTES - 16 * place);
      scratch.putPart(TEXT + 16 * place, chunk, at, size);
      const counter = any ? 0 : this.#counter;
      this.#backend.gcm(this.#key, this.#flags, counter, size, 0, 0, cacheFrom, 0, 0);
      scratch.take(TEXT + 16 * place, size, out, at);
      at += size;
      this.#counter += size >> 4;
    }
    // In both directions: what is left is keystream of the pieces to come.
    if (to > from) this.#backend.clearText(Math.min(to - from, CHUNK_BYTES));
  }

  /** @returns the verdict on `tag`, when `direction` is DECRYPT */
  #end(direction: number, tag: Uint8Array): number {
    const backend = this.#backend;
    const { scratch } = backend;
    this.#enter(0);
    if (this.#partialLength > 0) this.#absorbPartial();
    scratch.put(TEXT, tag);
    scratch.put(EJ0, this.#ej0);
    const flags = FINISH | direction;
    const verdict = backend.gcm(this.#key, flags, 0, 0, 0, tag.length, 0, this.#aadBytes, this.#textBytes);
    this.#leave();
    return verdict;
  }
}
