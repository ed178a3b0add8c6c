import { describe, expect, it } from "vitest";
import { calibrate, compare, find, interleave, ratio, repeat, repeatAsync, score } from "../src/harness.js";

/** A clock that only the contestants move. */
function fakeClock() {
  let now = 0;
  return {
    clock: () => now,
    /** A contestant that takes this many milliseconds per iteration. */
    taking: (name: string, ms: number, bytes?: number) => ({
      name,
      run: (iterations: number) => {
        now += iterations * ms;
      },
      ...(bytes === undefined ? {} : { bytes }),
    }),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

describe("calibrate", () => {
  it("finds how many iterations fill a round", async () => {
    const { clock, taking } = fakeClock();
    const { run } = taking("x", 0.001);
    expect(await calibrate(run, { clock, roundMs: 20, warmupMs: 100 })).toBeCloseTo(20_000, -2);
  });

  it("runs at least as long as the warm-up asks", async () => {
    const { clock, taking } = fakeClock();
    await calibrate(taking("x", 0.01).run, { clock, roundMs: 1, warmupMs: 500 });
    expect(clock()).toBeGreaterThanOrEqual(500);
  });

  it("takes one iteration where one is longer than a round", async () => {
    const { clock, taking } = fakeClock();
    expect(await calibrate(taking("x", 400).run, { clock, roundMs: 20, warmupMs: 100 })).toBe(1);
    expect(clock()).toBe(400);
  });

  it("judges by the last run, not by the cold first ones", async () => {
    const { clock, advance } = fakeClock();
    let calls = 0;
    const run = (iterations: number) => {
      advance(iterations * (calls < 1000 ? 1 : 0.01));
      calls += iterations;
    };
    expect(await calibrate(run, { clock, roundMs: 20, warmupMs: 1500 })).toBeGreaterThan(1000);
  });

  it("does not run for ever on a clock that stands still", async () => {
    await expect(calibrate(() => {}, { clock: () => 0 })).rejects.toThrow(/stands still/);
  });
});

describe("compare", () => {
  it("gives time, rate and throughput of each", async () => {
    const { clock, taking } = fakeClock();
    const scores = await compare([taking("a", 0.001, 1000), taking("b", 0.004)], { clock, rounds: 11 });
    const a = find(scores, "a");
    expect(a.nanoseconds.median).toBeCloseTo(1000, 6);
    expect(a.opsPerSecond).toBeCloseTo(1e6, 3);
    expect(a.megabytesPerSecond).toBeCloseTo(1000, 6);
    expect(a.samples).toHaveLength(11);
    expect(find(scores, "b").megabytesPerSecond).toBeUndefined();
    expect(ratio(scores, "a", "b").median).toBeCloseTo(4, 9);
    expect(ratio(scores, "b", "a").median).toBeCloseTo(0.25, 9);
  });

  it("collects garbage before each timed part, outside of it", async () => {
    const { clock, taking, advance } = fakeClock();
    let collections = 0;
    const collect = () => {
      collections++;
      advance(1000);
    };
    const scores = await compare([taking("a", 0.5)], { clock, collect, rounds: 5 });
    expect(collections).toBe(5);
    expect(scores[0].nanoseconds.median).toBeCloseTo(5e5, 6);
  });

  it("waits for asynchronous contestants inside the timed part", async () => {
    const { clock, advance } = fakeClock();
    const run = async (iterations: number) => {
      await Promise.resolve();
      advance(iterations * 2);
    };
    const scores = await compare([{ name: "a", run }], { clock, rounds: 3 });
    expect(scores[0].nanoseconds.median).toBeCloseTo(2e6, 3);
  });
});

describe("interleave", () => {
  it("runs everybody once per round, in changing order", async () => {
    const order: string[] = [];
    const sampler = (name: string) => ({
      name,
      sample: () => {
        order.push(name);
        return 1;
      },
    });
    let state = 7;
    const random = () => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    await interleave(["a", "b", "c"].map(sampler), { rounds: 40, random });
    const rounds = Array.from({ length: 40 }, (_, r) => order.slice(3 * r, 3 * r + 3).join(""));
    for (const round of rounds) expect([...round].sort().join("")).toBe("abc");
    // All six orders come up.
    expect(new Set(rounds).size).toBe(6);
  });

  it("pairs samples of one round whatever their order was", async () => {
    // Both slow down by the round; the ratio within a round is always 2.
    let round = 0;
    let taken = 0;
    const sampler = (name: string, base: number) => ({
      name,
      sample: () => {
        round = Math.floor(taken++ / 2);
        return base * (1 + round);
      },
    });
    const scores = await interleave([sampler("a", 10), sampler("b", 20)], { rounds: 12 });
    expect(ratio(scores, "a", "b")).toMatchObject({ low: 2, median: 2, high: 2 });
  });

  it("refuses equal names and no rounds", async () => {
    const sampler = { name: "a", sample: () => 1 };
    await expect(interleave([sampler, sampler])).rejects.toThrow(/same name/);
    await expect(interleave([sampler], { rounds: 0 })).rejects.toThrow(RangeError);
  });
});

describe("repeat", () => {
  it("calls the operation with the number of the iteration", async () => {
    const seen: number[] = [];
    await repeat("x", (i) => seen.push(i)).run(4);
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  it("gives each contestant a loop of its own", () => {
    expect(repeat("a", () => {}).run).not.toBe(repeat("b", () => {}).run);
  });
});

describe("repeatAsync", () => {
  it.each([1, 3, 16])("has %i under way at once, and does each iteration once", async (inFlight) => {
    const seen: number[] = [];
    let running = 0;
    let most = 0;
    const operation = async (i: number) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      seen.push(i);
    };
    await repeatAsync("x", operation, 16, inFlight).run(20);
    expect(most).toBe(inFlight);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
});

it("score and find", () => {
  expect(score({ name: "a", bytes: 16 }, [100, 100, 100]).megabytesPerSecond).toBeCloseTo(160, 9);
  expect(() => find([score({ name: "a" }, [1])], "b")).toThrow(/there are a/);
});
