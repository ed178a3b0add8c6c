/** Byte strings for tests. */

/** Bytes of a hex string. */
export function hex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

/** Hex of bytes: what comparisons of short byte strings show when they fail. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

/** `length` bytes that differ from place to place and between seeds, the same in every run (xorshift32). */
export function pattern(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = (seed * 0x9e3779b9) | 1;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  return bytes;
}

/** The parts end to end. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts));
}

/** True when both hold the same bytes: for long ones, where printing a difference helps nobody. */
export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Cuts bytes into pieces of `size`, the last one shorter. */
export function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const result: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) result.push(bytes.subarray(at, at + size));
  return result;
}

/** A copy with one bit flipped. */
export function flipped(bytes: Uint8Array, at: number, bit = 0): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  copy[at] ^= 1 << bit;
  return copy;
}
