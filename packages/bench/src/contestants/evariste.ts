import { AesGcm, type AesGcmOptions } from "evariste";
import { type Contestant, repeat } from "../harness.js";
import { type Memory, memoryFor, nextIv, type Operation, type Shape } from "./shape.js";

type Make = (gcm: AesGcm, memory: Memory, sealed: Uint8Array) => (i: number) => void;

const OPERATION: Readonly<Record<Operation, Make>> = {
  encryptInto:
    (gcm, { iv, plaintext, out }) =>
    (i) => {
      nextIv(iv, i);
      gcm.encryptInto(iv, plaintext, out);
    },
  encrypt:
    (gcm, { iv, plaintext }) =>
    (i) => {
      nextIv(iv, i);
      gcm.encrypt(iv, plaintext);
    },
  decryptInto:
    (gcm, { iv, out }, sealed) =>
    () => {
      gcm.decryptInto(iv, sealed, out);
    },
  decrypt:
    (gcm, { iv }, sealed) =>
    () => {
      gcm.decrypt(iv, sealed);
    },
};

/**
 * This library, one key for all messages.
 *
 * @param options engine and kernels, as `AesGcm` takes them
 * @throws Error when the engine is not available
 */
export function evariste(name: string, shape: Shape, options: AesGcmOptions = {}): Contestant {
  const memory = memoryFor(shape);
  const gcm = new AesGcm(memory.key, options);
  const sealed = gcm.encrypt(memory.iv, memory.plaintext);
  return repeat(name, OPERATION[shape.operation](gcm, memory, sealed), shape.size);
}
