import { CHUNK_BYTES, TEXT } from "./layout.js";

/** Up to here a loop over words beats `set`, which costs a call into the runtime (20 ns against 1 ns a byte). */
const LOOP_BYTES = 24;
/** Outputs of up to this length have a view that is made once, for `set` takes no length. */
const CACHED_VIEW_BYTES = 1040;

/** The first block of a message's text has the counter 2, and lies where counters mod 8 put it. */
export const FIRST_TEXT = TEXT + 32;
export const FIRST_BYTES = CHUNK_BYTES - 32;

/** Copies between callers' arrays and the fixed part of WebAssembly memory. Addresses are multiples of 4. */
export class Scratch {
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  readonly #firstTexts: (Uint8Array | undefined)[] = [];

  /** @param bytes the whole memory; it never grows, so views stay good */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#words = new Int32Array(bytes.buffer);
    this.#doubles = new Float64Array(bytes.buffer);
  }

  /** Copies `source[from … from + length)` to the address; all of it when they are left out. */
  put(address: number, source: Uint8Array, from = 0, length = source.length): void {
    if (length > LOOP_BYTES) {
      this.#bytes.set(length === source.length ? source : source.subarray(from, from + length), address);
      return;
    }
    const words = this.#words;
    const end = from + length;
    let i = from;
    for (let at = address >> 2; i + 4 <= end; i += 4) {
      words[at++] = source[i] | (source[i + 1] << 8) | (source[i + 2] << 16) | (source[i + 3] << 24);
    }
    for (; i < end; i++) this.#bytes[address + i - from] = source[i];
  }

  /** Copies `length` bytes from the address to `out` from `to` on. */
  take(address: number, length: number, out: Uint8Array, to: number): void {
    if (length > LOOP_BYTES) out.set(this.#bytes.subarray(address, address + length), to);
    else for (let i = 0; i < length; i++) out[to + i] = this.#bytes[address + i];
  }

  /** Copies the first text of a message to `out` from `to` on. */
  takeFirstText(length: number, out: Uint8Array, to = 0): void {
    if (length > LOOP_BYTES + 16) {
      out.set(this.#firstTexts[length] ?? this.#viewFirstText(length), to);
      return;
    }
    const words = this.#words;
    let i = 0;
    for (let at = FIRST_TEXT >> 2; i + 4 <= length; i += 4) {
      const word = words[at++];
      out[to + i] = word;
      out[to + i + 1] = word >> 8;
      out[to + i + 2] = word >> 16;
      out[to + i + 3] = word >> 24;
    }
    for (; i < length; i++) out[to + i] = this.#bytes[FIRST_TEXT + i];
  }

  /** Zeroes the first text of a message. */
  clearFirstText(length: number): void {
    if (length > 8 * LOOP_BYTES) this.#bytes.fill(0, FIRST_TEXT, FIRST_TEXT + length);
    else for (let at = FIRST_TEXT >> 3; at << 3 < FIRST_TEXT + length; at++) this.#doubles[at] = 0;
  }

  clear(address: number, length: number): void {
    this.#bytes.fill(0, address, address + length);
  }

  /** Copies 16 bytes within the memory. */
  moveBlock(from: number, to: number): void {
    this.#bytes.copyWithin(to, from, from + 16);
  }

  /** inc32 (clause 6.2) on the block at the address; the sum is computed without looking at it. */
  increment(address: number): void {
    const view = new DataView(this.#bytes.buffer, address + 12, 4);
    view.setInt32(0, view.getInt32(0) + 1);
  }

  /** Writes a big-endian word. */
  setWord(address: number, value: number): void {
    new DataView(this.#bytes.buffer, address, 4).setInt32(0, value);
  }

  #viewFirstText(length: number): Uint8Array {
    const view = this.#bytes.subarray(FIRST_TEXT, FIRST_TEXT + length);
    if (length <= CACHED_VIEW_BYTES) this.#firstTexts[length] = view;
    return view;
  }
}
