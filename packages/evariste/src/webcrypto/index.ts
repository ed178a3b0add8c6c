/**
 * AES-GCM by the platform's WebCrypto, asynchronous: large messages at hardware speed, non-extractable keys, without native
 * code.
 *
 * @module
 */

export type { CryptoKeyLike } from "./crypto-key.js";
export type { SegmentOptions } from "./settings.js";
export {
  StitchedGcm,
  type StitchedMessageOptions,
  type StitchedOptions,
} from "./stitched-gcm.js";
