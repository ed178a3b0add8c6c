/**
 * Repeatable random numbers: the whole run follows from one seed. Not for keys. The generator is sfc32 of Chris
 * Doty-Humphrey's PractRand.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#c = seed | 0;
    for (let i = 0; i < 15; i++) this.uint32();
  }

  /** 0 to 2^32 - 1. */
  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor((this.uint32() / 2 ** 32) * (most - least + 1));
  }

  /** One of the items. */
  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)];
  }

  /** `length` bytes. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => this.uint32());
    return new Uint8Array(words.buffer, 0, length);
  }

  /** The bytes cut into `pieces` views at random places; some are empty. */
  cut(bytes: Uint8Array, pieces: number): Uint8Array[] {
    const cuts = Array.from({ length: pieces - 1 }, () => this.between(0, bytes.length)).sort(
      (a, b) => a - b,
    );
    return [0, ...cuts].map((start, i) => bytes.subarray(start, cuts[i] ?? bytes.length));
  }
}
