import { describe, expect, it } from "vitest";
import { estimate, meanError, outliers, pairedRatio } from "../src/statistics.js";

describe("estimate", () => {
  it("gives the median and the relative median absolute deviation", () => {
    const { median, spread } = estimate([10, 12, 8, 100, 11]);
    expect(median).toBe(11);
    // Deviations from 11: 1, 1, 3, 89, 0.
    expect(spread).toBeCloseTo(1 / 11, 12);
  });

  it("takes the second smallest and largest of 15 samples for 99.9 %", () => {
    const samples = Array.from({ length: 15 }, (_, i) => 15 - i);
    const { low, high, confidence } = estimate(samples);
    expect([low, high]).toEqual([2, 14]);
    // 1 − 2 (1 + 15) / 2^15
    expect(confidence).toBeCloseTo(1 - 32 / 2 ** 15, 10);
  });

  it("takes the whole range where there are too few samples, and says what that is worth", () => {
    const { low, high, confidence } = estimate([3, 1, 2, 5, 4]);
    expect([low, high]).toEqual([1, 5]);
    expect(confidence).toBeCloseTo(1 - 2 / 32, 10);
  });

  it("narrows as samples become many", () => {
    const samples = Array.from({ length: 101 }, (_, i) => i);
    const { low, high, confidence } = estimate(samples);
    expect(confidence).toBeGreaterThanOrEqual(0.999);
    expect(low).toBeGreaterThan(30);
    expect(high).toBe(100 - low);
  });

  it("claims nothing from one sample", () => {
    expect(estimate([7])).toEqual({ median: 7, low: 7, high: 7, confidence: 0, spread: 0 });
  });

  it("covers the true median about as often as it claims", () => {
    const random = lcg(1);
    const trials = 2000;
    let covered = 0;
    for (let t = 0; t < trials; t++) {
      const { low, high } = estimate(
        Array.from({ length: 15 }, () => random() ** 3),
        0.9,
      );
      if (low <= 0.125 && 0.125 <= high) covered++;
    }
    // 4th of 15 from either end: 0.9648.
    expect(covered / trials).toBeGreaterThan(0.95);
    expect(covered / trials).toBeLessThan(0.98);
  });

  it("refuses no samples", () => {
    expect(() => estimate([])).toThrow(/at least one/);
  });
});

describe("pairedRatio", () => {
  it("is immune to noise that meets both in the same round", () => {
    const noise = [1, 5, 1, 3, 9, 1, 2];
    const fast = noise.map((n) => 10 * n);
    const slow = noise.map((n) => 25 * n);
    expect(pairedRatio(fast, slow)).toMatchObject({ median: 2.5, low: 2.5, high: 2.5 });
    expect(pairedRatio(slow, fast).median).toBe(0.4);
  });

  it("refuses different numbers of rounds", () => {
    expect(() => pairedRatio([1, 2], [1])).toThrow(RangeError);
  });
});

describe("meanError", () => {
  // Quantiles of Student's t at 0.9995 from printed tables.
  it.each([
    [1, 636.619],
    [2, 31.599],
    [4, 8.61],
    [9, 4.781],
    [39, 3.558],
  ])("with %i degrees of freedom uses t = %f", (degrees, t) => {
    const n = degrees + 1;
    // Mean 10; the first and last sample are 1 off, the others not: variance 2 / (n - 1).
    const samples = [9, ...Array<number>(n - 2).fill(10), 11];
    const { mean, error } = meanError(samples);
    expect(mean).toBeCloseTo(10, 12);
    expect(error! / (Math.sqrt(2 / (n - 1)) / Math.sqrt(n))).toBeCloseTo(t, degrees === 1 ? 2 : 3);
  });

  it("takes another confidence", () => {
    // t(4) at 0.975 is 2.776.
    const { error } = meanError([1, 2, 3, 4, 5], 0.95);
    expect(error! / (Math.sqrt(2.5) / Math.sqrt(5))).toBeCloseTo(2.776, 3);
  });

  it("claims no error from one sample", () => {
    expect(meanError([7])).toEqual({ mean: 7 });
  });
});

describe("outliers", () => {
  it("counts what lies beyond Tukey's fences", () => {
    // Quartiles 3 and 7, fences -3 and 13.
    expect(outliers([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(0);
    expect(outliers([1, 2, 3, 4, 5, 6, 7, 8, 900])).toBe(1);
    expect(outliers([-90, 2, 3, 4, 5, 6, 7, 8, 13])).toBe(1);
  });

  it("sees none in three samples", () => {
    expect(outliers([1, 1, 1000])).toBe(0);
  });
});

function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
