import { describe, expect, it } from "vitest";
import { estimate, pairedRatio } from "../src/statistics.js";

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

function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
