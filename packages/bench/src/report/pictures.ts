/** Which pictures a suite's records make: chosen by what the rows hold, with exceptions by name. */
import type { Score, SuiteRecord, Unit, Value } from "../results.js";
import { formatMegabytes, formatOps, formatRatio, formatSize, formatTime } from "../table.js";
import type { Axis, Bar, Bars, Figure, Lines, Point, Series } from "./model.js";
import { AXES, formatError, rangeOf, rateOf, throughputOf, timeOf, UNITS } from "./ranges.js";

/** With fewer sizes a curve is no curve. */
const CURVE = 3;

/** Suites whose pictures do not follow from the shape of their rows. */
const EXCEPTIONS: ReadonlyMap<string, (records: readonly SuiteRecord[]) => Figure[]> = new Map([
  ["ladder", ladder],
  ["first-call", firstCall],
  ["sweep", (records: readonly SuiteRecord[]) => curves(records, "size", AXES.size)],
]);

/** The pictures of a suite. */
export function picturesOf(suite: string, records: readonly SuiteRecord[]): Figure[] {
  return (EXCEPTIONS.get(suite) ?? generic)(records);
}

function generic(records: readonly SuiteRecord[]): Figure[] {
  const threaded = records.filter(({ row }) => row.threads !== undefined);
  const rest = records.filter(({ row }) => row.threads === undefined);
  const threads: Axis = {
    label: "threads",
    scale: "log",
    format: String,
    ticks: valuesOf(threaded, "threads"),
  };
  const bySize = groups(rest, "size").map(([, group]) => group);
  const curved = bySize.filter((group) => valuesOf(group, "size").length >= CURVE).flat();
  const others = rest.filter((record) => !curved.includes(record));
  return [
    ...curves(threaded, "threads", threads),
    ...curves(curved, "size", AXES.size),
    ...scoreBars(others),
    ...valueBars(rest),
  ];
}

/** One picture for each group of rows that differ in `key` only. */
function curves(records: readonly SuiteRecord[], key: string, x: Axis): Lines[] {
  return groups(records, key).map(([title, group]) => {
    const y = group.every(({ scores }) => scores.every(throughputOf)) ? AXES.throughput : AXES.rate;
    const series = new Map<string, Point[]>();
    for (const { row, scores, values = [] } of group) {
      const at = Number(row[key]);
      const points = [
        ...scores.map((score) => [score.name, speedPoint(score, at, x)] as const),
        ...values
          .filter(({ unit }) => unit === "MB/s")
          .map((value) => [value.name, valuePoint(value, at, x)] as const),
      ];
      for (const [name, point] of points) series.set(name, [...(series.get(name) ?? []), point]);
    }
    const ticks = x.ticks ?? valuesOf(group, key);
    return { kind: "lines", title, x: { ...x, ticks }, y, series: toSeries(series) };
  });
}

function speedPoint(score: Score, x: number, axis: Axis): Point {
  const rate = rateOf(score);
  const throughput = throughputOf(score);
  const megabytes = throughput === undefined ? "" : `${formatMegabytes(throughput.value)} MB/s, `;
  const text = `${score.name}, ${axis.format(x)}: ${megabytes}${formatOps(rate.value)}/s ${formatError(rate)}`;
  return { x, text, ...(throughput ?? rate) };
}

function valuePoint(value: Value, x: number, axis: Axis): Point {
  return {
    x,
    text: `${value.name}, ${axis.format(x)}: ${UNITS[value.unit].format(value.value)}`,
    ...rangeOf(value),
  };
}

function toSeries(points: ReadonlyMap<string, readonly Point[]>): Series[] {
  return [...points].map(([name, list]) => ({ name, points: [...list].sort((a, b) => a.x - b.x) }));
}

/** Scores of rows that make no curve: speeds where there are bytes, times elsewhere. */
function scoreBars(records: readonly SuiteRecord[]): Bars[] {
  const all = records.flatMap(({ row, scores }) => scores.map((score) => ({ row, score })));
  const withBytes = all.filter(({ score }) => score.megabytesPerSecond !== undefined);
  const others = all.filter(({ score }) => score.megabytesPerSecond === undefined);
  const bar = (row: SuiteRecord["row"], score: Score, range: Omit<Bar, "name" | "series">): Bar => ({
    name: [rowLabel(row), score.name].filter(Boolean).join(": "),
    series: score.name,
    ...range,
  });
  const speeds = withBytes.map(({ row, score }) => {
    const range = throughputOf(score)!;
    return bar(row, score, { ...range, text: `${formatMegabytes(range.value)} MB/s ${formatError(range)}` });
  });
  const times = others.map(({ row, score }) => {
    const range = timeOf(score);
    return bar(row, score, { ...range, text: `${formatTime(range.value)} ${formatError(range)}` });
  });
  return [...barsOf("", "MB/s, more is better", speeds), ...barsOf("", "time, less is better", times)];
}

/** A picture for each unit. */
function valueBars(records: readonly SuiteRecord[]): Bars[] {
  const all = records.flatMap(({ row, values = [] }) => values.map((value) => ({ row, value })));
  const units = [...new Set(all.map(({ value }) => value.unit))];
  return units.flatMap((unit) => {
    const { format, lessIsBetter } = UNITS[unit];
    const bars = all
      .filter(({ value }) => value.unit === unit)
      .map(
        ({ row, value }): Bar => ({
          name: [rowLabel(row), value.name].filter(Boolean).join(": "),
          series: value.name,
          text: format(value.value),
          ...rangeOf(value),
        }),
      );
    return barsOf("", `${QUANTITIES[unit]}, ${lessIsBetter ? "less" : "more"} is better`, bars);
  });
}

const QUANTITIES: Readonly<Record<Unit, string>> = {
  bytes: "bytes",
  ns: "time",
  ms: "time",
  "MB/s": "MB/s",
};

function barsOf(title: string, label: string, bars: readonly Bar[]): Bars[] {
  return bars.length === 0 ? [] : [{ kind: "bars", title, label, bars }];
}

/** Every step of the kernels at each size, with how many times faster than the first it is. */
function ladder(records: readonly SuiteRecord[]): Bars[] {
  return records.flatMap(({ row, scores, verdicts }) => {
    const bars = scores.map((score): Bar => {
      const range = throughputOf(score) ?? rateOf(score);
      const times = verdicts.find(({ name }) => name === score.name)?.ratio.median ?? 1;
      const text = `${formatMegabytes(range.value)} MB/s · ${formatRatio(times)}`;
      return { name: score.name, series: score.name.split(":", 1)[0], text, ...range };
    });
    return barsOf(rowLabel(row), "MB/s, more is better; × is times the first bar", bars);
  });
}

const CALL = /^call (\d+)$/;
const CALL_TICKS = [1, 2, 5, 10, 20, 50, 100];
/** What happens before the first call returns. */
const BEFORE: ReadonlySet<string> = new Set(["import", "key", "to first ciphertext"]);

/** The speed of call 1, 2, 3, … as part of the steady speed, and the time until the first ciphertext. */
function firstCall(records: readonly SuiteRecord[]): Figure[] {
  const x: Axis = { label: "call in a new process", scale: "log", format: String, ticks: CALL_TICKS };
  const y: Axis = {
    label: "part of the speed of call 101 and later",
    scale: "linear",
    format: (value) => value.toFixed(2).replace(/0$/, ""),
    reference: 1,
  };
  const warmUp = groups(records, "engine").map(([title, group]): Lines => {
    const series = group.map((record) => ({
      name: String(record.row.engine),
      points: callsOf(record),
    }));
    return { kind: "lines", title, x, y, series };
  });
  const smallest = Math.min(...valuesOf(records, "size"));
  const starts = records
    .filter(({ row }) => row.size === smallest)
    .flatMap(({ row, scores }) =>
      scores
        .filter(({ name }) => BEFORE.has(name))
        .map((score): Bar => {
          const range = timeOf(score);
          const name = `${row.engine}: ${score.name}`;
          return { name, series: String(row.engine), text: formatTime(range.value), ...range };
        }),
    );
  const title = `Until the first ciphertext of ${formatSize(smallest)}`;
  return [...warmUp, ...barsOf(title, "time, less is better", starts)];
}

/** Calls by their number: the whole curve where it was stored, else the calls that are scores. */
function callsOf({ row, scores, values = [] }: SuiteRecord): Point[] {
  const steady = scores.find(({ name }) => name === "steady")!.nanoseconds.median;
  const stored = values
    .filter(({ name }) => CALL.test(name))
    .map((one) => ({ name: one.name, ...rangeOf(one) }));
  const scored = scores
    .filter(({ name }) => CALL.test(name))
    .map((one) => ({ name: one.name, ...timeOf(one) }));
  return (stored.length > 0 ? stored : scored).map(({ name, value, low, high }) => ({
    x: Number(CALL.exec(name)![1]),
    value: steady / value,
    low: steady / high,
    high: steady / low,
    text: `${row.engine}, ${name}: ${formatTime(value)}, ${formatRatio(steady / value)} of the steady speed`,
  }));
}

/** Rows that differ in `key` only, under what they have in common. */
function groups(records: readonly SuiteRecord[], key: string): [string, SuiteRecord[]][] {
  const found = new Map<string, SuiteRecord[]>();
  for (const record of records) {
    const { [key]: _, ...rest } = record.row;
    const label = rowLabel(rest);
    found.set(label, [...(found.get(label) ?? []), record]);
  }
  return [...found];
}

/** A row in words: `encryptInto, 16 B`. */
export function rowLabel(row: SuiteRecord["row"]): string {
  return Object.entries(row)
    .map(([key, value]) => (WORDS[key] ?? String)(value))
    .join(", ");
}

const WORDS: Readonly<Record<string, (value: string | number) => string>> = {
  size: (value) => formatSize(Number(value)),
  range: (value) => `range of ${formatSize(Number(value))}`,
  keyBits: (value) => `AES-${value}`,
  threads: (value) => `${value} threads`,
};

function valuesOf(records: readonly SuiteRecord[], key: string): number[] {
  return [...new Set(records.map(({ row }) => Number(row[key])))].sort((a, b) => a - b);
}
