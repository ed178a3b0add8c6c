import { seal } from "./node-crypto.js";
import { encrypts, isWhole, memoryFor, type Run, type Shape } from "./shape.js";

/** The platform's subtle.encrypt and subtle.decrypt with a CryptoKey; they allocate their outputs. */
export async function webcrypto(shape: Shape): Promise<Run | undefined> {
  if (!isWhole(shape.operation)) return undefined;
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  const usage = encrypts(shape.operation) ? "encrypt" : "decrypt";
  const { subtle } = globalThis.crypto;
  const cryptoKey = await subtle.importKey("raw", key, "AES-GCM", false, [usage]);
  if (usage === "encrypt") {
    return async (i) => {
      // The call copies the IV before it returns.
      await subtle.encrypt({ name: "AES-GCM", iv: ivFor(i) }, cryptoKey, plaintext);
    };
  }
  const sealed = seal(shape, iv);
  return async () => {
    await subtle.decrypt({ name: "AES-GCM", iv }, cryptoKey, sealed);
  };
}
