import type { EngineName } from "evariste";
import { ratio } from "../harness.js";
import type { SuiteRecord } from "../results.js";
import { formatRatio, formatSize, type Table } from "../table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { rungSpec, rungsOf } from "./ladder.js";
import { type Suite, usableEngines } from "./suite.js";

/** Engines whose kernels the sweep climbs, in the order of preference; the first available one is taken. */
const LADDERED: readonly EngineName[] = ["native", "wasm"];

/** Sizes in bytes: multiples of 16 while a message is small, wider steps later, one odd byte more everywhere. */
export function sweepSizes(quick: boolean): number[] {
  const sizes = new Set<number>();
  for (let size = 16; size <= 8192; size += size < 512 ? 16 : size < 2048 ? 64 : 256) {
    sizes.add(size);
    if (!quick) sizes.add(size + 1);
  }
  return [...sizes].filter((size) => size <= 8192 && (!quick || size % 128 === 0 || size <= 64));
}

/** No size at which a kernel is slower than the kernel below it. */
export const sweep: Suite = {
  summary: "16 B to 8 KiB in small steps: no size slower on a kernel than on the one below it",
  run: async (options) => {
    const usable = usableEngines(options.engines ?? LADDERED);
    const engine = usable.names[0];
    const rungs = engine === undefined ? [] : rungsOf([engine]).filter(({ name }) => !name.includes("only"));
    if (rungs.length < 2) {
      return {
        tables: [],
        records: [],
        notes: [...usable.notes, "there is no engine with two kernels to compare"],
      };
    }
    const wanted = rungs.slice(1).map(({ name }, i) => ({ name, baseline: rungs[i].name }));
    const rows = (options.sizes ?? sweepSizes(options.quick)).map((size) =>
      forkRow({ operation: "encryptInto", size, keyBits: options.keyBits }, wanted),
    );
    const field = await contenders({ specs: rungs.map(rungSpec) });
    const { records, notes } = await measureField(rows, field, options);
    const tables = [sweepTable(rungs, records)];
    return { tables, records, notes: [...usable.notes, ...notes] };
  },
};

/** Per step: over how many sizes it was measured, where it is least ahead, and where it is surely behind. */
function sweepTable(rungs: readonly { name: string }[], records: readonly SuiteRecord[]): Table {
  const rows = rungs.slice(1).map(({ name }, i) => {
    const ratios = records.map(({ row, scores }) => ({
      size: Number(row.size),
      found: ratio(scores, name, rungs[i].name),
    }));
    const least = ratios.reduce((a, b) => (b.found.median < a.found.median ? b : a));
    // Behind for certain: even the upper end of the interval is.
    const behind = ratios.filter(({ found }) => found.high < 1).map(({ size }) => formatSize(size));
    return [
      name,
      rungs[i].name,
      `${ratios.length}`,
      `${formatRatio(least.found.median)} at ${formatSize(least.size)}`,
      behind.length === 0 ? "none" : behind.join(", "),
    ];
  });
  return {
    title: "Each kernel against the one below it",
    columns: ["kernel", "below it", "sizes", "least ahead", "surely slower at"],
    rows,
  };
}
