/**
 * Opening to a place from which nothing can be taken back (a pipe, a device) in the raw format, whose one tag comes last.
 * The input is read twice: once to verify it, once to release it. What cannot be read twice goes to a private file
 * first, still encrypted. Somebody may write to the input between the passes, so the first one keeps a hash of every
 * piece, 32 bytes per MiB, and the second releases only pieces with the same hash: those that the tag was checked on.
 */
import { createHash, randomBytes } from "node:crypto";
import { constants, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit, removeQuietly } from "./cleanup.js";
import { closeFd, openFd, statFd, writeFully } from "./descriptors.js";
import { blame, CliError } from "./errors.js";
import { type Progress, SILENT } from "./progress.js";
import { pump } from "./pump.js";
import { NOWHERE, type Sink } from "./sinks.js";
import { FileSource, type Source } from "./sources.js";
import { type CipherOptions, OPEN_PIECE, opening } from "./transforms.js";

/** A source that can be read twice, and then gives the same bytes as the first time or fails. */
class SteadySource implements Source {
  readonly name: string;
  readonly #inner: Source;
  readonly #hashes: Buffer[] = [];
  #index = 0;
  #recording = true;

  constructor(inner: Source) {
    this.name = inner.name;
    this.#inner = inner;
  }

  async take(length: number): Promise<Uint8Array> {
    const bytes = await this.#inner.take(length);
    this.#check(bytes);
    return bytes;
  }

  async next(): Promise<Uint8Array | undefined> {
    const piece = await this.#inner.next();
    if (piece !== undefined) this.#check(piece);
    return piece;
  }

  #check(bytes: Uint8Array): void {
    const hash = createHash("sha256").update(bytes).digest();
    const known = this.#hashes[this.#index++];
    if (this.#recording) this.#hashes.push(hash);
    else if (known === undefined || !known.equals(hash)) {
      throw new CliError("authentication", "changed while it was being read", this.name);
    }
  }

  rewind(): void {
    this.#recording = false;
    this.#index = 0;
    this.#inner.rewind();
  }

  abandon(): void {
    this.#inner.abandon();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** Called between the passes with the plaintext's length, which is authentic by then; gives where the plaintext goes. */
export type Release = (plaintextLength: number) => Sink;

/**
 * Opens `source` and gives its plaintext away only after all of it was verified.
 *
 * @returns bytes of plaintext
 * @throws CliError of kind `authentication`, and then nothing was given away
 */
export async function openVerified(
  source: Source,
  options: CipherOptions,
  release: Release,
  progress: Progress,
): Promise<number> {
  if (source.seekable === undefined) {
    const spooled = await spool(source);
    try {
      return await openVerified(spooled, options, release, progress);
    } finally {
      await spooled.close();
    }
  }
  const steady = new SteadySource(source);
  const length = await pump(steady, await opening(steady, options), NOWHERE, SILENT);
  steady.rewind();
  return pump(steady, await opening(steady, options), release(length), progress);
}

/**
 * Puts a stream into a private file, as it is: a file of mode 0600 without a name, in the system's temporary folder.
 *
 * @throws CliError of kind `output` when that folder is full
 */
export async function spool(source: Source): Promise<Source> {
  const path = join(tmpdir(), `evariste-${randomBytes(9).toString("hex")}.spool`);
  let fd: number | undefined;
  const forget = atExit(() => removeQuietly(path));
  try {
    fd = await openFd(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    unlinkSync(path);
    for (let piece = await source.next(); piece !== undefined; piece = await source.next()) {
      await writeFully(fd, piece);
    }
    return new FileSource({ name: source.name, fd, pieceSize: OPEN_PIECE, stat: await statFd(fd) });
  } catch (error) {
    source.abandon();
    if (fd !== undefined) await closeFd(fd);
    throw blame("output", `temporary file for ${source.name} in ${tmpdir()}`, error);
  } finally {
    removeQuietly(path);
    forget();
  }
}
