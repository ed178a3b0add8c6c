/**
 * Ranges of ordinary AES-GCM messages, read without reading the rest: verified by an index, verified whole first, or
 * unverified by name.
 *
 * @module
 */
export type {
  NodeFileHandle,
  RandomAccessSource,
  ReadableAgain,
  WebFileHandle,
} from "../source.js";
export type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
export type { SegmentOptions } from "../webcrypto/settings.js";
export {
  buildIndex,
  type RangeOptions,
  RangeReader,
  readRange,
  type SourceOptions,
  type Verification,
} from "./reader.js";
