/** Times the first calls of an operation one by one; for processes of Node and for pages. */
import type { Run } from "../contestants/shape.js";

/** How far to go. */
export interface CallLimits {
  readonly calls: number;
  /** Calls after those, whose median is the steady state. */
  readonly steadyCalls: number;
  /** Milliseconds after which no further call begins. */
  readonly limitMs: number;
}

/** Nanoseconds. */
export interface CallTimes {
  /** Time of call 1, 2, 3, … as far as the time allowed. */
  readonly calls: readonly number[];
  /** Median of the calls after those, or of the last tenth of them when there was no time for more. */
  readonly steady: number;
}

/** Runs the operation, which may end later. */
export async function timeCalls(run: Run, limits: CallLimits): Promise<CallTimes> {
  const { calls, steadyCalls, limitMs } = limits;
  const times: number[] = [];
  const started = performance.now();
  for (let i = 0; i < calls + steadyCalls; i++) {
    const start = performance.now();
    if (i > 0 && start - started > limitMs) break;
    const pending = run(i);
    if (pending !== undefined) await pending;
    times.push((performance.now() - start) * 1e6);
  }
  const rest = times.slice(Math.min(calls, Math.floor(times.length * 0.9))).sort((a, b) => a - b);
  return { calls: times.slice(0, calls), steady: rest[rest.length >> 1] ?? times[0] };
}
