/** Where bytes go: a file that gets its name only when it is whole, or a pipe. */
import { constants, type Stats, statSync } from "node:fs";
import { Socket } from "node:net";
import { AtomicFile } from "./atomic-file.js";
import { mayBlock } from "./cleanup.js";
import { closeFd, identityOf, isPipe, openFd, statFd, writeFully } from "./descriptors.js";
import { BrokenPipeError, blame, CliError } from "./errors.js";
import type { Source } from "./sources.js";

/** How people are told of standard output. */
export const STDOUT_NAME = "standard output";

/** A receiver of bytes. Writes are awaited one at a time; `bytes` may be reused once `write` has resolved. */
export interface Sink {
  /** As people know it. */
  readonly name: string;
  /** True when what was written can still be withdrawn: nobody sees it before `commit`. */
  readonly revocable: boolean;
  write(bytes: Uint8Array): Promise<void>;
  /** The output is whole. */
  commit(): Promise<void>;
  /** The output is not to be: withdraws it where that is possible. Harmless after `commit`. */
  abort(): Promise<void>;
}

/** A device, or standard output that is a file or terminal. */
class DescriptorSink implements Sink {
  readonly revocable = false;

  constructor(
    readonly name: string,
    private readonly fd: number,
  ) {}

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await mayBlock(() => writeFully(this.fd, bytes));
    } catch (error) {
      throw blame("output", this.name, error);
    }
  }

  async commit(): Promise<void> {
    await this.abort();
  }

  async abort(): Promise<void> {
    if (this.fd > 2) await closeFd(this.fd);
  }
}

/** A pipe: written through a socket, so that a reader who stops reading does not make signals wait. */
class PipeSink implements Sink {
  readonly revocable = false;
  readonly #socket: Socket;
  #failure: Error | undefined;

  constructor(
    readonly name: string,
    fd: number,
  ) {
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.on("error", (error) => {
      this.#failure ??= blame("output", name, error);
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => {
        if (error) reject(this.#failure ?? blame("output", this.name, error));
        else resolve();
      });
    });
  }

  commit(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure);
      else if (this.#socket.destroyed) reject(new BrokenPipeError());
      else this.#socket.end(resolve);
    });
  }

  async abort(): Promise<void> {
    this.#socket.destroy();
  }
}

/** Receives bytes and forgets them: what `verify` writes to. */
export const NOWHERE: Sink = {
  name: "nowhere",
  revocable: true,
  write: async () => {},
  commit: async () => {},
  abort: async () => {},
};

function sinkOn(name: string, fd: number, stat: Stats): Sink {
  return isPipe(stat) ? new PipeSink(name, fd) : new DescriptorSink(name, fd);
}

/** Standard output. */
export async function standardOutput(): Promise<Sink> {
  try {
    return sinkOn(STDOUT_NAME, 1, await statFd(1));
  } catch (error) {
    throw blame("output", STDOUT_NAME, error);
  }
}

/**
 * A file that standard output appends to grows while it is read, and never ends.
 *
 * @throws CliError of kind `usage` when standard output is the file that `source` reads
 */
export async function refuseOwnInput(source: Source): Promise<void> {
  if (source.identity === undefined || identityOf(await statFd(1)) !== source.identity) return;
  throw new CliError("usage", "is input and output at once", source.name);
}

/** How a file is to be written. */
export interface FileSinkOptions {
  /** Replace an existing file. */
  readonly force: boolean;
  /** Permission bits of the new file; default 0666 less the umask. */
  readonly mode?: number | undefined;
  /** Identity of the input, which the output must not be. */
  readonly inputIdentity?: string | undefined;
}

/**
 * The sink for a path: a new file, or the device or FIFO that has that name.
 *
 * @throws CliError of kind `output`, or `usage` when it is the input itself
 */
export async function fileSink(path: string, options: FileSinkOptions): Promise<Sink> {
  try {
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing !== undefined && !existing.isFile() && !existing.isDirectory()) {
      const fd = await mayBlock(() => openFd(path, constants.O_WRONLY));
      return sinkOn(path, fd, await statFd(fd));
    }
    return await AtomicFile.create(path, options);
  } catch (error) {
    throw blame("output", path, error);
  }
}
