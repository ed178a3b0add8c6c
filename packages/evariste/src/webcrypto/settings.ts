/** What callers may adjust of how segments run. */

import { checkTagLength } from "../checks.js";
import { type RuntimeProfile, runtimeProfile } from "../engines/webcrypto/runtimes.js";
import { BLOCK } from "../gcm/limits.js";
import type { Subtle } from "./crypto-key.js";

/** How segments run. The defaults are measured for each runtime. */
export interface SegmentOptions {
  /** Bytes of a segment, a multiple of 16, up to 1 GiB. Larger ones are faster up to a point and need more memory. */
  readonly segmentLength?: number | undefined;
  /** Segments under way at once, 1 to 64. */
  readonly inFlight?: number | undefined;
  /** Tag length in bytes, 12 to 16; default 16. */
  readonly tagLength?: number | undefined;
  /** The platform's WebCrypto; for tests and measurements. Default: `crypto.subtle`. */
  readonly subtle?: Subtle | undefined;
}

/** Checked options and the runtime's profile. */
export interface Settings extends RuntimeProfile {
  readonly tagLength: number;
  readonly subtle: Subtle | undefined;
}

const LONGEST_SEGMENT = 2 ** 30;
const MOST_IN_FLIGHT = 64;

/**
 * @param use messages in memory, or streams, whose segments are shorter by default
 * @throws TypeError, RangeError for an option that is not allowed
 */
export function settingsOf(options: SegmentOptions, use: "message" | "stream" = "message"): Settings {
  const profile = runtimeProfile();
  const {
    segmentLength = use === "stream" ? profile.streamSegment : profile.segmentLength,
    inFlight = profile.inFlight,
    tagLength = BLOCK,
    subtle = globalThis.crypto?.subtle as Subtle | undefined,
  } = options;
  checkSegmentLength(segmentLength);
  if (!Number.isInteger(inFlight) || inFlight < 1 || inFlight > MOST_IN_FLIGHT) {
    throw new RangeError(`inFlight is ${String(inFlight)}; allowed are 1 to ${MOST_IN_FLIGHT}`);
  }
  checkTagLength(tagLength, false);
  return { ...profile, segmentLength, inFlight, tagLength, subtle };
}

/** @throws RangeError unless `length` is a multiple of 16 up to 1 GiB */
export function checkSegmentLength(length: unknown): asserts length is number {
  const right =
    typeof length === "number" &&
    Number.isInteger(length / BLOCK) &&
    length >= BLOCK &&
    length <= LONGEST_SEGMENT;
  if (!right) {
    throw new RangeError(`segmentLength is ${String(length)}; allowed are multiples of 16 from 16 to 2^30`);
  }
}
