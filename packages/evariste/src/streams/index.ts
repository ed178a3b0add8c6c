/**
 * AES-GCM messages of any length as Web streams, in the memory of a few segments. The results are ordinary AES-GCM.
 *
 * @module
 */
export type { NodeFileHandle, RandomAccessSource, ReadableAgain, WebFileHandle } from "../source.js";
export type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
export type { SegmentOptions } from "../webcrypto/settings.js";
export { decryptStream, type UnverifiedOptions, type VerifiedOptions } from "./decrypt.js";
export { type EncryptStream, type EncryptStreamOptions, encryptStream } from "./encrypt.js";
