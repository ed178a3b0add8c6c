/** C2SP chunked encryption spelled out with node:crypto, chunk by chunk: the model that the library is compared with. */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

const CHUNK = 16384;

interface MessageKeys {
  readonly cipher: "aes-128-gcm" | "aes-256-gcm";
  readonly key: Buffer;
  readonly baseNonce: Buffer;
  readonly commitment: Buffer;
}

/** key ‖ base nonce ‖ commitment = HKDF-Expand-SHA-512, RFC 5869 clause 2.3. */
function deriveKeys(key: Uint8Array, salt: Uint8Array, context: Uint8Array): MessageKeys {
  const bits = key.length === 16 ? 128 : 256;
  const info = Buffer.concat([
    Buffer.from(`c2sp.org/chunked-encryption@v1+AEAD_AES_${bits}_GCM`),
    Buffer.of(0),
    salt,
    context,
  ]);
  const first = createHmac("sha512", key).update(info).update(Buffer.of(1)).digest();
  const second = createHmac("sha512", key).update(first).update(info).update(Buffer.of(2)).digest();
  const material = Buffer.concat([first, second]);
  return {
    cipher: `aes-${bits}-gcm`,
    key: material.subarray(0, key.length),
    baseNonce: material.subarray(key.length, key.length + 12),
    commitment: material.subarray(key.length + 12, key.length + 44),
  };
}

/** The base nonce XOR the chunk's number. */
function nonceOf(baseNonce: Buffer, index: number): Buffer {
  const sum = BigInt(`0x${baseNonce.toString("hex")}`) ^ BigInt(index);
  return Buffer.from(sum.toString(16).padStart(24, "0"), "hex");
}

/** The file of a message; a short last chunk is made also where `chunks` ends with a full one. */
export function modelSeal(
  key: Uint8Array,
  salt: Uint8Array,
  context: Uint8Array,
  plaintext: Uint8Array,
): Buffer {
  const keys = deriveKeys(key, salt, context);
  const parts: Uint8Array[] = [salt, keys.commitment];
  for (let index = 0; index <= Math.floor(plaintext.length / CHUNK); index++) {
    const chunk = plaintext.subarray(index * CHUNK, (index + 1) * CHUNK);
    parts.push(modelSealChunk(keys, index, chunk));
  }
  return Buffer.concat(parts);
}

/** One chunk of the message with this header, for files that break the rules. */
export function modelChunk(key: Uint8Array, salt: Uint8Array, index: number, chunk: Uint8Array): Buffer {
  return modelSealChunk(deriveKeys(key, salt, new Uint8Array(0)), index, chunk);
}

function modelSealChunk(keys: MessageKeys, index: number, chunk: Uint8Array): Buffer {
  const cipher = createCipheriv(keys.cipher, keys.key, nonceOf(keys.baseNonce, index));
  return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
}

/** The message of a file. Throws when it is not authentic. */
export function modelOpen(key: Uint8Array, sealed: Uint8Array, context: Uint8Array): Buffer {
  const file = Buffer.from(sealed);
  const keys = deriveKeys(key, file.subarray(0, 24), context);
  if (!keys.commitment.equals(file.subarray(24, 56))) throw new Error("wrong commitment");
  const parts: Uint8Array[] = [];
  for (let at = 56, index = 0; ; at += CHUNK + 16, index++) {
    const chunk = file.subarray(at, at + CHUNK + 16);
    if (chunk.length < 16) throw new Error("no short chunk at the end");
    const decipher = createDecipheriv(keys.cipher, keys.key, nonceOf(keys.baseNonce, index));
    decipher.setAuthTag(chunk.subarray(chunk.length - 16));
    parts.push(decipher.update(chunk.subarray(0, chunk.length - 16)), decipher.final());
    if (chunk.length < CHUNK + 16) return Buffer.concat(parts);
  }
}
