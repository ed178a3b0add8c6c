import { encrypts, isWhole, memoryFor, type Run, type Shape } from "./shape.js";

/** The platform's subtle.encrypt and subtle.decrypt with a CryptoKey; they allocate their outputs. */
export async function webcrypto(shape: Shape): Promise<Run | undefined> {
  if (!isWhole(shape.operation)) return undefined;
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  const { subtle } = globalThis.crypto;
  const cryptoKey = await subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
  // The call copies the IV before it returns.
  const seal = (given: Uint8Array<ArrayBuffer>) =>
    subtle.encrypt({ name: "AES-GCM", iv: given }, cryptoKey, plaintext);
  if (encrypts(shape.operation)) {
    return async (i) => {
      await seal(ivFor(i));
    };
  }
  const sealed = await seal(iv);
  return async () => {
    await subtle.decrypt({ name: "AES-GCM", iv }, cryptoKey, sealed);
  };
}
