/** Where the segments of a message go. */
import { allocateUnsafe } from "#platform";

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

/** One buffer. */
export class JoinedOutput implements Output {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  readonly #secret: boolean;
  #taken = 0;

  /** @param secret what comes is plaintext, whose pieces are cleared once they are copied */
  constructor(secret = true) {
    this.#secret = secret;
  }

  whole(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes;
  }

  begin(length: number): void {
    this.bytes = allocateUnsafe(length);
  }

  take(piece: Uint8Array<ArrayBuffer>): void {
    this.bytes.set(piece, this.#taken);
    this.#taken += piece.length;
    if (this.#secret) piece.fill(0);
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
