import forge from "node-forge";
import { seal } from "./node-crypto.js";
import { encrypts, isWhole, memoryFor, type Run, type Shape, TAG } from "./shape.js";

/**
 * node-forge with one key for all messages. It works on strings of a character per byte; its own conversions from
 * bytes and back, which a caller needs, are part of the operation.
 */
export function forgeGcm(shape: Shape): Run | undefined {
  if (!isWhole(shape.operation)) return undefined;
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  const secret = forge.util.binary.raw.encode(key);
  const cipher = forge.cipher.createCipher("AES-GCM", secret);
  const encrypt = (nonce: Uint8Array) => {
    cipher.start({ iv: forge.util.binary.raw.encode(nonce), tagLength: 8 * TAG });
    cipher.update(forge.util.createBuffer(plaintext));
    cipher.finish();
    forge.util.binary.raw.decode(cipher.output.getBytes());
    forge.util.binary.raw.decode(cipher.mode.tag.getBytes());
  };
  if (encrypts(shape.operation)) return (i) => encrypt(ivFor(i));
  const sealed = seal(shape, iv);
  const [ciphertext, tag] = [sealed.subarray(0, shape.size), sealed.subarray(shape.size)];
  const decipher = forge.cipher.createDecipher("AES-GCM", secret);
  return () => {
    decipher.start({
      iv: forge.util.binary.raw.encode(iv),
      tagLength: 8 * TAG,
      tag: forge.util.createBuffer(tag),
    });
    decipher.update(forge.util.createBuffer(ciphertext));
    if (!decipher.finish()) throw new Error("node-forge refuses the message");
    forge.util.binary.raw.decode(decipher.output.getBytes());
  };
}
