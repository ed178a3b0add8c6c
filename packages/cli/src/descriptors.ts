/** File descriptors as numbers, with promises: standard input and output are numbers, and sockets take numbers. */
import * as fs from "node:fs";
import { promisify } from "node:util";

/** Opens a path. */
export const openFd = promisify(fs.open);
export const closeFd = promisify(fs.close);
export const statFd = promisify(fs.fstat);
export const syncFd = promisify(fs.fsync);
export const syncDataFd = promisify(fs.fdatasync);
export const chmodFd = promisify(fs.fchmod);
const read = promisify(fs.read);
const write = promisify(fs.write);

/** Device and inode, to tell whether two names are one file. */
export function identityOf(stat: fs.Stats): string {
  return `${stat.dev}:${stat.ino}`;
}

/** True for what arrives in pieces whenever another process sends it. */
export function isPipe(stat: fs.Stats): boolean {
  return stat.isFIFO() || stat.isSocket();
}

/**
 * Reads until `target` is full or the file ends.
 *
 * @param position in bytes; null continues where the last read ended
 * @returns how many bytes were read
 */
export async function readFully(fd: number, target: Uint8Array, position: number | null): Promise<number> {
  let length = 0;
  while (length < target.length) {
    const at = position === null ? null : position + length;
    const { bytesRead } = await read(fd, target, length, target.length - length, at);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** Writes all of `bytes` at the descriptor's place. */
export async function writeFully(fd: number, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await write(fd, bytes, written, bytes.length - written, null);
    written += bytesWritten;
  }
}
