import { AES_GCM } from "asmcrypto.js";
import { seal } from "./node-crypto.js";
import { encrypts, isWhole, memoryFor, type Run, type Shape } from "./shape.js";

/** asmcrypto.js, whose calls take the key's bytes each time. */
export function asmcrypto(shape: Shape): Run | undefined {
  if (!isWhole(shape.operation)) return undefined;
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  if (encrypts(shape.operation)) return (i) => void AES_GCM.encrypt(plaintext, key, ivFor(i));
  const sealed = seal(shape, iv);
  return () => void AES_GCM.decrypt(sealed, key, iv);
}
