/** What the demonstration verifies, each by means other than those that made the files. */
import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { AuthenticationError } from "evariste";
import { CliError } from "../errors.js";
import { readCobblestone, readUpTo } from "./reference.js";

/** One statement, and whether it holds. */
export interface Verdict {
  readonly statement: string;
  /** What is wrong; absent when nothing is. */
  readonly fault?: string;
}

/** Runs a check that throws or returns what is wrong. */
export async function judge(statement: string, check: () => unknown): Promise<Verdict> {
  try {
    const fault = await check();
    return typeof fault === "string" ? { statement, fault } : { statement };
  } catch (error) {
    return { statement, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Decrypts `sealed` with node:crypto alone and compares with `original`, chunk by chunk. */
export function sameByReference(original: string, sealed: string, key: Uint8Array): string | undefined {
  const file = openSync(original, "r");
  let position = 0;
  try {
    for (const chunk of readCobblestone(sealed, key)) {
      if (!readUpTo(file, chunk.length).equals(chunk)) return `differs from byte ${position} on`;
      position += chunk.length;
    }
    return position === statSync(original).size ? undefined : `ends at byte ${position}`;
  } finally {
    closeSync(file);
  }
}

/** Compares two files byte by byte. */
export function sameFiles(one: string, other: string): string | undefined {
  const files = [openSync(one, "r"), openSync(other, "r")] as const;
  try {
    for (let position = 0; ; position += 2 ** 20) {
      const [left, right] = [readUpTo(files[0], 2 ** 20), readUpTo(files[1], 2 ** 20)];
      if (!left.equals(right)) return `differs from byte ${position} on`;
      if (left.length === 0) return undefined;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Flips one bit of a file in place, runs `use`, which must refuse it, and flips the bit back. */
export async function refusesFlippedBit(
  path: string,
  at: number,
  use: () => Promise<unknown>,
): Promise<string | undefined> {
  const flip = () => {
    const file = openSync(path, "r+");
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, at);
    byte[0]! ^= 1;
    writeSync(file, byte, 0, 1, at);
    closeSync(file);
  };
  flip();
  try {
    await use();
    return "was accepted";
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined;
    if (error instanceof CliError && error.kind === "authentication") return undefined;
    throw error;
  } finally {
    flip();
  }
}
