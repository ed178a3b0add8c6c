/** Where {@link file://./reader.ts} reads sealed bytes from, and what it does not take on trust. */
import { checkBytes } from "../checks.js";

/** Bytes that can be read anywhere: a file handle, an object store, HTTP with ranges. */
export interface RandomAccessSource {
  /** Length in bytes; read once. */
  readonly size: number;
  /**
   * Reads `length` bytes at `offset`, which lie within `size`. Several reads may run at once.
   *
   * @returns exactly `length` bytes, in memory that is not written to afterwards
   */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/**
 * A source whose answers have the length that was asked for.
 *
 * @throws TypeError, RangeError for what is no source or has no length
 */
export function checkedSource(source: Blob | RandomAccessSource): RandomAccessSource {
  const read = readerOf(source);
  const size = source.size;
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new RangeError(`source.size is ${String(size)}; allowed are integers from 0 to 2^53 - 1`);
  }
  return {
    size,
    async read(offset, length) {
      const bytes = await read(offset, length);
      checkBytes("what source.read gave", bytes);
      if (bytes.length === length) return bytes;
      const hint = bytes.length < length ? "; was it cut meanwhile?" : "";
      throw new Error(
        `the source gave ${bytes.length} bytes at ${offset}, not the ${length} asked for${hint}`,
      );
    },
  };
}

function readerOf(source: Blob | RandomAccessSource): RandomAccessSource["read"] {
  if (typeof source === "object" && source !== null) {
    if ("read" in source && typeof source.read === "function")
      return (offset, length) => source.read(offset, length);
    // Not instanceof: a Blob of another realm is as good.
    if ("arrayBuffer" in source && typeof source.slice === "function") {
      return async (offset, length) =>
        new Uint8Array(await source.slice(offset, offset + length).arrayBuffer());
    }
  }
  throw new TypeError("source must be a Blob or have size and read(offset, length)");
}
