/** In a page: one row of `sizes`. */
import type { Shape } from "../contestants/shape.js";
import { type Contestant, compare, repeat, repeatAsync } from "../harness.js";
import { type PageContestant, pageContestants } from "./contestants.js";
import type { Answers, RowTask } from "./tasks.js";

/** Longer messages run one at a time: 16 of them would measure the memory. In bytes. */
const LONGEST_IN_FLIGHT = 4 * 2 ** 20;

/** Measures the contestants in turns. One that cannot be made is a note. */
export async function measureInPage(task: RowTask): Promise<Answers["row"]> {
  const { operation, size, keyBits, engines, timing } = task;
  const contestants: Contestant[] = [];
  const notes: string[] = [];
  for (const each of pageContestants(engines)) {
    try {
      const made = await prepare(each, { operation, size, keyBits });
      if (made !== undefined) contestants.push(made);
    } catch (error) {
      notes.push(`${each.name} is missing: ${String(error)}`);
    }
  }
  return { scores: await compare(contestants, timing), notes };
}

async function prepare(
  { name, make, inFlight }: PageContestant,
  shape: Shape,
): Promise<Contestant | undefined> {
  const run = await make(shape);
  if (run === undefined) return undefined;
  if (inFlight === undefined) return repeat(name, run, shape.size);
  return repeatAsync(name, run, shape.size, shape.size > LONGEST_IN_FLIGHT ? 1 : inFlight);
}
