/** What a message in a benchmark looks like, and the memory that all contestants work on. */

/** Encrypt or decrypt, into the caller's memory or into a new buffer. */
export type Operation = "encryptInto" | "decryptInto" | "encrypt" | "decrypt";

/** In the order in which suites print them. */
export const OPERATIONS: readonly Operation[] = ["encryptInto", "decryptInto", "encrypt", "decrypt"];

/** Sizes of AES keys, in bits. */
export type KeyBits = 128 | 192 | 256;

/** One row of a suite. */
export interface Shape {
  readonly operation: Operation;
  /** Plaintext length in bytes. */
  readonly size: number;
  readonly keyBits: KeyBits;
}

/** Bytes of a tag in every benchmark. */
export const TAG = 16;

/** Memory of one row. The bytes are fixed: AES-GCM's speed does not depend on them, and runs stay comparable. */
export interface Memory {
  readonly key: Uint8Array;
  /** 12 bytes; {@link nextIv} changes it before every encryption. */
  readonly iv: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly out: Uint8Array;
}

/** Buffers for messages of one size: plaintext byte i is i mod 256, key byte i is i. */
export function memoryFor({ size, keyBits }: Pick<Shape, "size" | "keyBits">): Memory {
  return {
    key: Uint8Array.from({ length: keyBits / 8 }, (_, i) => i),
    iv: new Uint8Array(12),
    plaintext: Uint8Array.from({ length: size }, (_, i) => i),
    out: new Uint8Array(size + TAG),
  };
}

/** Writes the iteration's number into the IV: an IV is never used twice, in a benchmark either. */
export function nextIv(iv: Uint8Array, i: number): void {
  iv[0] = i;
  iv[1] = i >>> 8;
  iv[2] = i >>> 16;
  iv[3] = i >>> 24;
}

/** True for `encrypt` and `encryptInto`. */
export function encrypts(operation: Operation): boolean {
  return operation === "encrypt" || operation === "encryptInto";
}
