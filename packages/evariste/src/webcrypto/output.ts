/** Where the segments of a message go. */
import { allocateUnsafe } from "#platform";
import { release } from "../gcm/bytes.js";

/** Takes the output of one message. */
export interface Output {
  /** Takes all of it at once. */
  whole(bytes: Uint8Array<ArrayBuffer>): void;
  /** Announces that `length` bytes will come by {@link take}. */
  begin(length: number): void;
  /** Takes the next piece, which the output may keep or clear. */
  take(piece: Uint8Array<ArrayBuffer>): void;
  /** Clears what it has: it must not be released. */
  clear(): void;
}

/** One buffer: the caller's, or one that is made. */
export class JoinedOutput implements Output {
  bytes: Uint8Array<ArrayBuffer>;
  readonly #given: boolean;
  readonly #secret: boolean;
  #taken = 0;

  /**
   * @param secret what comes is plaintext, whose pieces are cleared once they are copied
   * @param into memory of the caller, exactly as long as what comes
   */
  constructor(secret: boolean, into?: Uint8Array<ArrayBuffer>) {
    this.#secret = secret;
    this.#given = into !== undefined;
    this.bytes = into ?? new Uint8Array(0);
  }

  whole(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#given) {
      this.bytes = bytes;
      return;
    }
    this.bytes.set(bytes);
    if (this.#secret) bytes.fill(0);
  }

  begin(length: number): void {
    if (!this.#given) this.bytes = allocateUnsafe(length);
  }

  take(piece: Uint8Array<ArrayBuffer>): void {
    this.bytes.set(piece, this.#taken);
    this.#taken += piece.length;
    if (this.#secret) piece.fill(0);
    // Fresh memory costs more than the cryptography that fills it: the next piece gets this one's.
    release(piece);
  }

  clear(): void {
    this.bytes.fill(0);
  }
}

/** The pieces as they come. */
export class PartsOutput implements Output {
  readonly parts: Uint8Array<ArrayBuffer>[] = [];

  whole(bytes: Uint8Array<ArrayBuffer>): void {
    this.parts.push(bytes);
  }

  begin(): void {}

  take(piece: Uint8Array<ArrayBuffer>): void {
    this.parts.push(piece);
  }

  clear(): void {
    for (const part of this.parts) part.fill(0);
  }
}
