/**
 * One large AES-GCM message on several cores: on the addon's threads where there is one, else in workers. The result is
 * the ordinary ciphertext ‖ tag of `AesGcm`.
 *
 * @module
 */

import { allocateUnsafe, availableCores } from "#platform";
import { AesGcm } from "../aes-gcm.js";
import {
  checkAadLength,
  checkBytes,
  checkIv,
  checkKey,
  checkOut,
  checkTagLength,
  checkTextLength,
  EMPTY,
} from "../checks.js";
import type { Direction, EngineName } from "../engines/engine.js";
import { KeyRing } from "../engines/key-ring.js";
import { AuthenticationError } from "../errors.js";
import { copyOf } from "../gcm/bytes.js";
import { equalTags } from "../gcm/compare.js";
import { BLOCK } from "../gcm/limits.js";
import { announce } from "../output-pool.js";
import { refuseShared, separate } from "../views.js";
import { addonLanes, workerLanes } from "./lanes.js";
import { SegmentedMessage } from "./segment.js";

/** How a message is run on several cores. */
export interface ParallelOptions {
  /** Additional authenticated data. Default: none. */
  readonly aad?: Uint8Array | undefined;
  /** Tag length in bytes, 12 to 16; default 16. */
  readonly tagLength?: number | undefined;
  /** How many segments run at once; default: the number of cores, at most 8. */
  readonly threads?: number | undefined;
  /** Stops the work; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Runs everything on this engine; for tests and measurements. */
  readonly engine?: EngineName | undefined;
}

/** Bytes of the shortest segment: handing it to another thread costs less than it gains. */
const SEGMENT = 512 * 1024;

/** Bytes of the longest, which bound what workers hold and how long an abort takes. */
const LONGEST_SEGMENT = 16 * SEGMENT;

/** Segments for each thread: few, since a thread waits for the event loop after each; not one, since threads differ in speed. */
const SEGMENTS_PER_THREAD = 4;

/** More threads than this compete for memory bandwidth on the machines measured so far. */
const MOST_THREADS = 8;

/**
 * Encrypts one message on several cores. A message of at most 512 KiB runs on the calling thread.
 * `plaintext` must not change, nor be transferred, before the promise settles.
 *
 * @param key 16, 24 or 32 bytes
 * @param iv 1 byte or more, never used before under this key
 * @returns ciphertext ‖ tag
 * @throws TypeError, RangeError (as rejections, like all errors here); the signal's reason when aborted
 *
 * @example
 * const sealed = await encryptParallel(key, iv, plaintext, { aad, signal: AbortSignal.timeout(5000) });
 */
export async function encryptParallel(
  key: Uint8Array,
  iv: Uint8Array,
  plaintext: Uint8Array,
  options: ParallelOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  // Read once: a getter could give the check one answer and the work another.
  const settings = { ...options };
  checkArguments("plaintext", plaintext, key, iv, settings);
  if (plaintext.length <= SEGMENT) return whole(key, settings, (gcm) => gcm.encrypt(iv, plaintext, settings));
  const out = allocateUnsafe(plaintext.length + (settings.tagLength ?? BLOCK));
  await seal(key, iv, plaintext, out, settings, true);
  return out;
}

/**
 * As {@link encryptParallel}, into the caller's memory. When it fails or is aborted after it began, the bytes of `out` that
 * would have held the result are zero, in place too.
 *
 * @param out at least `plaintext.length + tagLength` bytes; may start where `plaintext` starts (in place), any other
 *   overlap gives the same bytes by way of a copy; must not be looked at, changed or transferred before the promise settles
 * @returns how many bytes were written to the start of `out`
 */
export async function encryptParallelInto(
  key: Uint8Array,
  iv: Uint8Array,
  plaintext: Uint8Array,
  out: Uint8Array,
  options: ParallelOptions = {},
): Promise<number> {
  const settings = { ...options };
  checkArguments("plaintext", plaintext, key, iv, settings);
  const written = plaintext.length + (settings.tagLength ?? BLOCK);
  checkOutput(out, written);
  if (plaintext.length <= SEGMENT)
    return whole(key, settings, (gcm) => gcm.encryptInto(iv, plaintext, out, settings));
  const input = separate("plaintext", plaintext, out, written);
  try {
    await seal(key, iv, input, out.subarray(0, written), settings, false);
  } finally {
    if (input !== plaintext) input.fill(0);
  }
  return written;
}

/**
 * Decrypts one message on several cores. Nothing is released before the tag of the whole message was verified.
 *
 * @param sealed ciphertext ‖ tag; must not change, nor be transferred, before the promise settles
 * @returns the plaintext
 * @throws AuthenticationError when the message is not authentic; otherwise as {@link encryptParallel}
 */
export async function decryptParallel(
  key: Uint8Array,
  iv: Uint8Array,
  sealed: Uint8Array,
  options: ParallelOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  // Read once: a getter could give the check one answer and the work another.
  const settings = { ...options };
  checkArguments("sealed", sealed, key, iv, settings);
  if (sealed.length <= SEGMENT) return whole(key, settings, (gcm) => gcm.decrypt(iv, sealed, settings));
  const out = allocateUnsafe(sealed.length - (settings.tagLength ?? BLOCK));
  await open(key, iv, sealed, out, settings, true);
  return out;
}

/**
 * As {@link decryptParallel}, into the caller's memory. It holds unverified plaintext until the promise settles, and nobody may
 * look at it before. When the message is not authentic, or the work fails or is aborted after it began, the bytes of `out` that
 * would have held plaintext are zero, in place too.
 *
 * @param out at least `sealed.length - tagLength` bytes; otherwise as for {@link encryptParallelInto}
 * @returns how many bytes were written to the start of `out`
 * @throws AuthenticationError when the message is not authentic; otherwise as {@link encryptParallel}
 */
export async function decryptParallelInto(
  key: Uint8Array,
  iv: Uint8Array,
  sealed: Uint8Array,
  out: Uint8Array,
  options: ParallelOptions = {},
): Promise<number> {
  const settings = { ...options };
  checkArguments("sealed", sealed, key, iv, settings);
  const written = Math.max(0, sealed.length - (settings.tagLength ?? BLOCK));
  checkOutput(out, written);
  if (sealed.length <= SEGMENT)
    return whole(key, settings, (gcm) => gcm.decryptInto(iv, sealed, out, settings));
  const input = separate("sealed", sealed, out, written);
  await open(key, iv, input, out.subarray(0, written), settings, false);
  return written;
}

/** Fills `out` with ciphertext ‖ tag; `isFresh` when nobody has written to it yet. */
async function seal(
  key: Uint8Array,
  iv: Uint8Array,
  plaintext: Uint8Array,
  out: Uint8Array,
  options: ParallelOptions,
  isFresh: boolean,
): Promise<void> {
  const { length } = plaintext;
  const tag = await run("encrypt", key, iv, plaintext, out, options, isFresh);
  out.set(tag.subarray(0, out.length - length), length);
}

/** Fills `out` with the plaintext, or with zeros and throws. */
async function open(
  key: Uint8Array,
  iv: Uint8Array,
  sealed: Uint8Array,
  out: Uint8Array,
  options: ParallelOptions,
  isFresh: boolean,
): Promise<void> {
  const length = out.length;
  // A copy of the tag: what is compared at the end must be what was there at the beginning.
  const expected = copyOf(sealed, length);
  const tag = await run("decrypt", key, iv, sealed.subarray(0, length), out, options, isFresh);
  if (equalTags(tag, expected, expected.length)) return;
  out.fill(0);
  throw new AuthenticationError();
}

function checkOutput(out: Uint8Array, written: number): void {
  checkOut(out, written);
  refuseShared("out", out);
  refuseResizable("out", out);
}

function checkArguments(
  name: string,
  text: Uint8Array,
  key: Uint8Array,
  iv: Uint8Array,
  options: ParallelOptions,
): void {
  const { aad = EMPTY, tagLength = BLOCK, threads = 1 } = options;
  checkBytes(name, text);
  refuseShared(name, text);
  refuseResizable(name, text);
  checkKey(key);
  checkIv(iv);
  checkBytes("aad", aad);
  checkAadLength(aad.length);
  refuseShared("aad", aad);
  checkTagLength(tagLength, false);
  checkTextLength(name === "sealed" ? text.length - tagLength : text.length);
  if (Number.isInteger(threads) && threads >= 1) return;
  throw new RangeError(`threads is ${threads}; at least 1 is needed`);
}

/** Memory that shrinks under a thread which reads it ends the process. */
function refuseResizable(name: string, { buffer }: Uint8Array): void {
  if (!(buffer as { readonly resizable?: boolean }).resizable) return;
  throw new TypeError(`${name} is a view on a resizable ArrayBuffer; copy it first (slice())`);
}

/** Runs a message that is too short to share out. */
function whole<T>(key: Uint8Array, options: ParallelOptions, run: (gcm: AesGcm) => T): T {
  options.signal?.throwIfAborted();
  const { tagLength = BLOCK, engine } = options;
  const gcm = new AesGcm(key, { tagLength, engine });
  try {
    return run(gcm);
  } finally {
    gcm.destroy();
  }
}

function segmentLengthFor(length: number, threads: number): number {
  const share = Math.ceil(length / (threads * SEGMENTS_PER_THREAD));
  return Math.min(Math.ceil(share / SEGMENT) * SEGMENT, LONGEST_SEGMENT);
}

/** Processes all segments into `out` and returns the tag of the message. */
async function run(
  direction: Direction,
  rawKey: Uint8Array,
  iv: Uint8Array,
  input: Uint8Array,
  out: Uint8Array,
  options: ParallelOptions,
  isFresh: boolean,
): Promise<Uint8Array> {
  const { aad = EMPTY, threads = Math.min(availableCores(), MOST_THREADS), signal, engine } = options;
  signal?.throwIfAborted();
  const keys = new KeyRing(rawKey, engine);
  const [length, outLength] = [input.length, out.length];
  const key = keys.for(length);
  if (isFresh) announce(key, out);
  const segmentLength = segmentLengthFor(length, threads);
  const message = new SegmentedMessage(key, iv, aad, segmentLength);
  const segments = Math.ceil(length / segmentLength);
  const lanes = addonLanes(key) ?? workerLanes(rawKey, keys.engine);
  try {
    await eachSegment(segments, threads, signal, async (index) => {
      const at = index * segmentLength;
      const from = input.subarray(at, at + segmentLength);
      const to = out.subarray(at, at + from.length);
      const icb = message.counterOf(index);
      message.put(index, await lanes.run(direction, icb, from, to));
    });
    if (input.length !== length || out.length !== outLength) {
      throw new TypeError("the text or the output was transferred while it was worked on");
    }
    return message.tag(length);
  } catch (error) {
    out.fill(0);
    throw error;
  } finally {
    message.wipe();
    lanes.close();
    keys.destroy();
  }
}

/** Runs `work` for every index, at most `width` at once; after an error or abort waits for what is under way. */
async function eachSegment(
  count: number,
  width: number,
  signal: AbortSignal | undefined,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < count && !failed) {
      signal?.throwIfAborted();
      await work(next++);
    }
  };
  const lanes = Array.from({ length: Math.min(width, count) }, () =>
    lane().catch((error) => {
      failed = true;
      throw error;
    }),
  );
  const settled = await Promise.allSettled(lanes);
  const rejected = settled.find((result) => result.status === "rejected");
  if (rejected !== undefined) throw rejected.reason;
  signal?.throwIfAborted();
}
