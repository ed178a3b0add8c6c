import type { Spec } from "../contestants/table.js";
import type { SuiteRecord } from "../results.js";
import { meanError } from "../statistics.js";
import { formatSize, type Table } from "../table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { rungSpec, rungsOf } from "./ladder.js";
import { type Suite, usableEngines } from "./suite.js";

const KEY_BITS = 128;
const SIZE = 2 ** 20;
const ITERATIONS = 5;

/**
 * Java's least warm-up in milliseconds. HotSpot puts its GHASH kernel in when it compiles the kernel's caller, which takes
 * some hundred calls of 22 ms; a quick run sees Java before that.
 */
const JAVA_WARMUP_MS = 8000;
const JAVA_QUICK_WARMUP_MS = 100;

/** What stands for the JVM's tiers, and its own flags. */
const TIERS: readonly { tier: string; flags: readonly string[]; java: readonly string[] }[] = [
  { tier: "interpreter", flags: ["--no-opt", "--no-sparkplug", "--no-maglev"], java: ["-Xint"] },
  {
    tier: "baseline",
    flags: ["--no-opt", "--no-maglev", "--always-sparkplug"],
    java: ["-XX:TieredStopAtLevel=1"],
  },
  { tier: "optimising", flags: [], java: [] },
];

/** AESGCMUpdateAAD2. */
export const updateAad: Suite = {
  summary:
    "OpenJDK's AESGCMUpdateAAD2: 1 MiB of AAD, time per operation, with each compiler tier of V8 and of the JVM",
  run: async (options) => {
    const engines = usableEngines(options.engines);
    const inTime = engines.names.filter((name) => !(options.quick && name === "portable"));
    const kernels = rungsOf(inTime).map(rungSpec);
    const specs: Spec[] = [...kernels, { name: "createCipheriv", kind: "createCipheriv" }];
    const records: SuiteRecord[] = [];
    const notes = [...engines.notes];
    const forking = { ...options.forking, iterations: ITERATIONS };
    for (const { tier, flags, java } of TIERS) {
      // The interpreter of the JVM is slow to compile the program itself.
      const field = await contenders({
        specs,
        flags,
        ...(options.quick && tier !== "optimising" ? {} : { java }),
        javaWarmupMs: options.quick ? JAVA_QUICK_WARMUP_MS : JAVA_WARMUP_MS,
      });
      const rows = (options.sizes ?? [SIZE]).map((size) =>
        forkRow({ operation: "updateAAD", size, keyBits: KEY_BITS, memory: "array" }, [], { tier }),
      );
      const progress = (what: string) => options.progress(`${tier}, ${what}`);
      const result = await measureField(rows, field, { forking, progress });
      records.push(...result.records);
      notes.push(...result.notes.map((note) => `${tier}: ${note}`));
    }
    return { tables: [tierTable(records)], records, notes };
  },
};

function tierTable(records: readonly SuiteRecord[]): Table {
  const names = [...new Set(records.flatMap(({ scores }) => scores.map(({ name }) => name)))];
  const label = ({ row }: SuiteRecord) =>
    `${row.tier}${row.size === SIZE ? "" : ` ${formatSize(Number(row.size))}`}`;
  return {
    title: "AESGCMUpdateAAD2: 1 MiB of AAD, AES-128, µs/op",
    columns: ["contestant", ...records.map(label)],
    rows: names.map((name) => [
      name,
      ...records.map(({ scores }) => {
        const found = scores.find((one) => one.name === name);
        return found === undefined ? "" : microseconds(found.samples);
      }),
    ]),
  };
}

/** JMH's average time and error. */
function microseconds(samples: readonly number[]): string {
  const { mean, error } = meanError(samples.map((nanoseconds) => nanoseconds / 1000));
  const digits = mean < 100 ? 1 : 0;
  return `${mean.toFixed(digits)}${error === undefined ? "" : ` ±${error.toFixed(digits)}`}`;
}
