/** Big-endian words at any byte offset, the same on every platform (SP 800-38D reads all integers big-endian). */

/** The empty byte string: no AAD, no text. */
export const EMPTY: Uint8Array<ArrayBuffer> = new Uint8Array(0);

/** Reads the 32-bit word at `offset`, as a signed integer: V8 keeps those in plain registers. */
export function load32(bytes: Uint8Array, offset: number): number {
  return (bytes[offset] << 24) | (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3];
}

/** Writes the low 32 bits of `word` at `offset`. */
export function store32(bytes: Uint8Array, offset: number, word: number): void {
  bytes[offset] = word >>> 24;
  bytes[offset + 1] = word >>> 16;
  bytes[offset + 2] = word >>> 8;
  bytes[offset + 3] = word;
}

/** A copy of the bytes from `from` to `to`. Not `slice`, which on a caller's Buffer gives a view of the same memory. */
export function copyOf(bytes: Uint8Array, from = 0, to = bytes.length): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.subarray(from, to));
}

/** What runtimes since 2024 have. */
interface Transferable {
  transfer?(length: number): ArrayBuffer;
}

/**
 * Gives the memory back that only the caller holds, so that the next allocation can have it; the view is empty afterwards.
 * Does nothing where the runtime cannot.
 */
export function release({ buffer }: Uint8Array<ArrayBuffer>): void {
  (buffer as Transferable).transfer?.(0);
}
