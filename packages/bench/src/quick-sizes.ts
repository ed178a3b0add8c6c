/** The short table of `npm start`: this library beside node:crypto, by message size, in a few seconds. */
import { evariste } from "./contestants/evariste.js";
import { nodeCrypto } from "./contestants/node-crypto.js";
import type { Run, Shape } from "./contestants/shape.js";
import { compare, find, ratio, repeat } from "./harness.js";
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
const CONTESTANTS = 3;
const ROUNDS = 7;

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
  const cellMs = budgetMs / SIZES.length / CONTESTANTS;
  const times = {
    rounds: ROUNDS,
    warmupMs: cellMs * WARMUP,
    roundMs: (cellMs * (1 - WARMUP)) / ROUNDS,
  };
  const rows: QuickSizesRow[] = [];
  for (const size of SIZES) {
    const into = { operation: "encryptInto", size, keyBits: 128 } as const;
    const allocating = { operation: "encrypt", size, keyBits: 128 } as const;
    const scores = await compare(
      [
        contestant("encryptInto", into, evariste(into)),
        contestant("encrypt", allocating, evariste(allocating)),
        contestant("node:crypto", allocating, nodeCrypto(allocating, { joining: "joined" })),
      ],
      times,
    );
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

function contestant(name: string, { operation, size }: Shape, run: Run | undefined) {
  if (run === undefined) throw new Error(`${name} has no ${operation}`);
  return repeat(name, run as (i: number) => void, size);
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
