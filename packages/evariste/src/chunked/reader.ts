/** Random access to a message in a file that is too large, or too far away, to be opened whole. */
import { allocateUnsafe } from "#platform";
import { DISPOSE } from "../dispose.js";
import { AuthenticationError, StateError } from "../errors.js";
import { checkedSource, checkRange, type RandomAccessSource } from "../source.js";
import type { ChunkCipher } from "./chunk-cipher.js";
import { CHUNK_LENGTH, HEADER_LENGTH, plaintextLength, SEALED_CHUNK_LENGTH } from "./format.js";
import { type ChunkedOptions, inputKey, recogniseMessage } from "./keys.js";

/** Chunks per read of the source: 1 MiB of plaintext, which bounds the memory of a read. */
const CHUNKS_PER_READ = 64;

/**
 * Reads any range of a sealed message, and of the source only the chunks that the range touches, each run of them in reads
 * of about 1 MiB. Every byte it gives is authentic, at its place, and so is {@link size}. Several ranges may be read at
 * once. The first that is not authentic ends them all: a file that somebody altered is read no further.
 *
 * @example
 * const reader = await ChunkedReader.open(file, key);
 * const tail = await reader.read(Math.max(0, reader.size - 1024), reader.size);
 */
export class ChunkedReader {
  /** Length of the message in bytes, authenticated. */
  readonly size: number;
  readonly #source: RandomAccessSource;
  readonly #cipher: ChunkCipher;
  #ended: "destroyed" | "not authentic" | undefined;

  private constructor(source: RandomAccessSource, cipher: ChunkCipher, size: number) {
    this.#source = source;
    this.#cipher = cipher;
    this.size = size;
  }

  /**
   * Checks the header's commitment and then the length, by opening the last chunk.
   *
   * @param key the 16 or 32 bytes that the message was sealed with; copied
   * @throws AuthenticationError for a wrong key or context, a header or last chunk that was altered, or a cut file
   * @throws TypeError, RangeError; Error when the source does not give what it was asked for
   */
  static async open(
    source: Blob | RandomAccessSource,
    key: Uint8Array,
    options?: ChunkedOptions,
  ): Promise<ChunkedReader> {
    const checked = checkedSource(source);
    const input = inputKey(key, options);
    let cipher: ChunkCipher | undefined;
    try {
      if (checked.size < HEADER_LENGTH) {
        throw new AuthenticationError(`${checked.size} bytes are shorter than a header of ${HEADER_LENGTH}`);
      }
      cipher = await recogniseMessage(input, await checked.read(0, HEADER_LENGTH));
      const reader = new ChunkedReader(checked, cipher, plaintextLength(checked.size));
      await reader.#openLast();
      return reader;
    } catch (error) {
      cipher?.destroy();
      throw error;
    } finally {
      input.key.fill(0);
    }
  }

  /**
   * The bytes from `start` up to, not including, `end`.
   *
   * @throws RangeError unless 0 <= start <= end <= size
   * @throws AuthenticationError when a chunk of the range is not authentic, and at every read after that
   * @throws StateError after `destroy`; Error when the source does not give what it was asked for
   */
  async read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#mustLive();
    checkRange(start, end, this.size);
    const out = allocateUnsafe(end - start);
    try {
      for (let at = start; at < end; ) {
        const next = Math.min(end, endOfStep(at));
        await this.#readStep(at, next, out.subarray(at - start, next - start));
        at = next;
      }
    } catch (error) {
      out.fill(0);
      if (error instanceof AuthenticationError) this.#end("not authentic");
      throw error;
    }
    return out;
  }

  /**
   * The bytes from `start` up to, not including, `end`, in pieces of up to 1 MiB, at most one of them ahead of its reader.
   *
   * @param start default 0
   * @param end default {@link size}
   * @throws at once for a wrong range and a reader that has ended; what else {@link read} throws comes through the stream
   */
  stream(start = 0, end: number = this.size): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#mustLive();
    checkRange(start, end, this.size);
    let at = start;
    return new ReadableStream({
      pull: async (controller) => {
        if (at < end) {
          const next = Math.min(end, endOfStep(at));
          controller.enqueue(await this.read(at, next));
          at = next;
        }
        if (at === end) controller.close();
      },
    });
  }

  /** Wipes the message's key. Reads that are under way and later ones are a StateError. */
  destroy(): void {
    this.#end("destroyed");
  }

  /** `using` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }

  #end(how: "destroyed" | "not authentic"): void {
    this.#ended ??= how;
    this.#cipher.destroy();
  }

  #mustLive(): void {
    if (this.#ended === "destroyed") throw new StateError("this ChunkedReader was destroyed");
    if (this.#ended !== undefined) throw new AuthenticationError("the message is not authentic");
  }

  /** Opens the last chunk, whose place and shortness authenticate the length. */
  async #openLast(): Promise<void> {
    const index = Math.floor(this.size / CHUNK_LENGTH);
    const at = HEADER_LENGTH + index * SEALED_CHUNK_LENGTH;
    const sealed = await this.#source.read(at, this.#source.size - at);
    const plaintext = new Uint8Array(CHUNK_LENGTH);
    this.#cipher.open(index, sealed, plaintext);
    plaintext.fill(0);
  }

  /** Fills `out` with the bytes from `start` to `end`, at least one, by one read of the source. */
  async #readStep(start: number, end: number, out: Uint8Array): Promise<void> {
    const first = Math.floor(start / CHUNK_LENGTH);
    const chunks = Math.floor((end - 1) / CHUNK_LENGTH) + 1 - first;
    const offset = HEADER_LENGTH + first * SEALED_CHUNK_LENGTH;
    const length = Math.min(chunks * SEALED_CHUNK_LENGTH, this.#source.size - offset);
    const sealed = await this.#source.read(offset, length);
    // Another read may have found a forgery meanwhile.
    this.#mustLive();
    for (let i = 0; i < chunks; i++) {
      const chunk = sealed.subarray(i * SEALED_CHUNK_LENGTH, (i + 1) * SEALED_CHUNK_LENGTH);
      this.#openPart(first + i, chunk, start, end, out);
    }
  }

  /** Opens chunk `index` and puts what of it lies between `start` and `end` to its place in `out`. */
  #openPart(index: number, sealed: Uint8Array, start: number, end: number, out: Uint8Array): void {
    const from = index * CHUNK_LENGTH;
    const to = Math.min(from + CHUNK_LENGTH, this.size);
    if (from >= start && to <= end) {
      this.#cipher.open(index, sealed, out.subarray(from - start));
      return;
    }
    const plaintext = new Uint8Array(to - from);
    this.#cipher.open(index, sealed, plaintext);
    out.set(plaintext.subarray(Math.max(0, start - from), end - from), Math.max(0, from - start));
    plaintext.fill(0);
  }
}

/** Where the read that begins at `at` ends: at a chunk's end, so that no chunk is read twice. */
function endOfStep(at: number): number {
  return (Math.floor(at / CHUNK_LENGTH) + CHUNKS_PER_READ) * CHUNK_LENGTH;
}
