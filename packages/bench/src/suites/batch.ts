import type { EngineName } from "evariste";
import { MESSAGES } from "../contestants/batch.js";
import { contender, type Spec } from "../contestants/table.js";
import type { SuiteRecord } from "../results.js";
import { formatOps, formatSize, type Table } from "../table.js";
import { forkRow, measureField } from "./forked.js";
import { formatVerdict, type Suite, sizeLabel, usableEngines } from "./suite.js";

const SIZES = [16, 1024];

/** Least messages per second of the native engine, by size. */
const NATIVE_TARGET: Readonly<Record<number, number>> = { 16: 40e6, 1024: 10e6 };

/** A thousand packed messages in one call, beside the same messages one by one. */
export const batch: Suite = {
  summary: "encryptBatch and decryptBatch of 1,000 packed messages, beside one call per message",
  run: async (options) => {
    const engines = usableEngines(options.engines);
    const records: SuiteRecord[] = [];
    const notes = [...engines.notes];
    const wanted = [{ name: "encryptBatch", baseline: "encryptInto" }];
    for (const engine of engines.names) {
      const rows = (options.sizes ?? SIZES).map((size) => {
        const row = forkRow({ operation: "encrypt", size, keyBits: options.keyBits }, wanted, { engine });
        return { ...row, bytes: MESSAGES * size };
      });
      const field = { found: specs(engine).map((spec) => contender(spec)), notes: [] };
      const result = await measureField(rows, field, options);
      records.push(...result.records);
      notes.push(...result.notes);
    }
    return { tables: [batchTable(records)], records, notes: [...notes, ...rateNotes(records)] };
  },
};

function specs(engine: EngineName): Spec[] {
  return [
    { name: "encryptBatch", kind: "batch", options: { engine } },
    { name: "decryptBatch", kind: "batch", options: { engine }, instead: { operation: "decrypt" } },
    { name: "encryptInto", kind: "oneByOne", options: { engine } },
  ];
}

function messageRate({ scores }: SuiteRecord, contestant: number): number {
  return scores[contestant].opsPerSecond * MESSAGES;
}

function rateNotes(records: readonly SuiteRecord[]): string[] {
  return records.flatMap((record) => {
    const size = Number(record.row.size);
    const target = record.row.engine === "native" ? NATIVE_TARGET[size] : undefined;
    if (target === undefined || record.scores.length === 0) return [];
    const rate = messageRate(record, 0);
    const verdict = rate >= target ? "reached" : "missed";
    return `target ${verdict}: native encryptBatch of ${formatSize(size)}: ${formatOps(rate)}/s, target ${formatOps(target)}/s`;
  });
}

function batchTable(records: readonly SuiteRecord[]): Table {
  return {
    title: `${MESSAGES} packed messages, messages per second`,
    columns: ["engine", "size", "encryptBatch", "decryptBatch", "encryptInto", "encryptBatch / encryptInto"],
    rows: records.map((record) => [
      String(record.row.engine),
      sizeLabel(record),
      ...record.scores.map((_, i) => `${formatOps(messageRate(record, i))}/s`),
      ...record.verdicts.map(formatVerdict),
    ]),
  };
}
