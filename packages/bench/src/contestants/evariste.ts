import { AesGcm, type AesGcmOptions } from "evariste";
import { type Allocate, type Memory, memoryFor, type Operation, type Run, type Shape, TAG } from "./shape.js";

type Make = (gcm: AesGcm, memory: Memory, seal: () => Uint8Array) => (i: number) => void;

const OPERATION: Readonly<Partial<Record<Operation, Make>>> = {
  encryptInto:
    (gcm, { ivFor, plaintext, out }) =>
    (i) => {
      gcm.encryptInto(ivFor(i), plaintext, out);
    },
  encrypt:
    (gcm, { ivFor, plaintext }) =>
    (i) => {
      gcm.encrypt(ivFor(i), plaintext);
    },
  decryptInto: (gcm, { iv, out }, seal) => {
    const sealed = seal();
    return () => {
      gcm.decryptInto(iv, sealed, out);
    };
  },
  decrypt: (gcm, { iv }, seal) => {
    const sealed = seal();
    return () => {
      gcm.decrypt(iv, sealed);
    };
  },
  encryptMultiPart: (gcm, { ivFor, plaintext, out }) => {
    const half = plaintext.length >> 1;
    const [first, second] = [plaintext.subarray(0, half), plaintext.subarray(half)];
    const rest = out.subarray(half);
    return (i) => {
      const encryptor = gcm.encryptor(ivFor(i));
      encryptor.update(first, out);
      encryptor.update(second, rest);
      out.set(encryptor.finish(), plaintext.length);
    };
  },
  decryptMultiPart: (gcm, { iv, plaintext, out }, seal) => {
    const sealed = seal();
    const half = plaintext.length >> 1;
    const [first, second] = [sealed.subarray(0, half), sealed.subarray(half, plaintext.length)];
    const tag = sealed.subarray(plaintext.length);
    const rest = out.subarray(half);
    return () => {
      const decryptor = gcm.decryptor(iv);
      decryptor.updateUnverified(first, out);
      decryptor.updateUnverified(second, rest);
      decryptor.finish(tag);
    };
  },
  updateAAD:
    (gcm, { ivFor, plaintext }) =>
    (i) => {
      gcm.mac(ivFor(i), plaintext);
    },
};

/**
 * This library, one key for all messages.
 *
 * @param options engine and kernels, as `AesGcm` takes them
 * @returns undefined for an operation that is not of `AesGcm`
 * @throws Error when the engine is not available
 */
export function evariste(shape: Shape, options: AesGcmOptions = {}): Run | undefined {
  const make = OPERATION[shape.operation];
  if (make === undefined) return undefined;
  const direct = shape.memory === "direct" ? ownMemory() : undefined;
  const memory = memoryFor(shape, direct);
  const gcm = new AesGcm(memory.key, options);
  const seal = () => {
    const sealed = gcm.encrypt(memory.iv, memory.plaintext);
    return direct === undefined ? new Uint8Array(sealed) : sealed;
  };
  return make(gcm, memory, seal);
}

/** Memory that the library allocates: outputs of a key that is used for nothing else. */
export function ownMemory(): Allocate {
  const gcm = new AesGcm(new Uint8Array(16).fill(7));
  const iv = new Uint8Array(12);
  return (length) => {
    iv[0]++;
    return gcm.encrypt(iv, new Uint8Array(Math.max(0, length - TAG))).subarray(0, length);
  };
}
