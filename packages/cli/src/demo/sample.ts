/** The demonstration's files: a temporary folder, and bytes to encrypt. */
import { createCipheriv, randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../cleanup.js";
import { humanBytes } from "../console.js";
import { CliError } from "../errors.js";

const PIECE = 2 ** 20;

/** A folder that goes away when the process does, however that ends. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "evariste-demo-"));
  atExit(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/**
 * Makes sure that a folder has room.
 *
 * @throws CliError of kind `output` that says how much is missing
 */
export function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes) return;
  const reason = `${humanBytes(bytes)} are needed here, and ${humanBytes(bavail * bsize)} are free; set TMPDIR or name a smaller file`;
  throw new CliError("output", reason, folder);
}

/** Writes a file of pseudo-random bytes: an AES-CTR keystream, which is the quickest that node:crypto has. */
export function writeSample(path: string, length: number): void {
  const stream = createCipheriv("aes-128-ctr", randomBytes(16), randomBytes(16));
  const zeros = Buffer.alloc(PIECE);
  const file = openSync(path, "wx", 0o600);
  try {
    for (let left = length; left > 0; left -= PIECE) {
      const piece = stream.update(zeros.subarray(0, Math.min(left, PIECE)));
      for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
    }
  } finally {
    closeSync(file);
  }
}
