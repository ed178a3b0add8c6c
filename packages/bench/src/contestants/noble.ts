import { gcm } from "@noble/ciphers/aes.js";
import { type Contestant, repeat } from "../harness.js";
import { encrypts, memoryFor, nextIv, type Shape } from "./shape.js";

/**
 * noble-ciphers as its documentation uses it: an object per message, because it holds the IV. Its AES-GCM has no form
 * that writes into the caller's memory, so both kinds of operation run the allocating one.
 */
export function noble(name: string, shape: Shape): Contestant {
  const { key, iv, plaintext } = memoryFor(shape);
  if (encrypts(shape.operation)) {
    return repeat(
      name,
      (i) => {
        nextIv(iv, i);
        gcm(key, iv).encrypt(plaintext);
      },
      shape.size,
    );
  }
  const sealed = gcm(key, iv).encrypt(plaintext);
  return repeat(name, () => void gcm(key, iv).decrypt(sealed), shape.size);
}
