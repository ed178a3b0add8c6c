/** Runs a batch on an engine: in one crossing where the engine can, message by message where it cannot. */
import { EMPTY } from "../gcm/bytes.js";
import type { BatchJob, EngineKey } from "./engine.js";

/** @returns how many messages are not authentic (0 when encrypting) */
export function runBatch(key: EngineKey, job: BatchJob): number {
  return key.batch === undefined ? oneByOne(key, job) : key.batch(job);
}

/** As {@link runBatch}, with a call of the key for each message. */
export function oneByOne(key: EngineKey, job: BatchJob): number {
  const { direction, ivLength, offsets, outOffsets, aadOffsets, tagLength, verdicts } = job;
  const [ivs, aads, inputs, outs] = [job.ivs, job.aad, job.data, job.out].map(partsOf);
  let failures = 0;
  for (let i = 0; i < job.count; i++) {
    const iv = ivs(i * ivLength, ivLength);
    const aadStart = aadOffsets?.[i] ?? 0;
    const aad = aads(aadStart, (aadOffsets?.[i + 1] ?? 0) - aadStart);
    const input = inputs(offsets[i], offsets[i + 1] - offsets[i]);
    const out = outs(outOffsets[i], outOffsets[i + 1] - outOffsets[i]);
    if (direction === "encrypt") key.seal(iv, aad, input, out, tagLength);
    else verdicts[i] = Number(key.open(iv, aad, input, out, tagLength));
    if (direction === "decrypt" && verdicts[i] === 0) failures++;
  }
  return failures;
}

/** Gives views of an array. By the constructor: V8 needs twice as long for `subarray`. */
function partsOf({ buffer, byteOffset }: Uint8Array): (at: number, length: number) => Uint8Array {
  return (at, length) => (length === 0 ? EMPTY : new Uint8Array(buffer, byteOffset + at, length));
}
