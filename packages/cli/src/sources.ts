/** Where bytes come from: files read ahead into reused memory, and pipes as their pieces arrive. */
import { constants, type Stats } from "node:fs";
import { Socket } from "node:net";
import { mayBlock } from "./cleanup.js";
import { closeFd, identityOf, isPipe, openFd, readFully, statFd } from "./descriptors.js";
import { blame } from "./errors.js";

/** How people are told of standard input. */
export const STDIN_NAME = "standard input";

/** A stream of bytes in pieces. A piece stays as it is until the second call of `next` after the one that gave it. */
export interface Source {
  /** As people know it. */
  readonly name: string;
  /** Bytes in all, where that is known before reading. */
  readonly size?: number;
  /** Descriptor of a regular file that can be read at any place and twice. */
  readonly seekable?: number;
  /** Permission bits that an output should keep; absent for standard input. */
  readonly mode?: number;
  /** Which regular file it is, see {@link identityOf}. */
  readonly identity?: string;
  /** Up to `length` bytes: fewer only at the end. */
  take(length: number): Promise<Uint8Array>;
  /** The next piece, or undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Back to the first byte; only for seekable ones. */
  rewind(): void;
  /** Ends a `next` that waits for another process, so that a failure elsewhere need not wait too. */
  abandon(): void;
  close(): Promise<void>;
}

interface FileFacts {
  readonly name: string;
  readonly fd: number;
  readonly pieceSize: number;
  /** Present for regular files that are ours to seek in. */
  readonly stat?: Stats | undefined;
  /** As in {@link Source}; default: that of `stat`. */
  readonly identity?: string | undefined;
}

/** A file, or a device that reads like one, in pieces of one size. */
export class FileSource implements Source {
  readonly name: string;
  readonly size?: number;
  readonly mode?: number;
  readonly identity?: string;
  readonly seekable?: number;
  readonly #fd: number;
  // Three: one is being filled, one worked on in place, one still being written from.
  readonly #buffers: Uint8Array[];
  #turn = 0;
  #position: number | null = null;

  constructor({ name, fd, pieceSize, stat, identity }: FileFacts) {
    this.name = name;
    this.#fd = fd;
    if (identity !== undefined) this.identity = identity;
    if (stat !== undefined) {
      this.size = stat.size;
      this.mode = stat.mode & 0o777;
      this.identity = identityOf(stat);
      this.seekable = fd;
      this.#position = 0;
    }
    // A byte more than a small file, so that its end shows without another buffer.
    const capacity = stat === undefined ? pieceSize : Math.min(pieceSize, stat.size + 1);
    this.#buffers = Array.from({ length: 3 }, () => new Uint8Array(capacity));
  }

  async take(length: number): Promise<Uint8Array> {
    const target = new Uint8Array(length);
    return target.subarray(0, await this.#read(target));
  }

  async next(): Promise<Uint8Array | undefined> {
    const buffer = this.#buffers[this.#turn]!;
    this.#turn = (this.#turn + 1) % this.#buffers.length;
    const length = await this.#read(buffer);
    return length === 0 ? undefined : buffer.subarray(0, length);
  }

  async #read(target: Uint8Array): Promise<number> {
    try {
      const position = this.#position;
      // Without a place of its own this may be a terminal, which waits for a person.
      const length =
        position === null
          ? await mayBlock(() => readFully(this.#fd, target, null))
          : await readFully(this.#fd, target, position);
      if (position !== null) this.#position = position + length;
      return length;
    } catch (error) {
      throw blame("input", this.name, error);
    }
  }

  rewind(): void {
    this.#position = 0;
  }

  abandon(): void {
    // Reading a file ends by itself.
  }

  async close(): Promise<void> {
    for (const buffer of this.#buffers) buffer.fill(0);
    await closeFd(this.#fd);
  }
}

/** A pipe, FIFO or socket, in whatever pieces arrive. */
class PipeSource implements Source {
  readonly #socket: Socket;
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array | undefined;

  constructor(
    readonly name: string,
    fd: number,
  ) {
    this.#socket = new Socket({ fd, readable: true, writable: false });
    this.#pieces = this.#socket[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Uint8Array> {
    const target = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const piece = await this.next();
      if (piece === undefined) break;
      const part = piece.subarray(0, length - filled);
      target.set(part, filled);
      filled += part.length;
      if (part.length < piece.length) this.#rest = piece.subarray(part.length);
    }
    return target.subarray(0, filled);
  }

  async next(): Promise<Uint8Array | undefined> {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest !== undefined) return rest;
    try {
      const { done, value } = await this.#pieces.next();
      return done === true ? undefined : value;
    } catch (error) {
      throw blame("input", this.name, error);
    }
  }

  rewind(): void {
    throw new Error("a pipe cannot be read twice");
  }

  abandon(): void {
    this.#socket.destroy();
  }

  async close(): Promise<void> {
    this.#socket.destroy();
  }
}

/**
 * Opens a file, device or FIFO, following symbolic links.
 *
 * @param pieceSize of the pieces of a file, in bytes
 * @throws CliError of kind `input`
 */
export async function openSource(path: string, pieceSize: number): Promise<Source> {
  try {
    // A FIFO opens only when somebody writes to it.
    const fd = await mayBlock(() => openFd(path, constants.O_RDONLY));
    const stat = await statFd(fd);
    if (isPipe(stat)) return new PipeSource(path, fd);
    return new FileSource({ name: path, fd, pieceSize, stat: stat.isFile() ? stat : undefined });
  } catch (error) {
    throw blame("input", path, error);
  }
}

/** Standard input, read once from where it stands. */
export async function standardInput(pieceSize: number): Promise<Source> {
  try {
    const stat = await statFd(0);
    if (isPipe(stat)) return new PipeSource(STDIN_NAME, 0);
    const identity = stat.isFile() ? identityOf(stat) : undefined;
    return new FileSource({ name: STDIN_NAME, fd: 0, pieceSize, identity });
  } catch (error) {
    throw blame("input", STDIN_NAME, error);
  }
}
