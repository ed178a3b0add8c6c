import { gcm } from "@noble/ciphers/aes.js";
import { encrypts, isWhole, memoryFor, type Run, type Shape } from "./shape.js";

/**
 * noble-ciphers as its documentation uses it: an object per message, because it holds the IV. Its AES-GCM has no form
 * that writes into the caller's memory, so both kinds of operation run the allocating one.
 */
export function noble(shape: Shape): Run | undefined {
  if (!isWhole(shape.operation)) return undefined;
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  if (encrypts(shape.operation)) return (i) => void gcm(key, ivFor(i)).encrypt(plaintext);
  const sealed = gcm(key, iv).encrypt(plaintext);
  return () => void gcm(key, iv).decrypt(sealed);
}
