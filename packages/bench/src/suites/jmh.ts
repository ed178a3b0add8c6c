/** Suites with the shapes of OpenJDK's JMH benchmarks: AESGCMByteBuffer and AESGCMBench. */
import type { EngineName } from "evariste";
import type { MemoryKind, Operation } from "../contestants/shape.js";
import { EVARISTE, engineSpecs, type Spec } from "../contestants/table.js";
import type { ForkRow } from "../forks.js";
import type { SuiteRecord } from "../results.js";
import { formatSize } from "../table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { rungSpec, rungsOf } from "./ladder.js";
import { EVERYTHING_OFF } from "./ladder-steps.js";
import {
  formatJmh,
  type Suite,
  type SuiteOptions,
  type SuiteResult,
  speedTable,
  usableEngines,
  type Wanted,
} from "./suite.js";

const KEY_BITS = 128;
const SIZES = [1024, 1500, 4096, 16384];
const PLACES: readonly MemoryKind[] = ["direct", "heap"];
const OPERATIONS: readonly Operation[] = ["decrypt", "decryptMultiPart", "encrypt", "encryptMultiPart"];

/** Sizes of AESGCMByteBuffer by its two sets: 32 rows and 8. */
const SETS: Readonly<Record<string, readonly number[]>> = { full: SIZES, small: [1024] };

const BENCH_SIZES = [128, 256, 512, 1024, 1500, 4096, 16384];

/** Least of what was published for the kernel against everything off. */
const ACCELERATION = 3.3;

/** Into the caller's memory, as Java's doFinal with an output is. */
const INTO: Readonly<Partial<Record<Operation, Operation>>> = {
  encrypt: "encryptInto",
  decrypt: "decryptInto",
};

/** The 40 rows of AESGCMByteBuffer, or those of one set. */
export function byteBufferRows(
  sets: readonly string[] = Object.keys(SETS),
  wanted: readonly Wanted[] = [],
): ForkRow[] {
  return sets.flatMap((set) =>
    PLACES.flatMap((memory) => SETS[set].flatMap((size) => jmhRows(size, memory, { set }, wanted))),
  );
}

/** The 28 rows of AESGCMBench. */
export function benchRows(wanted: readonly Wanted[] = []): ForkRow[] {
  return BENCH_SIZES.flatMap((size) => jmhRows(size, "array", {}, wanted));
}

/** The four operations; they keep JMH's names in the row. */
function jmhRows(
  size: number,
  memory: MemoryKind,
  more: SuiteRecord["row"],
  wanted: readonly Wanted[],
): ForkRow[] {
  return OPERATIONS.map((operation) => {
    const shape = { operation: INTO[operation] ?? operation, size, keyBits: KEY_BITS, memory } as const;
    const { row, ...rest } = forkRow(shape, wanted, more);
    return { ...rest, row: { ...row, operation } };
  });
}

/** AESGCMByteBuffer. */
export const byteBuffer: Suite = {
  summary: "OpenJDK's AESGCMByteBuffer, 40 rows: heap and direct memory, one part and two",
  properties: { set: "full (32 rows) or small (8); default: both" },
  run: (options) => {
    const set = options.defines.get("set");
    if (set !== undefined && SETS[set] === undefined) {
      throw new RangeError(`set is ${set}; allowed are ${Object.keys(SETS).join(" and ")}`);
    }
    const rows = (wanted: readonly Wanted[]) => byteBufferRows(set === undefined ? undefined : [set], wanted);
    return run("AESGCMByteBuffer", rows, ACCELERATION, options);
  },
};

/** AESGCMBench. */
export const bench: Suite = {
  summary: "OpenJDK's AESGCMBench: the same on arrays, 128 B to 16 KiB",
  run: (options) => run("AESGCMBench", benchRows, undefined, options),
};

/** @param acceleration least ratio of what the machine chooses to everything off */
async function run(
  name: string,
  rowsOf: (wanted: readonly Wanted[]) => ForkRow[],
  acceleration: number | undefined,
  options: SuiteOptions,
): Promise<SuiteResult> {
  const engines = usableEngines(options.engines);
  const kernels = kernelSpecs(engines.names);
  const compared = ["createCipheriv", "Java 17", "Java 25"].map((baseline) => ({
    name: EVARISTE.name,
    baseline,
  }));
  const wanted: Wanted[] = [
    ...kernels.map(({ name: baseline }) => ({ name: EVARISTE.name, baseline, target: acceleration })),
    ...compared,
  ];
  const isOther = (engine: EngineName) => engine !== "native" && !(options.quick && engine === "portable");
  const others: Spec[] = [
    ...engineSpecs(engines.names.filter(isOther)),
    { name: "createCipheriv", kind: "createCipheriv" },
  ];
  const field = await contenders({
    specs: [EVARISTE, ...kernels, ...others],
    java: [],
    newestJava: options.quick,
  });
  const rows = rowsOf(wanted).filter(({ row }) => options.sizes?.includes(Number(row.size)) ?? true);
  const { records, notes } = await measureField(rows, field, options);
  const sets = [...new Set(records.map(({ row }) => row.set))];
  const tables = sets.map((set) =>
    speedTable(
      `${name}${set === undefined ? "" : `, ${set}`}: AES-${KEY_BITS}-GCM, IVs of 16 bytes`,
      "row",
      records.filter(({ row }) => row.set === set),
      rowLabel,
      formatJmh,
    ),
  );
  return { tables, records, notes: [...engines.notes, ...notes] };
}

/** Everything off, of the engine that has kernels to switch off. */
function kernelSpecs(names: readonly EngineName[]): Spec[] {
  return rungsOf(names.filter((name) => name === "native"))
    .filter(({ name }) => name.endsWith(EVERYTHING_OFF))
    .map(rungSpec);
}

function rowLabel({ row }: SuiteRecord): string {
  const { operation, size, memory } = row;
  return `${operation}${memory === undefined ? "" : ` ${memory}`} ${formatSize(Number(size))}`;
}
