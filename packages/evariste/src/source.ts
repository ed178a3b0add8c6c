/** Where sealed bytes are read from at any place, and what is not taken on trust of it. */
import { checkBytes, kindOf } from "./checks.js";
import { refuseShared } from "./views.js";

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

/** A source whose answers have the length that was asked for. */
export interface CheckedSource extends RandomAccessSource {
  /** Takes back memory that {@link read} gave and nobody needs any more. */
  drop(bytes: Uint8Array): void;
}

/** @throws TypeError, RangeError for what is no source or has no length */
export function checkedSource(source: Blob | RandomAccessSource): CheckedSource {
  const { read, drop } = readerOf(source);
  const size = source.size;
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new RangeError(`source.size is ${String(size)}; allowed are integers from 0 to 2^53 - 1`);
  }
  return {
    size,
    drop,
    async read(offset, length) {
      const bytes = await read(offset, length);
      checkBytes("what source.read gave", bytes);
      refuseShared("what source.read gave", bytes);
      if (bytes.length === length) return bytes;
      const hint = bytes.length < length ? "; was it cut meanwhile?" : "";
      throw new Error(
        `the source gave ${bytes.length} bytes at ${offset}, not the ${length} asked for${hint}`,
      );
    },
  };
}

/**
 * @param size of what is read, in bytes
 * @throws TypeError, RangeError unless 0 <= start <= end <= size
 */
export function checkRange(start: number, end: number, size: number): void {
  for (const [name, value] of Object.entries({ start, end })) {
    if (typeof value !== "number") throw new TypeError(`${name} must be a number, not ${typeof value}`);
    if (!Number.isInteger(value) || value < 0 || value > size) {
      throw new RangeError(`${name} is ${value}; allowed are integers from 0 to ${size}`);
    }
  }
  if (start > end) throw new RangeError(`start is ${start}, behind end, which is ${end}`);
}

/** A file of node:fs/promises, opened for reading. It is not closed here. */
export interface NodeFileHandle {
  stat(): Promise<{ readonly size: number }>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** A file of the File System API, as the file picker and OPFS give. */
export interface WebFileHandle {
  getFile(): Promise<Blob>;
}

/** Anything that can be read again, anywhere: what verified decryption needs. */
export type ReadableAgain = Blob | RandomAccessSource | NodeFileHandle | WebFileHandle;

/**
 * As {@link checkedSource}, for file handles too.
 *
 * @throws TypeError, RangeError for what is no source; what the handle's own calls throw
 */
export async function openSource(source: ReadableAgain): Promise<CheckedSource> {
  checkReadableAgain(source);
  if ("getFile" in source) return checkedSource(await source.getFile());
  if (!isFileHandle(source)) return checkedSource(source);
  const file = await fileSource(source);
  return { ...checkedSource(file), drop: file.drop };
}

/**
 * Tells what {@link openSource} can open at once, from its shape, without touching it.
 *
 * @throws TypeError for what is no source
 */
export function checkReadableAgain(source: unknown): asserts source is ReadableAgain {
  const isObject = typeof source === "object" && source !== null;
  if (isObject && ["getFile", "stat", "arrayBuffer", "read"].some((name) => name in source)) return;
  throw notASource(source, "a Blob or File, a file handle of node:fs/promises or of the File System API");
}

function isFileHandle(source: ReadableAgain): source is NodeFileHandle {
  // Bun's Blobs have a method `stat` too.
  return "stat" in source && !("arrayBuffer" in source);
}

async function fileSource(file: NodeFileHandle): Promise<RandomAccessSource & Pick<CheckedSource, "drop">> {
  const { size } = await file.stat();
  // What was dropped is read into again: as garbage it would gather to tens of megabytes.
  const spare: ArrayBufferLike[] = [];
  return {
    size,
    drop: ({ buffer }) => spare.push(buffer),
    async read(offset, length) {
      let memory = spare.pop();
      if (memory === undefined || memory.byteLength < length) memory = new ArrayBuffer(length);
      const bytes = new Uint8Array(memory, 0, length);
      let filled = 0;
      // A read may give less than was asked for; none at all is the end of the file.
      for (let got = 1; filled < length && got > 0; filled += got) {
        got = (await file.read(bytes, filled, length - filled, offset + filled)).bytesRead;
      }
      return bytes.subarray(0, filled);
    },
  };
}

function readerOf(source: Blob | RandomAccessSource): Omit<CheckedSource, "size"> {
  if (typeof source === "object" && source !== null) {
    if ("read" in source && typeof source.read === "function")
      return { read: (offset, length) => source.read(offset, length), drop: () => {} };
    // Not instanceof: a Blob of another realm is as good.
    if ("arrayBuffer" in source && typeof source.slice === "function") {
      return {
        read: async (offset, length) =>
          new Uint8Array(await source.slice(offset, offset + length).arrayBuffer()),
        drop: () => {},
      };
    }
  }
  throw notASource(source, "a Blob");
}

function notASource(source: unknown, kinds: string): TypeError {
  const hint = typeof source === "string" ? "; open a path first" : "";
  return new TypeError(
    `source must be ${kinds}, or have size and read(offset, length), not ${kindOf(source)}${hint}`,
  );
}
