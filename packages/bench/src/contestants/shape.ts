/** What a message in a benchmark looks like, and the memory that a contestant works on. */

/**
 * `…Into`: into the caller's memory; without it, into a new buffer. `…MultiPart`: half of the message by update, half by
 * the final call, into the caller's memory. `updateAAD`: a message that is only AAD. `…Stream`: from pieces of
 * {@link PIECE} bytes to pieces that somebody reads.
 */
export type Operation =
  | "encryptInto"
  | "decryptInto"
  | "encrypt"
  | "decrypt"
  | "encryptMultiPart"
  | "decryptMultiPart"
  | "updateAAD"
  | "encryptStream"
  | "decryptStream";

/** Those of whole messages, in the order in which suites print them. */
export const OPERATIONS: readonly Operation[] = ["encryptInto", "decryptInto", "encrypt", "decrypt"];

/** Sizes of AES keys, in bits. */
export type KeyBits = 128 | 192 | 256;

/**
 * Where the messages of the JMH suites are. In Java `heap` and `direct` are kinds of ByteBuffer, and `array` is a byte[]. Here
 * `heap` and `array` are a Uint8Array with a buffer of its own. The library has no allocator for callers, so `direct` is the
 * closest that there is: memory that the library itself allocated, as `encrypt` gives it away, a view into a slab (from
 * 64 KiB on a buffer that was not cleared).
 */
export type MemoryKind = "array" | "heap" | "direct";

/** One row of a suite. */
export interface Shape {
  readonly operation: Operation;
  /** Length of the plaintext, or of the AAD in `updateAAD`, in bytes. */
  readonly size: number;
  readonly keyBits: KeyBits;
  /** With it, IVs are JMH's: 16 bytes, a window that slides over random ones. Without: 12 bytes, a counter. */
  readonly memory?: MemoryKind;
}

/** Does a row's work once; gets the number of the iteration. */
export type Run = (i: number) => void | Promise<void>;

/** Bytes of a tag in every benchmark. */
export const TAG = 16;

/** Bytes of a piece in streams. */
export const PIECE = 64 * 1024;

/** Windows of 16 bytes that the IVs of the JMH suites slide over, before they begin again. */
const WINDOWS = 2048;

/** Memory of one row. The bytes are fixed: AES-GCM's speed does not depend on them, and runs stay comparable. */
export interface Memory {
  readonly key: Uint8Array<ArrayBuffer>;
  /** The IV of a message that is decrypted again and again. */
  readonly iv: Uint8Array<ArrayBuffer>;
  /** The IV of encryption `i`; valid until the next call. */
  readonly ivFor: (i: number) => Uint8Array<ArrayBuffer>;
  readonly plaintext: Uint8Array<ArrayBuffer>;
  /** Room for the plaintext and a tag. */
  readonly out: Uint8Array<ArrayBuffer>;
}

/** Takes `length` bytes of memory. */
export type Allocate = (length: number) => Uint8Array<ArrayBuffer>;

/** Buffers for messages of one size: plaintext byte i is i mod 256, key byte i is i. */
export function memoryFor(
  { size, keyBits, memory }: Pick<Shape, "size" | "keyBits" | "memory">,
  allocate: Allocate = (length) => new Uint8Array(length),
): Memory {
  const ivs = memory === undefined ? counterIvs() : slidingIvs();
  const plaintext = allocate(size);
  for (let i = 0; i < Math.min(size, 256); i++) plaintext[i] = i;
  for (let filled = 256; filled < size; filled *= 2) plaintext.copyWithin(filled, 0, filled);
  // Or the first operation would be charged with the system's work on new pages.
  const out = allocate(size + TAG).fill(0xff);
  return {
    key: Uint8Array.from({ length: keyBits / 8 }, (_, i) => i),
    ...ivs,
    plaintext,
    out,
  };
}

/** Writes the iteration's number into the IV: an IV is never used twice, in a benchmark either. */
export function nextIv(iv: Uint8Array, i: number): void {
  iv[0] = i;
  iv[1] = i >>> 8;
  iv[2] = i >>> 16;
  iv[3] = i >>> 24;
}

function counterIvs(): Pick<Memory, "iv" | "ivFor"> {
  const iv = new Uint8Array(12);
  const ivFor = (i: number) => {
    nextIv(iv, i);
    return iv;
  };
  return { iv: new Uint8Array(12), ivFor };
}

/** They come again, but always with the same plaintext. */
function slidingIvs(): Pick<Memory, "iv" | "ivFor"> {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(WINDOWS + 16));
  const windows = Array.from({ length: WINDOWS }, (_, i) => random.subarray(i, i + 16));
  return { iv: windows[0], ivFor: (i) => windows[i % WINDOWS] };
}

/** True for operations that make ciphertext. */
export function encrypts(operation: Operation): boolean {
  return operation.startsWith("encrypt");
}

/** True for operations on a whole message in one call. */
export function isWhole(operation: Operation): boolean {
  return OPERATIONS.includes(operation);
}
