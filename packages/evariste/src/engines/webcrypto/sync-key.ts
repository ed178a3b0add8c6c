/** A raw key on a synchronous engine, as a key for segments. */

import { HashSubkey } from "../../gcm/hash-subkey.js";
import { BLOCK } from "../../gcm/limits.js";
import type { EngineKey } from "../engine.js";
import { KeyRing } from "../key-ring.js";
import { cipherBlock, hashSubkeyOf, runSegment } from "../run-segment.js";
import type { SealedSegment, SegmentKey } from "./segment-key.js";

/** Segments on the calling thread, by the engine that runs large messages. */
export class SyncKey implements SegmentKey {
  readonly #keys: KeyRing;
  #subkey: HashSubkey | undefined;

  /** @param rawKey 16, 24 or 32 bytes; copied */
  constructor(rawKey: Uint8Array) {
    this.#keys = new KeyRing(rawKey);
  }

  get engine(): string {
    return this.#keys.engine;
  }

  async subkey(): Promise<HashSubkey> {
    if (this.#subkey === undefined) {
      const h = hashSubkeyOf(this.#engineKey());
      this.#subkey = new HashSubkey(h);
      h.fill(0);
    }
    return this.#subkey;
  }

  async cipherBlock(block: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    return cipherBlock(this.#engineKey(), block);
  }

  async encrypt(icb: Uint8Array, plaintext: Uint8Array): Promise<SealedSegment> {
    const output = new Uint8Array(plaintext.length);
    const ghash = runSegment(this.#engineKey(), "encrypt", icb, plaintext, output);
    return { output, hash: () => ghash };
  }

  async gctr(icb: Uint8Array, input: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const output = new Uint8Array(input.length);
    this.#engineKey().gctr(icb, input, output);
    return output;
  }

  async hash(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const y = new Uint8Array(BLOCK);
    this.#engineKey().ghash(data, y);
    return y;
  }

  destroy(): void {
    this.#keys.destroy();
    this.#subkey?.wipe();
  }

  #engineKey(): EngineKey {
    return this.#keys.for(Number.POSITIVE_INFINITY);
  }
}
