/** The synchronous core of sealing a message that comes in pieces. */
import { allocateUnsafe } from "#platform";
import { DISPOSE } from "../dispose.js";
import { StateError } from "../errors.js";
import type { ChunkCipher } from "./chunk-cipher.js";
import { CHUNK_LENGTH, MAX_MESSAGE, SEALED_CHUNK_LENGTH, TAG_LENGTH } from "./format.js";
import { beginMessage, type ChunkedOptions, inputKey } from "./keys.js";
import { checkApart, checkedPiece } from "./pieces.js";

/**
 * Seals one message in pieces of any length. The file is {@link header}, what each `update` returns, and what `finish`
 * returns, in this order.
 *
 * @example
 * const sealer = await ChunkSealer.create(key);
 * write(sealer.header);
 * for (const piece of pieces) write(sealer.update(piece));
 * write(sealer.finish());
 */
export class ChunkSealer {
  /** Salt and commitment, 56 bytes: the start of the file. */
  readonly header: Uint8Array<ArrayBuffer>;
  readonly #cipher: ChunkCipher;
  /** Plaintext of a chunk that is not full yet. */
  readonly #pending = new Uint8Array(CHUNK_LENGTH);
  #pendingLength = 0;
  #length = 0;
  #ended: string | undefined;

  private constructor(header: Uint8Array<ArrayBuffer>, cipher: ChunkCipher) {
    this.header = header;
    this.#cipher = cipher;
  }

  /**
   * Derives the message's key from yours and a fresh random salt.
   *
   * @param key uniformly random; 16 bytes for Cobblestone-128, 32 for Cobblestone-256; copied
   * @throws TypeError, RangeError for a key or context that is not allowed
   */
  static async create(key: Uint8Array, options?: ChunkedOptions): Promise<ChunkSealer> {
    const { header, cipher } = await beginMessage(inputKey(key, options));
    return new ChunkSealer(header, cipher);
  }

  /**
   * Takes the next piece of the message.
   *
   * @returns the chunks that it completes, sealed, end to end, in memory of their own; maybe none
   * @throws TypeError or RangeError, which change nothing; StateError after `finish` or `destroy`
   */
  update(piece: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = allocateUnsafe(this.outputLength(checkedPiece(piece)));
    this.#take(piece, out);
    return out;
  }

  /**
   * As {@link update}, into the caller's memory, without allocating.
   *
   * @param out at least {@link outputLength} bytes, apart from `piece`
   * @returns how many bytes were written to the start of `out`
   */
  updateInto(piece: Uint8Array, out: Uint8Array): number {
    const length = this.outputLength(checkedPiece(piece));
    checkApart(piece, out, length);
    this.#take(piece, out);
    return length;
  }

  /**
   * What `update` would give for the next piece, in bytes; at most 16,400 for each 16,384 of the piece, and 16,400 more.
   *
   * @param pieceLength bytes of the piece
   * @throws RangeError when the message would pass 2^52 - 1 bytes; StateError after `finish` or `destroy`
   */
  outputLength(pieceLength: number): number {
    this.#mustLive();
    if (pieceLength > MAX_MESSAGE - this.#length) {
      throw new RangeError("the message passes 2^52 - 1 bytes, the most that 2^38 chunks hold");
    }
    return Math.floor((this.#pendingLength + pieceLength) / CHUNK_LENGTH) * SEALED_CHUNK_LENGTH;
  }

  /**
   * Ends the message and wipes its key.
   *
   * @returns the sealed last chunk, 16 to 16,399 bytes
   */
  finish(): Uint8Array<ArrayBuffer> {
    this.#mustLive();
    this.#ended = "the message is finished";
    const out = allocateUnsafe(this.#pendingLength + TAG_LENGTH);
    try {
      this.#cipher.seal(this.#nextIndex(), this.#pending.subarray(0, this.#pendingLength), out);
      return out;
    } finally {
      this.#wipe();
    }
  }

  /** Gives the message up and wipes its key and the plaintext held back. Harmless at any time. */
  destroy(): void {
    this.#ended ??= "it was destroyed";
    this.#wipe();
  }

  /** `using` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }

  /** Seals what `piece` completes to the start of `out`, and keeps the rest. */
  #take(piece: Uint8Array, out: Uint8Array): void {
    // Whatever throws from here on ends the message: a chunk's nonce must not seal two texts.
    this.#ended = "an earlier call failed";
    try {
      const full = Math.floor((this.#pendingLength + piece.length) / CHUNK_LENGTH);
      const taken = full === 0 ? 0 : this.#sealFull(piece, full, out);
      this.#pending.set(piece.subarray(taken), this.#pendingLength);
      this.#pendingLength += piece.length - taken;
      this.#length += piece.length;
    } catch (error) {
      this.#wipe();
      throw error;
    }
    this.#ended = undefined;
  }

  /** @returns how much of `piece` went into chunks; the rest begins a new one */
  #sealFull(piece: Uint8Array, full: number, out: Uint8Array): number {
    const index = this.#nextIndex();
    if (this.#pendingLength === 0) {
      const taken = full * CHUNK_LENGTH;
      this.#cipher.sealAll(index, piece.subarray(0, taken), out);
      return taken;
    }
    const missing = CHUNK_LENGTH - this.#pendingLength;
    const taken = missing + (full - 1) * CHUNK_LENGTH;
    this.#pending.set(piece.subarray(0, missing), this.#pendingLength);
    this.#cipher.seal(index, this.#pending, out);
    this.#cipher.sealAll(index + 1, piece.subarray(missing, taken), out.subarray(SEALED_CHUNK_LENGTH));
    this.#pending.fill(0);
    this.#pendingLength = 0;
    return taken;
  }

  #nextIndex(): number {
    return Math.floor(this.#length / CHUNK_LENGTH);
  }

  #mustLive(): void {
    if (this.#ended !== undefined) throw new StateError(`this ChunkSealer takes no more: ${this.#ended}`);
  }

  #wipe(): void {
    this.#cipher.destroy();
    this.#pending.fill(0);
    this.#pendingLength = 0;
  }
}
