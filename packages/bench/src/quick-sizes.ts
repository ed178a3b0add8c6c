/**
 * The short table of `npm start`: rows and contestants of the suite `sizes`, this library beside node:crypto, in one process
 * and a few seconds.
 */
import type { Operation, Shape } from "./contestants/shape.js";
import { EVARISTE, PLATFORM, type Spec } from "./contestants/table.js";
import { type Contestant, compare, find, ratio } from "./harness.js";
import { prepare } from "./processes/measured.js";
import type { Score } from "./results.js";
import { formatMegabytes, formatOps, formatRatio, formatSize, formatText } from "./table.js";

/** How {@link quickSizes} measures. */
export interface QuickSizesOptions {
  /** Time for everything in milliseconds, at least 100; default 4,000. */
  readonly budgetMs?: number;
}

/** One message size, AES-128. */
export interface QuickSizesRow {
  /** Plaintext length in bytes. */
  readonly size: number;
  /** `AesGcm.encryptInto` on the engines that this machine chooses. */
  readonly encryptInto: Score;
  /** `AesGcm.encrypt`, which allocates its output. */
  readonly encrypt: Score;
  /** createCipheriv with a KeyObject, the tag joined to the ciphertext. */
  readonly nodeCrypto: Score;
  /** How many times faster than node:crypto; above 1 is faster. */
  readonly ratioInto: number;
  readonly ratio: number;
}

const SIZES: readonly number[] = [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 20];
const ROUNDS = 7;

/** The ciphertext and its tag in one buffer, as this library gives them. */
const JOINED = PLATFORM.find(({ name }) => name === "joined")!;

/** The table's names of contestants of `sizes`, and what they do. */
const CONTESTANTS: readonly { name: string; spec: Spec; operation: Operation }[] = [
  { name: "encryptInto", spec: EVARISTE, operation: "encryptInto" },
  { name: "encrypt", spec: EVARISTE, operation: "encrypt" },
  { name: "node:crypto", spec: JOINED, operation: "encrypt" },
];

/** Part of a cell's time that is spent on warming up. */
const WARMUP = 0.3;

/**
 * Encrypts messages of eight sizes, a new IV each, on this library and on node:crypto in turn.
 *
 * @example
 * console.log(formatQuickSizes(await quickSizes()));
 * @throws RangeError for a budget below 100
 */
export async function quickSizes({ budgetMs = 4000 }: QuickSizesOptions = {}): Promise<QuickSizesRow[]> {
  if (!(budgetMs >= 100)) throw new RangeError(`budgetMs is ${budgetMs}; at least 100 is needed`);
  const cellMs = budgetMs / SIZES.length / CONTESTANTS.length;
  const times = {
    rounds: ROUNDS,
    warmupMs: cellMs * WARMUP,
    roundMs: (cellMs * (1 - WARMUP)) / ROUNDS,
  };
  const rows: QuickSizesRow[] = [];
  for (const size of SIZES) {
    const contestants: Contestant[] = [];
    for (const { name, spec, operation } of CONTESTANTS) {
      contestants.push(await contestant(name, spec, { operation, size, keyBits: 128 }));
    }
    const scores = await compare(contestants, times);
    rows.push({
      size,
      encryptInto: find(scores, "encryptInto"),
      encrypt: find(scores, "encrypt"),
      nodeCrypto: find(scores, "node:crypto"),
      ratioInto: ratio(scores, "encryptInto", "node:crypto").median,
      ratio: ratio(scores, "encrypt", "node:crypto").median,
    });
  }
  return rows;
}

async function contestant(name: string, spec: Spec, shape: Shape): Promise<Contestant> {
  const measured = await prepare(spec, shape);
  if (measured === undefined) throw new Error(`${spec.name} has no ${shape.operation}`);
  return { name, run: measured.run, bytes: shape.size };
}

/** The rows as a table of about 100 columns, ready to print. */
export function formatQuickSizes(rows: readonly QuickSizesRow[]): string {
  const pair = ({ opsPerSecond, megabytesPerSecond = Number.NaN }: Score) => [
    formatOps(opsPerSecond),
    formatMegabytes(megabytesPerSecond),
  ];
  return formatText({
    title: "AES-128-GCM encryption, a new IV each message; × is times node:crypto's createCipheriv",
    columns: ["size", "Into ops/s", "MB/s", "×", "encrypt ops/s", "MB/s", "×", "node:crypto ops/s", "MB/s"],
    rows: rows.map((row) => [
      formatSize(row.size),
      ...pair(row.encryptInto),
      formatRatio(row.ratioInto),
      ...pair(row.encrypt),
      formatRatio(row.ratio),
      ...pair(row.nodeCrypto),
    ]),
  });
}
