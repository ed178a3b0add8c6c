/**
 * AES-GCM at the speed of the hardware, on every JavaScript runtime.
 *
 * @module
 */
export { AesGcm, type AesGcmOptions, type MessageOptions } from "./aes-gcm.js";
export type {
  PackedMessages,
  PackedOutput,
  PlainMessage,
  SealedMessage,
  VerifiedOutput,
} from "./batch.js";
export type { EngineName, KernelReport, KernelRole } from "./engines/engine.js";
export { type EngineReport, engines, ready } from "./engines/select.js";
export { AuthenticationError, StateError } from "./errors.js";
export type { GcmDecryptor, GcmEncryptor } from "./incremental.js";
export {
  type CounterNonceOptions,
  type RandomNonceOptions,
  Sealer,
  type SealerOptions,
} from "./sealer.js";
export { XAesGcm, type XAesGcmOptions } from "./xaes-gcm.js";
