/** Runs a batch on an engine: in one crossing where the engine can, message by message where it cannot. */
import type { BatchJob, EngineKey } from "./engine.js";

/** @returns how many messages are not authentic (0 when encrypting) */
export function runBatch(key: EngineKey, job: BatchJob): number {
  return key.batch === undefined ? oneByOne(key, job) : key.batch(job);
}

function oneByOne(key: EngineKey, job: BatchJob): number {
  let failures = 0;
  for (let i = 0; i < job.count; i++) {
    const iv = job.ivs.subarray(i * job.ivLength, (i + 1) * job.ivLength);
    const aad = job.aad.subarray(job.aadOffsets?.[i] ?? 0, job.aadOffsets?.[i + 1] ?? 0);
    const input = job.data.subarray(job.offsets[i], job.offsets[i + 1]);
    const out = job.out.subarray(job.outOffsets[i], job.outOffsets[i + 1]);
    if (job.direction === "encrypt") key.seal(iv, aad, input, out, job.tagLength);
    else job.verdicts[i] = Number(key.open(iv, aad, input, out, job.tagLength));
    if (job.direction === "decrypt" && job.verdicts[i] === 0) failures++;
  }
  return failures;
}
