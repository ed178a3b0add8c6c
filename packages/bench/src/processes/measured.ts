/** One contestant in one row, as the processes and threads that measure it hold it. */
import { KINDS, type MakeRun } from "../contestants/kinds.js";
import type { Shape } from "../contestants/shape.js";
import type { Spec } from "../contestants/table.js";
import { type Contestant, collectYoung, repeat, repeatAsync } from "../harness.js";

/** A loop, and how often it is to be run. */
export interface Measured {
  readonly run: Contestant["run"];
  /** As many as take about a twentieth of a round; grows with what is found. */
  iterations: number;
  readonly least: number;
}

/** Longest message of which several are under way at once, in bytes: each takes memory. */
const LONGEST_IN_FLIGHT = 4 * 2 ** 20;

/** Makes the contestant's loop; undefined when it has no such operation. */
export async function prepare(spec: Spec, row: Shape): Promise<Measured | undefined> {
  const { inFlight = 1 } = spec;
  const shape: Shape = { ...row, ...spec.instead };
  if (inFlight > 1 && shape.size > LONGEST_IN_FLIGHT) return undefined;
  const make = (await KINDS[spec.kind].load()) as (shape: Shape, options: unknown) => ReturnType<MakeRun>;
  const run = await make(shape, spec.options);
  if (run === undefined) return undefined;
  const pending = run(0);
  await pending;
  const contestant =
    pending === undefined
      ? repeat(spec.name, run as (i: number) => void)
      : repeatAsync(spec.name, run, undefined, inFlight);
  return { run: contestant.run, iterations: inFlight, least: inFlight };
}

/** Runs it over that time and at least once. @returns nanoseconds per operation */
export async function nanoseconds(measured: Measured, milliseconds: number): Promise<number> {
  collectYoung();
  const start = performance.now();
  let done = 0;
  let elapsed = 0;
  do {
    const pending = measured.run(measured.iterations);
    if (pending !== undefined) await pending;
    done += measured.iterations;
    elapsed = performance.now() - start;
    if (elapsed < milliseconds / 20) measured.iterations *= 2;
  } while (elapsed < milliseconds);
  measured.iterations = Math.max(measured.least, Math.round((done * milliseconds) / 20 / elapsed));
  return (elapsed * 1e6) / done;
}
