import sjcl from "sjcl";
import { seal } from "./node-crypto.js";
import { encrypts, isWhole, memoryFor, type Run, type Shape } from "./shape.js";

/** The mode is in the package but not in its types. */
interface GcmMode {
  encrypt(aes: sjcl.SjclCipher, plaintext: sjcl.BitArray, iv: sjcl.BitArray): sjcl.BitArray;
  decrypt(aes: sjcl.SjclCipher, sealed: sjcl.BitArray, iv: sjcl.BitArray): sjcl.BitArray;
}

/**
 * sjcl with one key for all messages. It works on arrays of 32-bit numbers and its package converts no bytes, so
 * the conversion from bytes and back, which a caller needs, is written here and part of the operation. The tag has 128 bits
 * by default.
 */
export function sjclGcm(shape: Shape): Run | undefined {
  if (!isWhole(shape.operation)) return undefined;
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  const { gcm } = sjcl.mode as unknown as { gcm: GcmMode };
  const aes = new sjcl.cipher.aes(toBits(key) as unknown as number[]);
  if (encrypts(shape.operation)) {
    return (i) => void toBytes(gcm.encrypt(aes, toBits(plaintext), toBits(ivFor(i))));
  }
  const sealed = seal(shape, iv);
  return () => void toBytes(gcm.decrypt(aes, toBits(sealed), toBits(iv)));
}

/** Big-endian words; a last one that is not whole is marked by sjcl's own means. */
function toBits(bytes: Uint8Array): sjcl.BitArray {
  const words: number[] = [];
  const whole = bytes.length & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    words.push((bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3]);
  }
  if (i < bytes.length) {
    let last = 0;
    for (let shift = 24; i < bytes.length; i++, shift -= 8) last |= bytes[i] << shift;
    words.push(sjcl.bitArray.partial(8 * (bytes.length & 3), last, 1));
  }
  return words as unknown as sjcl.BitArray;
}

function toBytes(bits: sjcl.BitArray): Uint8Array {
  const words = bits as unknown as readonly number[];
  const bytes = new Uint8Array(sjcl.bitArray.bitLength(bits) / 8);
  for (let i = 0; i < bytes.length; i++) bytes[i] = words[i >> 2] >>> (24 - 8 * (i & 3));
  return bytes;
}
