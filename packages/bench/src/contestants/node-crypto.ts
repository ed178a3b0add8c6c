import * as crypto from "node:crypto";
import { type Contestant, repeat } from "../harness.js";
import { encrypts, memoryFor, nextIv, type Shape, TAG } from "./shape.js";

/**
 * What becomes of what node:crypto allocates: ciphertext and tag joined to one buffer, as nearly all callers need them; left
 * as they come; or copied into memory of the caller's.
 */
export type Joining = "joined" | "unjoined" | "copied";

/** createCipheriv by hand with a KeyObject, which is the faster of the two ways of giving the key. */
export function nodeCrypto(name: string, shape: Shape, joining: Joining): Contestant {
  const operation = encrypts(shape.operation) ? encryption(shape, joining) : decryption(shape, joining);
  return repeat(name, operation, shape.size);
}

function algorithm({ keyBits }: Shape): crypto.CipherGCMTypes {
  return `aes-${keyBits}-gcm` as crypto.CipherGCMTypes;
}

function encryption(shape: Shape, joining: Joining): (i: number) => void {
  const { key, iv, plaintext, out } = memoryFor(shape);
  const keyObject = crypto.createSecretKey(key);
  const name = algorithm(shape);
  if (joining === "copied") {
    return (i) => {
      nextIv(iv, i);
      const cipher = crypto.createCipheriv(name, keyObject, iv);
      out.set(cipher.update(plaintext));
      cipher.final();
      out.set(cipher.getAuthTag(), shape.size);
    };
  }
  if (joining === "unjoined") {
    return (i) => {
      nextIv(iv, i);
      const cipher = crypto.createCipheriv(name, keyObject, iv);
      cipher.update(plaintext);
      cipher.final();
      cipher.getAuthTag();
    };
  }
  return (i) => {
    nextIv(iv, i);
    const cipher = crypto.createCipheriv(name, keyObject, iv);
    const ciphertext = cipher.update(plaintext);
    Buffer.concat([ciphertext, cipher.final(), cipher.getAuthTag()]);
  };
}

function decryption(shape: Shape, joining: Joining): () => void {
  const { key, iv, plaintext, out } = memoryFor(shape);
  const keyObject = crypto.createSecretKey(key);
  const name = algorithm(shape);
  const cipher = crypto.createCipheriv(name, keyObject, iv);
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  const open = () => {
    const decipher = crypto.createDecipheriv(name, keyObject, iv, { authTagLength: TAG });
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
    const text = decipher.update(sealed.subarray(0, sealed.length - TAG));
    decipher.final();
    return text;
  };
  return joining === "copied" ? () => out.set(open()) : () => void open();
}
