/** The synchronous core of opening a message that comes in pieces. */
import { allocateUnsafe } from "#platform";
import { checkBytes } from "../checks.js";
import { DISPOSE } from "../dispose.js";
import { AuthenticationError, StateError } from "../errors.js";
import type { ChunkCipher } from "./chunk-cipher.js";
import { CHUNK_LENGTH, HEADER_LENGTH, MAX_CHUNKS, SEALED_CHUNK_LENGTH, TAG_LENGTH } from "./format.js";
import { type ChunkedOptions, inputKey, recogniseMessage } from "./keys.js";
import { checkApart, checkedPiece } from "./pieces.js";

/**
 * Opens one message in pieces of any length. Everything it returns is verified plaintext, but only a `finish` that
 * returns shows that nothing was cut from the end.
 *
 * @example
 * const opener = await ChunkOpener.create(key, header);
 * for (const piece of piecesAfterTheHeader) use(opener.update(piece));
 * use(opener.finish());
 */
export class ChunkOpener {
  readonly #cipher: ChunkCipher;
  /** The beginning of a sealed chunk that is not complete yet. */
  readonly #pending = new Uint8Array(SEALED_CHUNK_LENGTH);
  #pendingLength = 0;
  #index = 0;
  #ended: "it is finished" | "it was destroyed" | "an earlier call failed" | "not authentic" | undefined;

  private constructor(cipher: ChunkCipher) {
    this.#cipher = cipher;
  }

  /**
   * Derives the message's key and checks the header's commitment to it.
   *
   * @param key the 16 or 32 bytes that the message was sealed with; copied
   * @param header the first 56 bytes of the file
   * @throws AuthenticationError for a header that is short, altered, or of another key or context
   * @throws TypeError, RangeError for a key or context that is not allowed
   */
  static async create(key: Uint8Array, header: Uint8Array, options?: ChunkedOptions): Promise<ChunkOpener> {
    checkBytes("header", header);
    if (header.length < HEADER_LENGTH) {
      throw new AuthenticationError(`${header.length} bytes are shorter than a header of ${HEADER_LENGTH}`);
    }
    if (header.length > HEADER_LENGTH) {
      throw new RangeError(`header has ${header.length} bytes; ${HEADER_LENGTH} are allowed`);
    }
    return new ChunkOpener(await recogniseMessage(inputKey(key, options), header));
  }

  /**
   * Takes the next piece of the file, after its header.
   *
   * @returns the plaintext of the chunks that it completes, in memory of its own; maybe empty
   * @throws AuthenticationError when one of them is not authentic, and at every call after that; none of the piece's
   *   plaintext is released
   * @throws TypeError, which changes nothing; StateError after `finish` or `destroy`
   */
  update(piece: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = allocateUnsafe(this.outputLength(checkedPiece(piece)));
    this.#take(piece, out);
    return out;
  }

  /**
   * As {@link update}, into the caller's memory, without allocating. When a chunk is not authentic, the bytes that would
   * have been written are zero.
   *
   * @param out at least {@link outputLength} bytes, apart from `piece`
   * @returns how many bytes were written to the start of `out`
   */
  updateInto(piece: Uint8Array, out: Uint8Array): number {
    const length = this.outputLength(checkedPiece(piece));
    checkApart(piece, out, length);
    this.#take(piece, out.subarray(0, length));
    return length;
  }

  /**
   * What `update` would give for the next piece, in bytes; at most 16,384 for each 16,400 of the piece, and 16,384 more.
   *
   * @param pieceLength bytes of the piece
   * @throws AuthenticationError after one was thrown; StateError after `finish` or `destroy`
   */
  outputLength(pieceLength: number): number {
    this.#mustLive();
    return this.#complete(pieceLength) * CHUNK_LENGTH;
  }

  /**
   * Ends the message, verifies that it is whole, and wipes its key.
   *
   * @returns the plaintext of the last chunk, 0 to 16,383 bytes
   * @throws AuthenticationError when the last chunk is not authentic or something was cut from the end
   */
  finish(): Uint8Array<ArrayBuffer> {
    this.#mustLive();
    if (this.#pendingLength < TAG_LENGTH)
      throw this.#notAuthentic("the message was cut: its last chunk is missing");
    this.#ended = "it is finished";
    const out = allocateUnsafe(this.#pendingLength - TAG_LENGTH);
    this.#guard(out, () => {
      this.#cipher.open(this.#index, this.#pending.subarray(0, this.#pendingLength), out);
    });
    this.#wipe();
    return out;
  }

  /** Gives the message up and wipes its key. Harmless at any time. */
  destroy(): void {
    this.#ended ??= "it was destroyed";
    this.#wipe();
  }

  /** `using` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }

  /** Opens what `piece` completes to the start of `out`, which it fills, and keeps the rest. */
  #take(piece: Uint8Array, out: Uint8Array): void {
    const full = this.#complete(piece.length);
    if (this.#index + full >= MAX_CHUNKS) throw this.#notAuthentic("the message passes 2^38 chunks");
    this.#ended = "an earlier call failed";
    const taken = full === 0 ? 0 : this.#openFull(piece, full, out);
    this.#pending.set(piece.subarray(taken), this.#pendingLength);
    this.#pendingLength += piece.length - taken;
    this.#index += full;
    this.#ended = undefined;
  }

  /** How many chunks a piece completes. */
  #complete(pieceLength: number): number {
    return Math.floor((this.#pendingLength + pieceLength) / SEALED_CHUNK_LENGTH);
  }

  /** @returns how much of `piece` went into chunks; the rest begins a new one */
  #openFull(piece: Uint8Array, full: number, out: Uint8Array): number {
    const missing = this.#pendingLength === 0 ? 0 : SEALED_CHUNK_LENGTH - this.#pendingLength;
    const completed = missing === 0 ? 0 : 1;
    const taken = missing + (full - completed) * SEALED_CHUNK_LENGTH;
    this.#guard(out, () => {
      if (completed === 1) {
        this.#pending.set(piece.subarray(0, missing), this.#pendingLength);
        this.#cipher.open(this.#index, this.#pending, out);
        this.#pendingLength = 0;
      }
      const rest = piece.subarray(missing, taken);
      this.#cipher.openAll(this.#index + completed, rest, out.subarray(completed * CHUNK_LENGTH));
    });
    return taken;
  }

  /** Runs `work`, which fills `out`; if it throws, clears `out` and ends the message. */
  #guard(out: Uint8Array, work: () => void): void {
    try {
      work();
    } catch (error) {
      out.fill(0);
      if (error instanceof AuthenticationError) throw this.#notAuthentic("a chunk is not authentic");
      this.#wipe();
      throw error;
    }
  }

  #notAuthentic(message: string): AuthenticationError {
    this.#ended = "not authentic";
    this.#wipe();
    return new AuthenticationError(message);
  }

  #mustLive(): void {
    if (this.#ended === undefined) return;
    if (this.#ended === "not authentic") throw new AuthenticationError("the message is not authentic");
    throw new StateError(`this ChunkOpener takes no more: ${this.#ended}`);
  }

  #wipe(): void {
    this.#cipher.destroy();
    this.#pending.fill(0);
    this.#pendingLength = 0;
  }
}
