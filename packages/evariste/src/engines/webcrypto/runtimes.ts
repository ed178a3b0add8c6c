/**
 * How each runtime's WebCrypto is best used, as data. Paces are the best of `node scripts/stitched.mjs --segments 64,128,256,512,1024`
 * and neighbours on a quiet virtual machine of two cores (x86-64), both directions considered, for a message of 64 MiB under AES-128;
 * `syncBelow` is the length where an awaited call becomes as fast as the synchronous engine.
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
  /**
   * Bytes of a stream's segments by default. Each segment's output is memory that the garbage collector has to find, and
   * collectors count objects rather than what they hold.
   */
  readonly streamSegment: number;
  /** Bytes of a block whose release makes the allocator keep memory, once for messages in memory: see `memory.ts`. */
  readonly keepFreed: number;
  /** Synchronous engines that stream faster than WebCrypto on this runtime, by name. */
  readonly syncStreams: readonly string[];
}

/** The runtimes that differ enough to be told apart. */
export type RuntimeName = "node" | "deno" | "bun" | "chromium" | "firefox" | "webkit" | "other";

const KIB = 1024;
const MIB = 1024 * KIB;
/** What glibc still learns from: a block of 32 MiB with its header is too large. */
const MOST_KEPT = 31 * MIB;

/** One row per runtime. */
export const RUNTIMES: Readonly<Record<RuntimeName, RuntimeProfile>> = {
  // Growth of the resident set in streams of 4 GiB on a busy machine: 66 to 72 MiB with segments of 1 MiB, 39 to 72 with
  // 256 KiB, 33 to 66 with 96 KiB.
  node: {
    ...profile(1 * MIB, 3, 32 * KIB, ["native", "openssl"]),
    streamSegment: 64 * KIB,
    keepFreed: MOST_KEPT,
  },
  deno: { ...profile(1 * MIB, 3, 32 * KIB, ["native"]), keepFreed: MOST_KEPT },
  bun: profile(1 * MIB, 3, 12 * KIB, ["native"]),
  // Above 768 KiB what is copied is fresh memory too, as each output is anyway.
  chromium: profile(512 * KIB, 2, 1792, []),
  // From 384 KiB on some of the copies are fresh memory.
  firefox: profile(320 * KIB, 2, 24 * KIB, []),
  webkit: profile(1 * MIB, 2, 12 * KIB, []),
  other: profile(256 * KIB, 4, 12 * KIB, ["native"]),
};

/** `syncBelow` where the portable engine is all there is: an awaited call is as fast as half a kilobyte of it. */
export const SYNC_BELOW_PORTABLE = 512;

function profile(
  segmentLength: number,
  inFlight: number,
  syncBelow: number,
  syncStreams: readonly string[],
): RuntimeProfile {
  return {
    segmentLength,
    inFlight,
    yieldAfter: 8,
    syncBelow,
    streamSegment: 256 * KIB,
    keepFreed: 0,
    syncStreams,
  };
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
