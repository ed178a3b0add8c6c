import { AES } from "@stablelib/aes";
import { GCM } from "@stablelib/gcm";
import { seal } from "./node-crypto.js";
import { encrypts, isWhole, memoryFor, type Run, type Shape } from "./shape.js";

/** stablelib with one key for all messages; `Into` operations give it the memory of the output. IVs of 12 bytes only. */
export function stablelib(shape: Shape): Run | undefined {
  if (!isWhole(shape.operation) || shape.memory !== undefined) return undefined;
  const { key, iv, ivFor, plaintext, out } = memoryFor(shape);
  const gcm = new GCM(new AES(key, true));
  const into = shape.operation.endsWith("Into");
  if (encrypts(shape.operation)) {
    return into
      ? (i) => void gcm.seal(ivFor(i), plaintext, undefined, out)
      : (i) => void gcm.seal(ivFor(i), plaintext);
  }
  const sealed = seal(shape, iv);
  const text = out.subarray(0, shape.size);
  return () => {
    const opened = into ? gcm.open(iv, sealed, undefined, text) : gcm.open(iv, sealed);
    if (opened === null) throw new Error("stablelib refuses the message");
  };
}
