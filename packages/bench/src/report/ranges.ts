/** Scores and values as ranges, and how they are written. */
import type { Score, Unit, Value } from "../results.js";
import { formatMegabytes, formatOps, formatPercent, formatSize, formatTime } from "../table.js";
import type { Axis, Range } from "./model.js";

/** The median time of a score with its confidence interval, in nanoseconds. */
export function timeOf({ nanoseconds: { median, low, high } }: Score): Range {
  return { value: median, low, high };
}

/** Operations per second: the median's, with its confidence interval. */
export function rateOf(score: Score): Range {
  const { value, low, high } = timeOf(score);
  return { value: 1e9 / value, low: 1e9 / high, high: 1e9 / low };
}

/** 10^6 bytes per second; undefined for a score without bytes. */
export function throughputOf(score: Score): Range | undefined {
  if (score.megabytesPerSecond === undefined) return undefined;
  const bytes = score.megabytesPerSecond / score.opsPerSecond;
  const { value, low, high } = rateOf(score);
  return { value: value * bytes, low: low * bytes, high: high * bytes };
}

/** A value; without ends it is taken for exact. */
export function rangeOf({ value, low = value, high = value }: Value): Range {
  return { value, low, high };
}

/** Half of a range as part of its value. */
export function formatError({ value, low, high }: Range): string {
  return formatPercent((high - low) / 2 / value);
}

/** How figures of a unit are written, and whether less of it is better. */
export const UNITS: Readonly<
  Record<Unit, { readonly format: (value: number) => string; readonly lessIsBetter: boolean }>
> = {
  bytes: { format: formatSize, lessIsBetter: true },
  ns: { format: formatTime, lessIsBetter: true },
  ms: { format: (value) => formatTime(value * 1e6), lessIsBetter: true },
  "MB/s": { format: (value) => `${formatMegabytes(value)} MB/s`, lessIsBetter: false },
};

/** Axes that several pictures share. */
export const AXES = {
  throughput: {
    label: "MB/s, more is better",
    scale: "log",
    format: (value) => (value < 1 ? `${value}` : value.toLocaleString("en")),
  },
  rate: { label: "messages per second, more is better", scale: "log", format: formatOps },
  size: { label: "message size", scale: "log", format: shortSize },
} as const satisfies Readonly<Record<string, Axis>>;

/** 16, 4K, 1M: sizes where there is little room. */
function shortSize(bytes: number): string {
  return formatSize(bytes).replace(/ (?:([KMG])i)?B$/, "$1");
}
