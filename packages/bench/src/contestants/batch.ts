import { AesGcm, type AesGcmOptions, type PackedMessages } from "evariste";
import { encrypts, memoryFor, nextIv, type Run, type Shape, TAG } from "./shape.js";

/** Messages of one batch. */
export const MESSAGES = 1000;

/** encryptBatch and decryptBatch on packed messages; one operation is {@link MESSAGES} messages. */
export function batch(shape: Shape, options: AesGcmOptions = {}): Run | undefined {
  const { key } = memoryFor({ ...shape, size: 0 });
  const gcm = new AesGcm(key, options);
  const packed = packedMessages(shape.size);
  const out = new Uint8Array(MESSAGES * (shape.size + TAG));
  if (encrypts(shape.operation)) return () => void gcm.encryptBatch(packed, out);
  const sealed: PackedMessages = { ...packed, ...gcm.encryptBatch(packed) };
  return () => void gcm.decryptBatch(sealed, out);
}

/** The same messages with a call for each. */
export function oneByOne(shape: Shape, options: AesGcmOptions = {}): Run | undefined {
  if (!encrypts(shape.operation)) return undefined;
  const { key, plaintext, out } = memoryFor(shape);
  const gcm = new AesGcm(key, options);
  const iv = new Uint8Array(12);
  return (i) => {
    for (let m = 0; m < MESSAGES; m++) {
      nextIv(iv, i * MESSAGES + m);
      gcm.encryptInto(iv, plaintext, out);
    }
  };
}

/** Messages of one size, message m with m in its IV. */
export function packedMessages(size: number): PackedMessages & { data: Uint8Array } {
  const ivs = new Uint8Array(MESSAGES * 12);
  for (let m = 0; m < MESSAGES; m++) nextIv(ivs.subarray(12 * m), m);
  return {
    ivs,
    data: Uint8Array.from({ length: MESSAGES * size }, (_, i) => i),
    offsets: Uint32Array.from({ length: MESSAGES + 1 }, (_, m) => m * size),
  };
}
