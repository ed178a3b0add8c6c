import type { Shape } from "../contestants/shape.js";
import { EVARISTE, engineSpecs, installed, type Spec } from "../contestants/table.js";
import { SpeedThreads } from "../processes/speed-threads.js";
import type { SuiteRecord, Value } from "../results.js";
import { estimate } from "../statistics.js";
import { formatMegabytes, formatSize, type Table } from "../table.js";
import { type Suite, type SuiteOptions, usableEngines } from "./suite.js";

const THREADS = [1, 2, 4, 8];
const SIZES = [16384, 2 ** 20];
const QUICK_ROUNDS = 5;

/** Time of a round in milliseconds, at least: threads must all be seen by the system's scheduler, each for its share. */
const ROUND_MS = 100;
const QUICK_ROUND_MS = 40;
const QUICK_WARMUP_MS = 30;

/** The same message again and again, in several threads at once. */
export const threads: Suite = {
  summary: "1, 2, 4 and 8 worker threads encrypting at once: MB/s each and in sum",
  run: async (options) => {
    const engines = usableEngines(options.engines ?? (options.quick ? ["wasm"] : ["openssl", "wasm"]));
    const { found, notes } = await installed([
      EVARISTE,
      ...engineSpecs(engines.names),
      { name: "createCipheriv", kind: "createCipheriv" },
      { name: "WebCrypto ×16", kind: "webcrypto", inFlight: 16 },
    ]);
    const records: SuiteRecord[] = [];
    for (const size of options.sizes ?? SIZES) {
      for (const spec of found) {
        for (const count of THREADS) records.push(await measure(spec, size, count, options));
      }
    }
    return { tables: [threadTable(records)], records, notes: [...engines.notes, ...notes] };
  },
};

async function measure(spec: Spec, size: number, count: number, options: SuiteOptions): Promise<SuiteRecord> {
  options.progress(`${spec.name}, ${formatSize(size)}, ${count} threads`);
  const shape: Shape = { operation: "encryptInto", size, keyBits: options.keyBits };
  const warmupMs = options.quick ? QUICK_WARMUP_MS : (options.timing.warmupMs ?? 100);
  const rounds = options.quick ? QUICK_ROUNDS : (options.timing.rounds ?? 15);
  const roundMs = Math.max(options.quick ? QUICK_ROUND_MS : ROUND_MS, options.timing.roundMs ?? 0);
  const group = await SpeedThreads.start(count, { spec, shape, warmupMs });
  try {
    const speeds: number[][] = [];
    for (let round = 0; round < rounds; round++) {
      const times = await group.measure(roundMs);
      speeds.push(times.map((nanoseconds) => (size * 1e3) / nanoseconds));
    }
    const { keyBits } = options;
    const row = { engine: spec.name, operation: "encryptInto", size, keyBits, threads: count };
    return { row, scores: [], verdicts: [], values: summary(speeds) };
  } finally {
    await group.close();
  }
}

/**
 * The speeds of all threads in all rounds, in MB/s, as the median thread's and the sum's.
 *
 * @param speeds by round and thread
 */
export function summary(speeds: readonly (readonly number[])[]): Value[] {
  const value = (name: string, samples: readonly number[]): Value => {
    const { median, low, high } = estimate(samples);
    return { name, value: median, low, high, unit: "MB/s" };
  };
  const sums = speeds.map((threads) => threads.reduce((sum, speed) => sum + speed, 0));
  return [value("each", speeds.flat()), value("sum", sums)];
}

function threadTable(records: readonly SuiteRecord[]): Table {
  const lines = new Map<string, SuiteRecord[]>();
  for (const record of records) {
    const label = `${record.row.engine}, ${formatSize(Number(record.row.size))}`;
    lines.set(label, [...(lines.get(label) ?? []), record]);
  }
  const speed = ({ values = [] }: SuiteRecord, name: string) =>
    formatMegabytes(values.find((one) => one.name === name)?.value ?? Number.NaN);
  return {
    title: "AES-GCM, encryptInto, MB/s: each thread (all together)",
    columns: ["contestant", ...THREADS.map((count) => `${count} thread${count === 1 ? "" : "s"}`)],
    rows: [...lines].map(([label, row]) => [
      label,
      ...row.map((record) => `${speed(record, "each")} (${speed(record, "sum")})`),
    ]),
  };
}
