/**
 * AES-GCM by the platform's WebCrypto, asynchronous: large messages at hardware speed, non-extractable keys, without native
 * code.
 *
 * @module
 */
export {
  StitchedGcm,
  type StitchedMessageOptions,
  type StitchedOptions,
} from "./stitched-gcm.js";
