/**
 * Measures contestants against each other: all of them in every round, in a new order each round, so that what the
 * machine does meanwhile (clock changes, other programs) meets all alike; and judged by ratios within rounds.
 */
import type { Score, Scores, Timing } from "./results.js";
import { type Estimate, estimate, meanError, outliers, pairedRatio } from "./statistics.js";

/** Something to measure. */
export interface Contestant {
  readonly name: string;
  /** Does the work `iterations` times. {@link repeat} makes one from a single operation. */
  readonly run: (iterations: number) => void | Promise<void>;
  /** Bytes of message that one iteration works on. */
  readonly bytes?: number;
}

/** A contestant that is timed elsewhere, for example in its own process. */
export interface Sampler {
  readonly name: string;
  /** One sample: nanoseconds per operation over the time that one round gives. */
  readonly sample: () => number | Promise<number>;
  readonly bytes?: number;
}

/** How {@link compare} measures: by default 15 rounds of 20 ms after 300 ms; from 11 rounds on the 99.9 % interval exists. */
export interface CompareOptions extends Timing {
  /** Milliseconds from any origin; default `performance.now`. */
  readonly clock?: () => number;
  /** Numbers from 0 to below 1 for the order; default `Math.random`. */
  readonly random?: () => number;
  /** Called before each timed part; default: a collection of young garbage, where `global.gc` is exposed. */
  readonly collect?: () => void;
}

/**
 * The smallest time that a clock can tell apart must be far below a round; this many iterations without any time
 * passing mean that the clock stands still.
 */
const MOST_ITERATIONS = 2 ** 40;

/** Loops that {@link repeat} has made. */
let loops = 0;

/**
 * A contestant from one operation. Each gets a loop of its own, compiled from text: in a shared loop V8 sees many
 * callees, stops inlining, and adds some nanoseconds to every call, which at 16 bytes is what is to be measured.
 *
 * @param operation gets the number of the iteration
 */
export function repeat(name: string, operation: (i: number) => void, bytes?: number): Contestant {
  const makeLoop = new Function(
    "operation",
    // Its own number, too: text that V8 has met before gives it the loop compiled then, with all its callees.
    `/* ${loops++} */ return (iterations) => { for (let i = 0; i < iterations; i++) operation(i); };`,
  ) as (operation: (i: number) => void) => (iterations: number) => void;
  return { name, run: makeLoop(operation), ...(bytes === undefined ? {} : { bytes }) };
}

/**
 * As {@link repeat}, for an operation that ends later.
 *
 * @param inFlight operations under way at once: each that ends lets the next begin
 */
export function repeatAsync(
  name: string,
  operation: (i: number) => void | Promise<void>,
  bytes?: number,
  inFlight = 1,
): Contestant {
  const makeLoop = new Function(
    "operation",
    "return async (from, step, to) => { for (let i = from; i < to; i += step) await operation(i); };",
  ) as (
    operation: (i: number) => void | Promise<void>,
  ) => (from: number, step: number, to: number) => Promise<void>;
  const loop = makeLoop(operation);
  const lanes = Array.from({ length: inFlight }, (_, lane) => lane);
  const run =
    inFlight === 1
      ? (iterations: number) => loop(0, 1, iterations)
      : async (iterations: number) => {
          await Promise.all(lanes.map((lane) => loop(lane, inFlight, iterations)));
        };
  return { name, run, ...(bytes === undefined ? {} : { bytes }) };
}

/**
 * Warms up every contestant, finds how many iterations fill a round, and measures them interleaved.
 *
 * @param contestants with different names
 */
export async function compare(
  contestants: readonly Contestant[],
  options: CompareOptions = {},
): Promise<Scores> {
  const samplers: Sampler[] = [];
  for (const contestant of contestants) samplers.push(await calibrated(contestant, options));
  return interleave(samplers, options);
}

/** One sample of each sampler per round, in a new order each round. */
export async function interleave(
  samplers: readonly Sampler[],
  { rounds = 15, random = Math.random }: Pick<CompareOptions, "rounds" | "random"> = {},
): Promise<Scores> {
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new RangeError(`rounds is ${rounds}; at least 1 is needed`);
  if (new Set(samplers.map(({ name }) => name)).size !== samplers.length) {
    throw new RangeError(
      `two contestants have the same name: ${samplers.map(({ name }) => name).join(", ")}`,
    );
  }
  const samples = samplers.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const i of shuffled(samplers.length, random)) samples[i].push(await samplers[i].sample());
  }
  return samplers.map((sampler, i) => score(sampler, samples[i]));
}

/** The result of one sampler's samples, nanoseconds per operation each. */
export function score({ name, bytes }: Pick<Sampler, "name" | "bytes">, samples: readonly number[]): Score {
  const nanoseconds = estimate(samples);
  const opsPerSecond = 1e9 / nanoseconds.median;
  const throughput = bytes === undefined ? {} : { megabytesPerSecond: (opsPerSecond * bytes) / 1e6 };
  const { mean, error } = meanError(samples.map((sample) => 1e9 / sample));
  return {
    name,
    samples,
    nanoseconds,
    opsPerSecond,
    ...throughput,
    mean,
    ...(error === undefined ? {} : { error }),
    outliers: outliers(samples),
  };
}

/**
 * How many times faster `name` is than `baseline`: above 1 is faster.
 *
 * @throws RangeError when one of them was not measured
 */
export function ratio(scores: Scores, name: string, baseline: string): Estimate {
  const [times, base] = [find(scores, name).samples, find(scores, baseline).samples];
  // A slow contestant has fewer samples, from the first rounds.
  const rounds = Math.min(times.length, base.length);
  return pairedRatio(times.slice(0, rounds), base.slice(0, rounds));
}

/** The score of that name. @throws RangeError when there is none */
export function find(scores: Scores, name: string): Score {
  const found = scores.find((one) => one.name === name);
  if (found === undefined) {
    throw new RangeError(
      `no contestant is called ${name}; there are ${scores.map((one) => one.name).join(", ")}`,
    );
  }
  return found;
}

/** Warms the contestant up and fixes how many iterations make a round. */
export async function calibrated(contestant: Contestant, options: CompareOptions = {}): Promise<Sampler> {
  const { clock = defaultClock, collect = collectYoung } = options;
  const iterations = await calibrate(contestant.run, options);
  const sample = async () => {
    collect();
    return ((await timed(contestant.run, iterations, clock)) * 1e6) / iterations;
  };
  const { name, bytes } = contestant;
  return { name, sample, ...(bytes === undefined ? {} : { bytes }) };
}

/**
 * Runs with growing counts until the warm-up time has passed and the last run was long enough to judge by.
 *
 * @returns iterations that take about `roundMs`, at least 1
 */
export async function calibrate(run: Contestant["run"], options: CompareOptions = {}): Promise<number> {
  const { roundMs = 20, warmupMs = 300, clock = defaultClock } = options;
  let iterations = 1;
  let spent = 0;
  for (;;) {
    const elapsed = await timed(run, iterations, clock);
    spent += elapsed;
    if (spent >= warmupMs && elapsed >= roundMs / 4) {
      return Math.max(1, Math.round((iterations * roundMs) / elapsed));
    }
    if (elapsed < roundMs / 2) iterations *= 2;
    if (iterations > MOST_ITERATIONS) throw new Error("the clock stands still");
  }
}

async function timed(run: Contestant["run"], iterations: number, clock: () => number): Promise<number> {
  const start = clock();
  const pending = run(iterations);
  // Without the test a synchronous contestant would pay for a turn of the event loop.
  if (pending !== undefined) await pending;
  return clock() - start;
}

function defaultClock(): number {
  return performance.now();
}

/**
 * Collects garbage where `global.gc` is exposed, young garbage only. A full collection before every sample makes V8 drop the compiled code of functions that it finds
 * unused for some collections, and of shapes that died with the garbage: noble came out four to six times too slow.
 */
export function collectYoung(): void {
  (globalThis as { gc?: (options: { type: "minor" }) => void }).gc?.({ type: "minor" });
}

/** 0 … n − 1 in random order (Fisher and Yates). */
export function shuffled(n: number, random: () => number): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
