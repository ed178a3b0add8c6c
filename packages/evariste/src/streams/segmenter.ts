/** Pieces of any length, cut anew into segments of one length. */
export class Segmenter {
  readonly #length: number;
  readonly #held: number;
  #buffer: Uint8Array<ArrayBuffer> | undefined;
  #filled = 0;

  /**
   * @param length bytes of a segment
   * @param held bytes at the end of all pieces that belong to no segment
   */
  constructor(length: number, held = 0) {
    this.#length = length;
    this.#held = held;
  }

  /**
   * The segments that are complete with this piece. Each is a view that is good until the next one is asked for.
   */
  *push(piece: Uint8Array): Generator<Uint8Array> {
    const full = this.#length + this.#held;
    let at = 0;
    while (piece.length - at + this.#filled >= full) {
      // Straight from the piece where nothing is buffered and nothing is to be held.
      if (this.#filled === 0) {
        yield piece.subarray(at, at + this.#length);
        at += this.#length;
        continue;
      }
      at += this.#fill(piece, at, full);
      yield this.#buffer!.subarray(0, this.#length);
      this.#buffer!.copyWithin(0, this.#length, full);
      this.#filled = this.#held;
    }
    this.#fill(piece, at, full);
  }

  /** What is left: less than a segment, and behind it what was held; shorter when there was not so much. */
  rest(): Uint8Array {
    return this.#buffer?.subarray(0, this.#filled) ?? new Uint8Array(0);
  }

  /** Clears what is left. */
  wipe(): void {
    this.#buffer?.fill(0);
    this.#filled = 0;
  }

  /** Buffers from `piece` what fits and says how much that was. */
  #fill(piece: Uint8Array, at: number, full: number): number {
    const part = piece.subarray(at, at + full - this.#filled);
    if (part.length === 0) return 0;
    this.#buffer ??= new Uint8Array(full);
    this.#buffer.set(part, this.#filled);
    this.#filled += part.length;
    return part.length;
  }
}
