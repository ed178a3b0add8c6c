/**
 * What is said of samples: medians, because a machine's noise only ever adds time, and intervals by order statistics,
 * because timings are not normally distributed; and beside them JMH's mean and error, to be compared with its figures.
 */
import jstat from "jstat";
import {
  binomialDistribution,
  mean,
  median,
  medianAbsoluteDeviation,
  quantileSorted,
  sampleStandardDeviation,
} from "simple-statistics";

/** A median and where it lies with some confidence. */
export interface Estimate {
  readonly median: number;
  /** Ends of the confidence interval of the median. */
  readonly low: number;
  readonly high: number;
  /** Probability that the interval covers the true median, 0 to 1; below the one asked for when samples are few. */
  readonly confidence: number;
  /** Median absolute deviation from the median, divided by the median. */
  readonly spread: number;
}

/** JMH's level, so that errors here and there mean the same. */
export const CONFIDENCE = 0.999;

/**
 * Median with its distribution-free confidence interval: the number of samples below the true median is binomial
 * with p = 1/2, so the k-th smallest and k-th largest sample enclose it with probability 1 − 2 P(X < k).
 * (Conover, Practical Nonparametric Statistics, section 3.2.)
 *
 * @param samples at least one number
 * @param confidence wanted, 0 to 1; fewer than 11 samples cannot give 0.999, then the whole range is taken
 */
export function estimate(samples: readonly number[], confidence: number = CONFIDENCE): Estimate {
  if (samples.length === 0) throw new RangeError("samples is empty; at least one is needed");
  const sorted = [...samples].sort((a, b) => a - b);
  const { rank, reached } = intervalRank(sorted.length, confidence);
  const middle = median(sorted);
  return {
    median: middle,
    low: sorted[rank - 1],
    high: sorted[sorted.length - rank],
    confidence: reached,
    spread: middle === 0 ? 0 : medianAbsoluteDeviation(sorted) / Math.abs(middle),
  };
}

/** Largest k ≥ 1 for which the k-th smallest and largest of n samples reach the confidence; else 1. */
function intervalRank(n: number, confidence: number): { rank: number; reached: number } {
  const probabilities = n === 0 ? [] : (binomialDistribution(n, 0.5) ?? []);
  let tail = probabilities[0] ?? 0.5;
  let rank = 1;
  let reached = Math.max(0, 1 - 2 * tail);
  while (rank < Math.floor(n / 2)) {
    tail += probabilities[rank] ?? 0;
    if (1 - 2 * tail < confidence) break;
    rank++;
    reached = 1 - 2 * tail;
  }
  return { rank, reached };
}

/**
 * How many times faster one contestant is than another: the ratio of each round by itself, where both met the same
 * noise, and then the median of these.
 *
 * @param times of the contestant, by round
 * @param baseline times of the one it is compared with, by round; as many
 */
export function pairedRatio(times: readonly number[], baseline: readonly number[]): Estimate {
  if (times.length !== baseline.length) {
    throw new RangeError(
      `times has ${times.length} rounds and baseline ${baseline.length}; as many are needed`,
    );
  }
  return estimate(times.map((time, round) => baseline[round] / time));
}

/**
 * JMH's score and error: the mean, and half of its confidence interval by Student's t.
 *
 * @param samples at least one; `error` is absent with one alone
 */
export function meanError(
  samples: readonly number[],
  confidence: number = CONFIDENCE,
): { mean: number; error?: number } {
  const values = [...samples];
  const center = mean(values);
  if (values.length < 2) return { mean: center };
  const quantile = jstat.studentt.inv(1 - (1 - confidence) / 2, values.length - 1);
  return { mean: center, error: (quantile * sampleStandardDeviation(values)) / Math.sqrt(values.length) };
}

/** Tukey's fences are this many interquartile ranges beyond the quartiles. */
const FENCE = 1.5;

/** How many samples lie beyond Tukey's fences. */
export function outliers(samples: readonly number[]): number {
  if (samples.length < 4) return 0;
  const sorted = [...samples].sort((a, b) => a - b);
  const [low, high] = [quantileSorted(sorted, 0.25), quantileSorted(sorted, 0.75)];
  const reach = FENCE * (high - low);
  return sorted.filter((sample) => sample < low - reach || sample > high + reach).length;
}
