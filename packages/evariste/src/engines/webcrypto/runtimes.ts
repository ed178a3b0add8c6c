/**
 * How each runtime's WebCrypto is best used, as data. The figures are medians of one machine (x86-64, two cores): message
 * of 64 MiB, AES-128, every segment of 64 KiB to 4 MiB with 1 to 4 in flight; and for `syncBelow` the length where an
 * awaited call becomes as fast as the synchronous engine.
 */

/** How a message is cut and scheduled. */
export interface Pace {
  /** Bytes of a segment, a multiple of 16. */
  readonly segmentLength: number;
  /** Segments under way at once, at least 1. */
  readonly inFlight: number;
}

/** What is known of a runtime. */
export interface RuntimeProfile extends Pace {
  /**
   * Milliseconds of work after which other tasks get a turn. Where the platform encrypts on the calling thread, awaiting in
   * a loop starves timers; elsewhere this costs nothing to speak of.
   */
  readonly yieldAfter: number;
  /** First length in bytes of a raw key's message that goes to WebCrypto; below, the synchronous engine is faster. */
  readonly syncBelow: number;
  /** Synchronous engines that stream faster than WebCrypto on this runtime, by name. */
  readonly syncStreams: readonly string[];
}

/** The runtimes that differ enough to be told apart. */
export type RuntimeName = "node" | "deno" | "bun" | "chromium" | "firefox" | "webkit" | "other";

const KIB = 1024;
const MIB = 1024 * KIB;

/** One row per runtime. */
export const RUNTIMES: Readonly<Record<RuntimeName, RuntimeProfile>> = {
  node: profile(1 * MIB, 3, 32 * KIB, ["native", "openssl"]),
  deno: profile(1 * MIB, 3, 32 * KIB, ["native"]),
  bun: profile(1 * MIB, 2, 12 * KIB, ["native"]),
  // 64 KiB is a tenth faster where nothing else runs, and half as fast on a busy machine.
  chromium: profile(256 * KIB, 1, 1792, []),
  firefox: profile(256 * KIB, 3, 24 * KIB, []),
  webkit: profile(4 * MIB, 4, 12 * KIB, []),
  other: profile(256 * KIB, 4, 12 * KIB, ["native"]),
};

/** `syncBelow` where the portable engine is all there is: an awaited call is as fast as half a kilobyte of it. */
export const SYNC_BELOW_PORTABLE = 512;

/**
 * Longest segment of streams by default, in bytes. Each segment's output is memory that the garbage collector has to find:
 * with 1 MiB a stream of 4 GiB grew Node 20's resident set by 66 to 72 MiB, with this by 51 to 54, at the same rate.
 */
export const STREAM_SEGMENT = 256 * KIB;

function profile(
  segmentLength: number,
  inFlight: number,
  syncBelow: number,
  syncStreams: readonly string[],
): RuntimeProfile {
  return { segmentLength, inFlight, yieldAfter: 8, syncBelow, syncStreams };
}

/** What runtimes are told apart by. */
interface Globals {
  readonly Deno?: unknown;
  readonly Bun?: unknown;
  readonly InternalError?: unknown;
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgentData?: unknown };
}

/** The runtime of `globals`, by features that need no permission and exist in workers too. */
export function detectRuntime(globals: object = globalThis): RuntimeName {
  const { Deno, Bun, InternalError, process, navigator } = globals as Globals;
  // Deno and Bun also have `process`.
  if (Deno !== undefined) return "deno";
  if (Bun !== undefined) return "bun";
  if (process?.versions?.node !== undefined) return "node";
  // Only SpiderMonkey has this error class.
  if (InternalError !== undefined) return "firefox";
  // User-Agent Client Hints: Chromium in secure contexts, and those are all that have WebCrypto.
  if (navigator?.userAgentData !== undefined) return "chromium";
  // V8 begins a stack with the error's name, JavaScriptCore with its first frame.
  return String(new Error("probe").stack).startsWith("Error") ? "other" : "webkit";
}

/** The profile of the runtime that this code runs in. */
export function runtimeProfile(): RuntimeProfile {
  return RUNTIMES[detectRuntime()];
}
