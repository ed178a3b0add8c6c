import type { EngineName } from "evariste";
import { engineSpecs } from "../contestants/table.js";
import { ratio } from "../harness.js";
import type { SuiteRecord } from "../results.js";
import { formatRatio, formatSize, type Table } from "../table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { type Suite, sizeLabel, speedTable, usableEngines } from "./suite.js";

const QUICK = Array.from({ length: 17 }, (_, i) => 16 * 2 ** i);
const SIZES = QUICK.flatMap((size) => (size >= 512 && size <= 65536 ? [size, size * 1.5] : [size]));

/** Pairs whose first engine is the better one for small messages only. */
const PAIRS: readonly (readonly [small: EngineName, large: EngineName])[] = [
  ["wasm", "openssl"],
  ["portable", "openssl"],
];

/** The sizes on which `engines/thresholds.ts` rests. */
export const thresholds: Suite = {
  summary: "from which size openssl is faster than wasm and than portable, here",
  run: async (options) => {
    const engines = usableEngines(options.engines ?? ["openssl", "wasm", "portable"]);
    const wanted = PAIRS.map(([small, large]) => ({ name: large, baseline: small }));
    const { keyBits } = options;
    const rows = (["encryptInto", "decryptInto"] as const).flatMap((operation) =>
      (options.sizes ?? (options.quick ? QUICK : SIZES)).map((size) =>
        forkRow({ operation, size, keyBits }, wanted),
      ),
    );
    const field = await contenders({ specs: engineSpecs(engines.names) });
    const { records, notes } = await measureField(rows, field, options);
    const label = ({ row }: SuiteRecord) => `${row.operation} ${sizeLabel({ row })}`;
    const tables = [crossings(engines.names, records), speedTable("Speeds", "message", records, label)];
    return { tables, records, notes: [...engines.notes, ...notes] };
  },
};

function crossings(names: readonly EngineName[], records: readonly SuiteRecord[]): Table {
  const rows: string[][] = [];
  for (const [small, large] of PAIRS.filter((pair) => pair.every((name) => names.includes(name)))) {
    for (const operation of ["encryptInto", "decryptInto"]) {
      const points = records
        .filter(({ row }) => row.operation === operation)
        .map(({ row, scores }) => ({ size: Number(row.size), ratio: ratio(scores, large, small).median }));
      const from = crossing(points);
      const at = points.find(({ size }) => size === from);
      rows.push([
        `${large} / ${small}`,
        operation,
        from === undefined ? "never" : formatSize(from),
        at === undefined ? "" : formatRatio(at.ratio),
      ]);
    }
  }
  return {
    title: "First size at which it is faster there and above",
    columns: ["pair", "operation", "from", "ratio"],
    rows,
  };
}

/**
 * The smallest size from which on the ratio is at least 1 at every measured size.
 *
 * @param points in growing order of size
 */
export function crossing(points: readonly { size: number; ratio: number }[]): number | undefined {
  let from: number | undefined;
  for (const point of points) {
    if (point.ratio < 1) from = undefined;
    else from ??= point.size;
  }
  return from;
}
