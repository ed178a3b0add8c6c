/** Many messages under one key in one crossing: the shapes callers give, their checks, and the packing. */
import { checkBytes, checkOut, EMPTY } from "./checks.js";
import { runBatch } from "./engines/batch.js";
import type { BatchJob, Direction, EngineKey } from "./engines/engine.js";
import type { KeyRing } from "./engines/key-ring.js";
import { refuseSharedOfAnySize } from "./views.js";

/** One message to encrypt. */
export interface PlainMessage {
  readonly iv: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly aad?: Uint8Array | undefined;
}

/** One message to decrypt: `sealed` is ciphertext ‖ tag. */
export interface SealedMessage {
  readonly iv: Uint8Array;
  readonly sealed: Uint8Array;
  readonly aad?: Uint8Array | undefined;
}

/**
 * Messages packed end to end, the form without an object per message. The number of messages is
 * `offsets.length - 1`.
 */
export interface PackedMessages {
  /** IVs end to end, each {@link ivLength} bytes. */
  readonly ivs: Uint8Array;
  /** Bytes per IV; default 12. */
  readonly ivLength?: number | undefined;
  /** Texts end to end; for decryption each with its tag. */
  readonly data: Uint8Array;
  /** Text i is `data[offsets[i] … offsets[i + 1])`: one entry more than messages, never decreasing. */
  readonly offsets: Uint32Array;
  /** AADs end to end; needs {@link aadOffsets}. Default: none. */
  readonly aad?: Uint8Array | undefined;
  /** AAD i is `aad[aadOffsets[i] … aadOffsets[i + 1])`. */
  readonly aadOffsets?: Uint32Array | undefined;
}

/** Outputs packed end to end: output i is `data[offsets[i] … offsets[i + 1])`. */
export interface PackedOutput {
  readonly data: Uint8Array;
  readonly offsets: Uint32Array;
}

/** As {@link PackedOutput}, with a verdict on each message. */
export interface VerifiedOutput extends PackedOutput {
  /** 1 where the message is authentic; 0 where it is not, and then its plaintext is zeros. */
  readonly verified: Uint8Array;
  /** How many messages are not authentic. */
  readonly failures: number;
}

/** Tells the two forms apart. */
export function isPacked(messages: object): messages is PackedMessages {
  return !Array.isArray(messages);
}

/** `AesGcm.encryptBatch` on packed messages. */
export function encryptPacked(
  keys: KeyRing,
  tagLength: number,
  messages: PackedMessages,
  out?: Uint8Array,
): PackedOutput {
  const given = readOnce(messages);
  const job = checkedJob("encrypt", tagLength, given, out);
  try {
    runBatch(keys.for(averageLength(job)), job);
  } finally {
    // A copy, because the output overlaps it, holds plaintext.
    if (job.data !== given.data) job.data.fill(0);
  }
  return { data: job.out, offsets: job.outOffsets };
}

/** `AesGcm.decryptBatch` on packed messages. */
export function decryptPacked(
  keys: KeyRing,
  tagLength: number,
  messages: PackedMessages,
  out?: Uint8Array,
): VerifiedOutput {
  const job = checkedJob("decrypt", tagLength, readOnce(messages), out);
  const failures = runUnreleased(keys.for(averageLength(job)), job);
  return { data: job.out, offsets: job.outOffsets, verified: job.verdicts, failures };
}

/** Runs a decryption; when it breaks off, nothing of it stays. */
function runUnreleased(key: EngineKey, job: BatchJob): number {
  try {
    return runBatch(key, job);
  } catch (error) {
    job.out.fill(0);
    throw error;
  }
}

/**
 * Runs `one` for each message of an array; an error of one says which.
 *
 * @throws what `one` throws, with the message's index in front
 */
export function forEachMessage<M, R>(messages: readonly M[], one: (message: M) => R): R[] {
  return messages.map((message, i) => {
    try {
      return one(message);
    } catch (error) {
      if (error instanceof RangeError) throw new RangeError(`messages[${i}]: ${error.message}`);
      if (error instanceof TypeError) throw new TypeError(`messages[${i}]: ${error.message}`);
      throw error;
    }
  });
}

/** Before the checks: a getter may give a new view each time, or transfer the other arrays' memory away. */
function readOnce({ ivs, ivLength = 12, data, offsets, aad = EMPTY, aadOffsets }: PackedMessages) {
  return { ivs, ivLength, data, offsets, aad, aadOffsets };
}

function checkedJob(
  direction: Direction,
  tagLength: number,
  messages: ReturnType<typeof readOnce>,
  out: Uint8Array | undefined,
): BatchJob {
  const { ivs, ivLength, data, aad } = messages;
  const views = { ivs, data, aad, ...(out === undefined ? {} : { out }) };
  for (const [name, view] of Object.entries(views)) {
    checkBytes(name, view);
    refuseSharedOfAnySize(name, view);
  }
  const change = direction === "encrypt" ? tagLength : -tagLength;
  const offsets = unwritten("offsets", messages.offsets, out);
  const outOffsets = checkOffsets("offsets", offsets, data.length, change);
  const count = offsets.length - 1;
  if (!Number.isInteger(ivLength) || ivLength < 1)
    throw new RangeError(`ivLength is ${ivLength}; at least 1 is needed`);
  if (ivs.length !== count * ivLength) {
    throw new RangeError(`ivs has ${ivs.length} bytes; ${count} messages need ${count} times ${ivLength}`);
  }
  if (aad.length > 0 && messages.aadOffsets === undefined) throw new TypeError("aad needs aadOffsets");
  const aadOffsets =
    messages.aadOffsets === undefined ? undefined : unwritten("aadOffsets", messages.aadOffsets, out);
  if (aadOffsets !== undefined) {
    checkOffsets("aadOffsets", aadOffsets, aad.length, 0);
    if (aadOffsets.length - 1 !== count) {
      throw new RangeError(
        `aadOffsets has ${aadOffsets.length} entries; ${count} messages need ${count + 1}`,
      );
    }
  }
  const needed = offsets[count] - offsets[0] + count * change;
  if (needed >= 2 ** 32) {
    throw new RangeError(
      `the batch's output has ${needed} bytes; 2^32 - 1 are allowed, since its offsets are Uint32`,
    );
  }
  if (out !== undefined) checkOut(out, needed);
  const target = out === undefined ? new Uint8Array(needed) : out.subarray(0, needed);
  const verdicts = new Uint8Array(direction === "decrypt" ? count : 0);
  const inputs = { ivs: apart(ivs, target), data: apart(data, target), aad: apart(aad, target) };
  const given = { ivLength, offsets, aadOffsets, tagLength };
  return { direction, count, ...inputs, ...given, out: target, outOffsets, verdicts };
}

/** The offsets, or a copy of them where the output may lie over them. */
function unwritten(name: string, given: unknown, out: Uint8Array | undefined): Uint32Array {
  if (!(given instanceof Uint32Array)) throw new TypeError(`${name} must be a Uint32Array`);
  refuseSharedOfAnySize(name, given);
  return out !== undefined && given.buffer === out.buffer ? new Uint32Array(given) : given;
}

/**
 * @param change how much longer each output is than its input; where it is negative, inputs have at least so many bytes
 * @returns the offsets of the outputs
 */
function checkOffsets(name: string, offsets: Uint32Array, limit: number, change: number): Uint32Array {
  const entries = offsets.length;
  if (entries === 0) throw new RangeError(`${name} is empty; one entry more than messages is needed`);
  const outOffsets = new Uint32Array(entries);
  let end = 0;
  for (let i = 1; i < entries; i++) {
    const length = offsets[i] - offsets[i - 1];
    if (length < 0 || length + change < 0) {
      const what = change >= 0 ? "decreases" : `leaves less than a tag of ${-change} bytes`;
      throw new RangeError(`${name} ${what} at entry ${i}`);
    }
    end += length + change;
    outOffsets[i] = end;
  }
  const last = offsets[entries - 1];
  if (last > limit)
    throw new RangeError(`${name} ends at ${last}, beyond the ${limit} bytes that it divides`);
  return outOffsets;
}

/** Outputs do not start where inputs do, so any overlap with the output needs a copy. */
function apart(input: Uint8Array, out: Uint8Array): Uint8Array {
  const overlaps =
    input.buffer === out.buffer &&
    input.byteOffset < out.byteOffset + out.length &&
    out.byteOffset < input.byteOffset + input.length;
  return overlaps ? new Uint8Array(input) : input;
}

function averageLength(job: BatchJob): number {
  return job.count === 0 ? 0 : (job.offsets[job.count] - job.offsets[0]) / job.count;
}
