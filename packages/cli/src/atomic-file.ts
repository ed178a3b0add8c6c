/**
 * A file that appears under its name whole or not at all: written under a temporary name beside it, flushed to the
 * disk, renamed, and the folder flushed too.
 */
import { randomBytes } from "node:crypto";
import { constants, lstatSync, type Stats } from "node:fs";
import { link, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { atExit, removeQuietly } from "./cleanup.js";
import { chmodFd, closeFd, identityOf, openFd, syncDataFd, syncFd, writeFully } from "./descriptors.js";
import { blame, CliError, systemCode } from "./errors.js";
import type { FileSinkOptions, Sink } from "./sinks.js";

/** Bytes between two flushes in the background: the last flush, which everybody waits for, is then a short one. */
const FLUSH_INTERVAL = 64 * 1024 * 1024;
/** Longest file name, in bytes, on the usual file systems. */
const LONGEST_NAME = 255;

/**
 * Output whose name appears only once it is complete: `commit` renames, `abort` removes the temporary file, and so does
 * the end of the process. Replaces an existing file only where the options say so.
 */
export class AtomicFile implements Sink {
  readonly revocable = true;
  readonly #forget: () => void;
  #fd: number | undefined;
  #ended = false;
  #unflushed = 0;
  #flushing: Promise<unknown> | undefined;

  private constructor(
    readonly name: string,
    private readonly temporary: string,
    private readonly options: FileSinkOptions,
    fd: number,
  ) {
    this.#fd = fd;
    this.#forget = atExit(() => removeQuietly(temporary));
  }

  /**
   * @throws CliError when the name is taken and `force` is not set, when it is a symbolic link or a folder, or when it
   *   is the input itself
   */
  static async create(name: string, options: FileSinkOptions): Promise<AtomicFile> {
    checkTarget(name, options);
    const suffix = `.${randomBytes(6).toString("hex")}.evariste-tmp`;
    const temporary = join(dirname(name), `.${fitting(basename(name), suffix.length + 1)}${suffix}`);
    try {
      const fd = await openFd(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
      return new AtomicFile(name, temporary, options, fd);
    } catch (error) {
      throw blame("output", name, error);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await writeFully(this.#fd!, bytes);
    } catch (error) {
      throw blame("output", this.name, error);
    }
    this.#unflushed += bytes.length;
    if (this.#unflushed >= FLUSH_INTERVAL && this.#flushing === undefined) this.#flushBehind();
  }

  #flushBehind(): void {
    this.#unflushed = 0;
    const done = () => {
      this.#flushing = undefined;
    };
    // A fault here shows again at the last flush.
    this.#flushing = syncDataFd(this.#fd!).then(done, done);
  }

  async commit(): Promise<void> {
    try {
      await this.#flushing;
      await setMode(this.#fd!, this.options.mode ?? 0o666 & ~process.umask());
      await syncFd(this.#fd!);
      await this.#close();
      checkTarget(this.name, this.options);
      if (this.options.force) await rename(this.temporary, this.name);
      else await renameNew(this.temporary, this.name);
      this.#ended = true;
      this.#forget();
    } catch (error) {
      throw blame("output", this.name, error);
    }
    await syncFolder(dirname(this.name));
  }

  async abort(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#flushing;
    await this.#close();
    removeQuietly(this.temporary);
    this.#forget();
  }

  async #close(): Promise<void> {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) await closeFd(fd);
  }
}

function checkTarget(name: string, { force, inputIdentity }: FileSinkOptions): void {
  const stat: Stats | undefined = lstatSync(name, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isDirectory()) throw new CliError("output", "is a folder", name);
  if (stat.isSymbolicLink()) {
    throw new CliError("output", "is a symbolic link; name the file that it stands for", name);
  }
  if (identityOf(stat) === inputIdentity) throw new CliError("usage", "is input and output at once", name);
  if (!force) throw new CliError("output", "exists already; --force replaces it", name);
}

/**
 * Sets permissions. A refusal is no fault of the output: FAT (EPERM) gives every file those of its mount, and anywhere else the
 * file stays its owner's alone, as it was created.
 */
async function setMode(fd: number, mode: number): Promise<void> {
  try {
    await chmodFd(fd, mode);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "ENOSYS"].includes(systemCode(error) ?? "")) throw error;
  }
}

/** As much of a name's end as leaves `reserved` bytes. */
function fitting(name: string, reserved: number): string {
  const bytes = Buffer.from(name);
  return bytes.length + reserved <= LONGEST_NAME
    ? name
    : name.slice(-Math.floor((LONGEST_NAME - reserved) / 4));
}

/** Renames without replacing: a hard link is refused when the name was taken meanwhile, which `rename` is not. */
async function renameNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (systemCode(error) === "EEXIST")
      throw new CliError("output", "exists already; --force replaces it", to);
    // The file system has no hard links (FAT, some network shares).
    await rename(from, to);
    return;
  }
  await unlink(from);
}

/** Flushes a folder, so that a new name in it survives a power cut. Not every system lets a folder be opened. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (systemCode(error) === "EIO") throw blame("output", path, error);
  }
}
