import type { KernelReport } from "evariste";
import { describe, expect, it } from "vitest";
import { score } from "../src/harness.js";
import { rungsOf } from "../src/suites/ladder.js";
import { ladderSteps } from "../src/suites/ladder-steps.js";
import {
  closingNotes,
  formatSpeed,
  formatVerdict,
  judge,
  sizeLabel,
  speedTable,
  usableEngines,
} from "../src/suites/suite.js";
import { sweepSizes } from "../src/suites/sweep.js";
import { crossing } from "../src/suites/thresholds.js";

const eleven = (time: number) => new Array<number>(11).fill(time);
const scores = [
  score({ name: "fast", bytes: 16 }, eleven(100)),
  score({ name: "slow", bytes: 16 }, eleven(250)),
];

describe("verdicts", () => {
  it("judges by the median, and leaves out who is missing", () => {
    const { verdicts } = judge({ size: 16 }, scores, [
      { name: "fast", baseline: "slow", target: 2.5 },
      { name: "slow", baseline: "fast", target: 0.95 },
      { name: "fast", baseline: "absent", target: 1 },
      { name: "fast", baseline: "slow" },
    ]);
    expect(verdicts.map(({ met }) => met)).toEqual([true, false, undefined]);
    expect(verdicts.map(formatVerdict)).toEqual(["2.50× ≥ 2.5", "0.40× MISSES 0.95", "2.50×"]);
  });

  it("tells a miss from noise", () => {
    const times = [...eleven(100).slice(1), 50];
    const noisy = [score({ name: "fast" }, times), score({ name: "slow" }, eleven(90))];
    const record = judge({ size: 16 }, noisy, [{ name: "fast", baseline: "slow", target: 0.95 }]);
    expect(record.verdicts.map(formatVerdict)).toEqual(["0.90× < 0.95?"]);
    expect(closingNotes([record])[0]).toMatch(/^target perhaps missed: 16: fast \/ slow is 0.90×/);
  });

  it("counts targets and noise at the end", () => {
    const record = judge({ operation: "encryptInto", size: 16 }, scores, [
      { name: "slow", baseline: "fast", target: 0.95 },
      { name: "fast", baseline: "slow", target: 2 },
    ]);
    expect(closingNotes([record])).toEqual([
      "target missed: encryptInto, 16: slow / fast is 0.40× (0.40× to 0.40×), target 0.95",
      "1 of 2 targets reached",
      "0 of 2 scores spread by more than 5 % (median absolute deviation)",
      "0 of 22 samples are outliers (beyond Tukey's fences)",
    ]);
  });
});

it("speedTable has contestants and ratios as columns, with gaps where one is missing", () => {
  const records = [
    judge({ size: 16 }, scores, [{ name: "fast", baseline: "slow" }]),
    judge({ size: 4096 }, [score({ name: "fast", bytes: 4096 }, eleven(1000))], []),
  ];
  expect(speedTable("t", "size", records, sizeLabel)).toEqual({
    title: "t",
    columns: ["size", "fast", "slow", "fast / slow"],
    rows: [
      ["16 B", "10.0 M/s ±0 %", "4.00 M/s ±0 %", "2.50×"],
      ["4 KiB", "4096 MB/s ±0 %", "", ""],
    ],
  });
});

it("speeds are rates for small messages and throughput for large ones", () => {
  expect(formatSpeed(scores[0], 16)).toBe("10.0 M/s ±0 %");
  expect(formatSpeed(scores[0], 4096)).toBe("160 MB/s ±0 %");
  expect(formatSpeed(score({ name: "no bytes" }, [900, 1000, 1100]), 4096)).toBe("1.00 M/s ±10 %");
});

it("usableEngines notes what was asked for and is not there", () => {
  const { names, notes } = usableEngines(["portable"]);
  expect(names).toEqual(["portable"]);
  expect(notes).toEqual([]);
});

describe("ladder", () => {
  const kernel = (name: string, role: KernelReport["role"], available = true): KernelReport => ({
    name,
    role,
    available,
    chosen: false,
  });

  it("climbs from everything off to the widest combined kernel", () => {
    const kernels = [
      kernel("gcm_wide", "gcm"),
      kernel("gcm_narrow", "gcm"),
      kernel("gctr_fast", "gctr"),
      kernel("ghash_fast", "ghash"),
      kernel("gctr_plain", "gctr"),
      kernel("ghash_plain", "ghash"),
    ];
    expect(ladderSteps(kernels)).toEqual([
      { name: "everything off", disable: kernels.map(({ name }) => name) },
      { name: "GHASH kernel only", disable: ["gcm_wide", "gcm_narrow", "gctr_fast", "gctr_plain"] },
      { name: "GCTR kernel only", disable: ["gcm_wide", "gcm_narrow", "ghash_fast", "ghash_plain"] },
      { name: "both apart", disable: ["gcm_wide", "gcm_narrow"] },
      { name: "gcm_narrow", disable: ["gcm_wide"] },
      { name: "gcm_wide", disable: [] },
    ]);
  });

  it("passes over kernels that this machine lacks", () => {
    const kernels = [
      kernel("gcm_wide", "gcm", false),
      kernel("gctr_fast", "gctr", false),
      kernel("ghash_fast", "ghash"),
      kernel("gctr_plain", "gctr"),
      kernel("ghash_plain", "ghash"),
    ];
    expect(ladderSteps(kernels).map(({ name }) => name)).toEqual(["everything off", "GHASH kernel only"]);
  });

  it("has the engines of this machine, each kernel choice once", () => {
    const rungs = rungsOf(["openssl", "portable"]);
    expect(rungs.map(({ engine }) => engine)).toEqual(["portable", "openssl"]);
    expect(new Set(rungs.map(({ name }) => name)).size).toBe(rungs.length);
  });
});

describe("crossing", () => {
  const at = (...ratios: number[]) => ratios.map((ratio, i) => ({ size: 16 << i, ratio }));

  it("is the first size from which on it is never slower", () => {
    expect(crossing(at(0.1, 1.2, 0.9, 1, 3))).toBe(128);
    expect(crossing(at(2, 2))).toBe(16);
    expect(crossing(at(2, 0.5))).toBeUndefined();
    expect(crossing([])).toBeUndefined();
  });
});

it("the sweep goes from 16 bytes to 8 KiB and off multiples of 16", () => {
  const sizes = sweepSizes(false);
  expect(sizes[0]).toBe(16);
  expect(Math.max(...sizes)).toBe(8192);
  for (const size of [17, 496, 512, 1025, 4096]) expect(sizes).toContain(size);
  expect(sweepSizes(true).length).toBeLessThan(sizes.length / 2);
});
