/**
 * C2SP chunked encryption (c2sp.org/chunked-encryption, v1), Cobblestone-128 and Cobblestone-256: messages up to 4 PiB with
 * AES-GCM in chunks of 16 KiB, whole, as streams, and with random access. The key's length chooses: 16 bytes for
 * Cobblestone-128, 32 for Cobblestone-256. Asynchronous where keys are derived, since HMAC comes from the platform.
 *
 * @module
 */

export type { RandomAccessSource } from "../source.js";
export {
  CHUNK_LENGTH,
  HEADER_LENGTH,
  plaintextLength,
  SEALED_CHUNK_LENGTH,
  sealedLength,
} from "./format.js";
export type { ChunkedOptions } from "./keys.js";
export { ChunkOpener } from "./opener.js";
export { ChunkedReader } from "./reader.js";
export { ChunkSealer } from "./sealer.js";
export { openStream, sealStream } from "./streams.js";
export { open, seal } from "./whole.js";
