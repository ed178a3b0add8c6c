/** Which pictures a suite's records make: chosen by what the rows hold, with exceptions by name. */
import type { Score, SuiteRecord } from "../results.js";
import { formatMegabytes, formatOps, formatRatio, formatSize, formatTime } from "../table.js";
import type { Axis, Bar, Bars, Figure, Lines, Point, Range, Series } from "./model.js";
import { AXES, formatError, rangeOf, rateOf, throughputOf, timeOf, UNITS } from "./ranges.js";

/** With fewer sizes a curve is no curve. */
const CURVE = 3;

/** Suites whose pictures do not follow from the shape of their rows. */
const EXCEPTIONS: ReadonlyMap<string, (records: readonly SuiteRecord[]) => Figure[]> = new Map([
  ["ladder", ladder],
  ["first-call", firstCall],
  ["threads", threads],
  ["cold-start", coldStart],
  ["bundle-size", bundleSize],
]);

/** The pictures of a suite. */
export function picturesOf(suite: string, records: readonly SuiteRecord[]): Figure[] {
  return (EXCEPTIONS.get(suite) ?? generic)(records);
}

function generic(records: readonly SuiteRecord[]): Figure[] {
  const curved = groups(records, "size")
    .map(([, group]) => group)
    .filter((group) => valuesOf(group, "size").length >= CURVE)
    .flat();
  const others = records.filter((record) => !curved.includes(record));
  return [...curves(curved), ...others.flatMap(barsOfRow)];
}

/** One picture for each group of rows that differ in size only. */
function curves(records: readonly SuiteRecord[]): Lines[] {
  return groups(records, "size").map(([title, group]) => {
    const y = group.every(({ scores }) => scores.every(throughputOf)) ? AXES.throughput : AXES.rate;
    const points = group.flatMap(({ row, scores }) =>
      scores.map((score) => [score.name, speedPoint(score, Number(row.size))] as const),
    );
    const x = { ...AXES.size, ticks: valuesOf(group, "size") };
    return { kind: "lines", title, x, y, series: seriesOf(points) };
  });
}

function speedPoint(score: Score, size: number): Point {
  const rate = rateOf(score);
  const throughput = throughputOf(score);
  const megabytes = throughput === undefined ? "" : `${formatMegabytes(throughput.value)} MB/s, `;
  const text = `${score.name}, ${formatSize(size)}: ${megabytes}${formatOps(rate.value)}/s ${formatError(rate)}`;
  return { x: size, text, ...(throughput ?? rate) };
}

function seriesOf(points: readonly (readonly [string, Point])[]): Series[] {
  const names = [...new Set(points.map(([name]) => name))];
  return names.map((name) => {
    const own = points.filter(([other]) => other === name).map(([, point]) => point);
    return { name, points: own.sort((a, b) => a.x - b.x) };
  });
}

/** A row that makes no curve: speeds where there are bytes, else times; and a picture for each unit of its values. */
function barsOfRow({ row, scores, values = [] }: SuiteRecord): Bars[] {
  const speeds = scores.flatMap((score): Bar[] => {
    const range = throughputOf(score);
    if (range === undefined) return [];
    return [barOf(score.name, range, `${formatMegabytes(range.value)} MB/s ${formatError(range)}`)];
  });
  const times = scores
    .filter((score) => throughputOf(score) === undefined)
    .map((score) => barOf(score.name, timeOf(score), formatTime(score.nanoseconds.median)));
  const units = [...new Set(values.map(({ unit }) => unit))];
  const title = rowLabel(row);
  return [
    ...barsFigure(title, SPEED, speeds),
    ...barsFigure(title, TIME, times),
    ...units.flatMap((unit) => {
      const { format, lessIsBetter } = UNITS[unit];
      const bars = values
        .filter((value) => value.unit === unit)
        .map((value) => barOf(value.name, rangeOf(value), format(value.value)));
      return barsFigure(title, lessIsBetter ? "less is better" : "more is better", bars);
    }),
  ];
}

const SPEED = "MB/s, more is better";
const TIME = "time, less is better";

function barOf(name: string, range: Range, text: string, series = name): Bar {
  return { name, series, text, ...range };
}

function barsFigure(title: string, label: string, bars: readonly Bar[]): Bars[] {
  return bars.length === 0 ? [] : [{ kind: "bars", title, label, bars }];
}

/** Every step of the kernels at each size, with how many times faster than the first it is. */
function ladder(records: readonly SuiteRecord[]): Bars[] {
  return records.flatMap(({ row, scores, verdicts }) => {
    const first = scores[0]?.name;
    const bars = scores.map((score): Bar => {
      const range = throughputOf(score) ?? rateOf(score);
      const found = verdicts.find(({ name, baseline }) => name === score.name && baseline === first);
      const text = `${formatMegabytes(range.value)} MB/s · ${formatRatio(found?.ratio.median ?? 1)}`;
      return barOf(score.name, range, text, score.name.split(":", 1)[0]);
    });
    return barsFigure(rowLabel(row), "MB/s; × is times the first bar", bars);
  });
}

/** What all threads do together and what each does, for each size. */
function threads(records: readonly SuiteRecord[]): Lines[] {
  const x: Axis = {
    label: "threads",
    scale: "log",
    format: String,
    ticks: valuesOf(records, "threads"),
  };
  const kinds = [
    ["sum", "all threads together"],
    ["each", "each thread"],
  ] as const;
  return valuesOf(records, "size").flatMap((size) =>
    kinds.map(([kind, words]): Lines => {
      const points = records
        .filter(({ row }) => row.size === size)
        .flatMap(({ row, values = [] }) =>
          values
            .filter(({ name }) => name === kind)
            .map((value) => {
              const text = `${row.engine}, ${row.threads} threads, ${kind}: ${UNITS[value.unit].format(value.value)}`;
              return [String(row.engine), { x: Number(row.threads), text, ...rangeOf(value) }] as const;
            }),
        );
      const title = `${formatSize(size)}, ${words}`;
      return { kind: "lines", title, x, y: AXES.throughput, series: seriesOf(points) };
    }),
  );
}

/** The time to the first ciphertext, soonest first. */
function coldStart(records: readonly SuiteRecord[]): Bars[] {
  return valuesOf(records, "size").flatMap((size) => {
    const bars = records
      .filter(({ row }) => row.size === size)
      .flatMap(({ row, values = [] }) =>
        values
          .filter(({ name }) => name === "to first ciphertext")
          .map((value) => barOf(String(row.engine), rangeOf(value), UNITS[value.unit].format(value.value))),
      );
    const title = `Until the first ciphertext of ${formatSize(size)}`;
    return barsFigure(title, TIME, rising(bars));
  });
}

/** Bytes after gzip, least first. */
function bundleSize(records: readonly SuiteRecord[]): Bars[] {
  const bars = records.flatMap(({ row, values = [] }) =>
    values
      .filter(({ name }) => name === "gzipped")
      .map((value) => {
        const name = String(row.bundle);
        const series = String(row.from).split("/", 1)[0];
        return barOf(name, rangeOf(value), `${value.value.toLocaleString("en")} bytes`, series);
      }),
  );
  return barsFigure("In a web page, minified and gzipped", "bytes, less is better", rising(bars));
}

function rising(bars: readonly Bar[]): Bar[] {
  return [...bars].sort((a, b) => a.value - b.value);
}

const CALL = /^call (\d+)$/;
const CALL_TICKS = [1, 2, 5, 10, 20, 50, 100];
/** What happens before the first call returns. */
const BEFORE: ReadonlySet<string> = new Set(["import", "key", "to first ciphertext"]);

/** The speed of call 1, 2, 3, … as part of the steady speed, and the time until the first ciphertext. */
function firstCall(records: readonly SuiteRecord[]): Figure[] {
  const x: Axis = { label: "call in a new process", scale: "log", format: String, ticks: CALL_TICKS };
  const y: Axis = {
    label: "part of the steady speed",
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
        .map((score) => {
          const name = `${row.engine}: ${score.name}`;
          return barOf(name, timeOf(score), formatTime(score.nanoseconds.median), String(row.engine));
        }),
    );
  const title = `Until the first ciphertext of ${formatSize(smallest)}`;
  return [...warmUp, ...barsFigure(title, TIME, starts)];
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
