/** Random access to sealed files on the disk. */
import { AuthenticationError } from "evariste";
import { ChunkedReader } from "evariste/chunked";
import { readFully } from "./descriptors.js";
import { blame, CliError } from "./errors.js";
import type { Source } from "./sources.js";
import type { CipherOptions } from "./transforms.js";

/** What `cat` and `info` need of a reader. */
export interface RandomAccess {
  /** Bytes of plaintext, authenticated. */
  readonly size: number;
  /** The bytes of `[start, end)`, verified. */
  read(start: number, end: number): Promise<Uint8Array>;
  destroy(): void;
}

/**
 * Opens a seekable source in the chunked format.
 *
 * @throws CliError of kind `authentication`: wrong key or context, or a file that was cut
 */
export async function openRandomAccess(
  source: Source,
  { key, context }: CipherOptions,
): Promise<RandomAccess> {
  const fd = source.seekable!;
  const name = source.name;
  const sealed = {
    size: source.size!,
    read: async (offset: number, length: number) => {
      const bytes = new Uint8Array(length);
      try {
        if ((await readFully(fd, bytes, offset)) === length) return bytes;
      } catch (error) {
        throw blame("input", name, error);
      }
      throw new CliError("input", "became shorter while it was being read", name);
    },
  };
  const wrong = "wrong key or context, truncated, or altered";
  const reader = await refine(name, wrong, () => ChunkedReader.open(sealed, key, { context }));
  return {
    size: reader.size,
    read: (start, end) => refine(name, "altered", () => reader.read(start, end)),
    destroy: () => reader.destroy(),
  };
}

async function refine<T>(name: string, reason: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AuthenticationError ? new CliError("authentication", reason, name) : error;
  }
}
