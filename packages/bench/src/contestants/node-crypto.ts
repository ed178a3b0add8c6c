import * as crypto from "node:crypto";
import { type KeyBits, memoryFor, type Operation, type Run, type Shape, TAG } from "./shape.js";

/**
 * What becomes of what node:crypto allocates: ciphertext and tag joined to one buffer, as nearly all callers need them; left
 * as they come; or copied into memory of the caller's.
 */
export type Joining = "joined" | "unjoined" | "copied";

/** How node:crypto is used. */
export interface NodeCryptoOptions {
  /** Default: `unjoined`. For whole messages. */
  readonly joining?: Joining;
  /** Gives the key's bytes to every call instead of a KeyObject, which is faster. */
  readonly rawKey?: boolean;
}

interface Setup {
  readonly shape: Shape;
  readonly algorithm: crypto.CipherGCMTypes;
  readonly key: Uint8Array | crypto.KeyObject;
  readonly joining: Joining;
}

const OPERATION: Readonly<Partial<Record<Operation, (setup: Setup) => (i: number) => void>>> = {
  encryptInto: encryption,
  encrypt: encryption,
  decryptInto: decryption,
  decrypt: decryption,
  encryptMultiPart,
  decryptMultiPart,
  updateAAD,
};

/** createCipheriv and createDecipheriv by hand, which allocate their outputs: a message's, or each part's. */
export function nodeCrypto(shape: Shape, options: NodeCryptoOptions = {}): Run | undefined {
  const { joining = "unjoined", rawKey = false } = options;
  const { key } = memoryFor({ ...shape, size: 0 });
  const algorithm = gcmName(shape.keyBits);
  return OPERATION[shape.operation]?.({
    shape,
    algorithm,
    key: rawKey ? key : crypto.createSecretKey(key),
    joining,
  });
}

/** OpenSSL's name of AES-GCM with such a key. */
export function gcmName(keyBits: KeyBits): crypto.CipherGCMTypes {
  return `aes-${keyBits}-gcm` as crypto.CipherGCMTypes;
}

function encryption({ shape, algorithm, key, joining }: Setup): (i: number) => void {
  const { ivFor, plaintext, out } = memoryFor(shape);
  if (joining === "copied") {
    return (i) => {
      const cipher = crypto.createCipheriv(algorithm, key, ivFor(i));
      out.set(cipher.update(plaintext));
      cipher.final();
      out.set(cipher.getAuthTag(), shape.size);
    };
  }
  if (joining === "unjoined") {
    return (i) => {
      const cipher = crypto.createCipheriv(algorithm, key, ivFor(i));
      cipher.update(plaintext);
      cipher.final();
      cipher.getAuthTag();
    };
  }
  return (i) => {
    const cipher = crypto.createCipheriv(algorithm, key, ivFor(i));
    const ciphertext = cipher.update(plaintext);
    Buffer.concat([ciphertext, cipher.final(), cipher.getAuthTag()]);
  };
}

function decryption({ shape, algorithm, key, joining }: Setup): () => void {
  const { iv, out } = memoryFor(shape);
  const sealed = seal(shape, iv);
  const open = () => {
    const decipher = crypto.createDecipheriv(algorithm, key, iv, { authTagLength: TAG });
    decipher.setAuthTag(sealed.subarray(shape.size));
    const text = decipher.update(sealed.subarray(0, shape.size));
    decipher.final();
    return text;
  };
  return joining === "copied" ? () => out.set(open()) : () => void open();
}

function encryptMultiPart({ shape, algorithm, key }: Setup): (i: number) => void {
  const { ivFor, plaintext } = memoryFor(shape);
  const half = shape.size >> 1;
  const [first, second] = [plaintext.subarray(0, half), plaintext.subarray(half)];
  return (i) => {
    const cipher = crypto.createCipheriv(algorithm, key, ivFor(i));
    cipher.update(first);
    cipher.update(second);
    cipher.final();
    cipher.getAuthTag();
  };
}

function decryptMultiPart({ shape, algorithm, key }: Setup): () => void {
  const { iv } = memoryFor(shape);
  const sealed = seal(shape, iv);
  const half = shape.size >> 1;
  const [first, second] = [sealed.subarray(0, half), sealed.subarray(half, shape.size)];
  const tag = sealed.subarray(shape.size);
  return () => {
    const decipher = crypto.createDecipheriv(algorithm, key, iv, { authTagLength: TAG });
    decipher.setAuthTag(tag);
    decipher.update(first);
    decipher.update(second);
    decipher.final();
  };
}

function updateAAD({ shape, algorithm, key }: Setup): (i: number) => void {
  const { ivFor, plaintext } = memoryFor(shape);
  return (i) => {
    const cipher = crypto.createCipheriv(algorithm, key, ivFor(i));
    cipher.setAAD(plaintext);
    cipher.final();
    cipher.getAuthTag();
  };
}

/** The message that a shape's decryption opens: ciphertext, then tag, under the key of {@link memoryFor}. */
export function seal(shape: Shape, iv: Uint8Array): Buffer<ArrayBuffer> {
  const { key, plaintext } = memoryFor(shape);
  const cipher = crypto.createCipheriv(gcmName(shape.keyBits), key, iv);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}
