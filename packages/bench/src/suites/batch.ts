import { AesGcm, type EngineName, type PackedMessages } from "evariste";
import { nextIv, TAG } from "../contestants/shape.js";
import { type Contestant, repeat } from "../harness.js";
import type { SuiteRecord } from "../results.js";
import { formatOps, formatSize, type Table } from "../table.js";
import { closingNotes, formatVerdict, measureRow, type Suite, sizeLabel, usableEngines } from "./suite.js";

const MESSAGES = 1000;
const SIZES = [16, 1024];

/** Least messages per second of the native engine, by size. */
const NATIVE_TARGET: Readonly<Record<number, number>> = { 16: 40e6, 1024: 10e6 };

/** A thousand packed messages in one call, beside the same messages one by one. */
export const batch: Suite = {
  summary: "encryptBatch and decryptBatch of 1,000 packed messages, beside one call per message",
  run: async (options) => {
    const { names, notes } = usableEngines(options.engines);
    const records: SuiteRecord[] = [];
    const rates: string[] = [];
    for (const size of options.sizes ?? SIZES) {
      for (const engine of names) {
        const contestants = makeContestants(engine, size, options.keyBits);
        const wanted = [{ name: "encryptBatch", baseline: "encryptInto" }];
        const record = await measureRow({ engine, size }, contestants, wanted, options);
        records.push(record);
        const target = engine === "native" ? NATIVE_TARGET[size] : undefined;
        if (target !== undefined) rates.push(rateNote(size, messageRate(record, 0), target));
      }
    }
    return { tables: [batchTable(records)], records, notes: [...notes, ...rates, ...closingNotes(records)] };
  },
};

function makeContestants(engine: EngineName, size: number, keyBits: number): Contestant[] {
  const gcm = new AesGcm(new Uint8Array(keyBits / 8).fill(1), { engine });
  const packed = packedMessages(size);
  const out = new Uint8Array(MESSAGES * (size + TAG));
  const sealed: PackedMessages = { ...packed, ...gcm.encryptBatch(packed) };
  const plain = new Uint8Array(MESSAGES * size);
  const one = new Uint8Array(12);
  const text = packed.data.subarray(0, size);
  const target = out.subarray(0, size + TAG);
  const bytes = MESSAGES * size;
  const loop = (i: number) => {
    for (let m = 0; m < MESSAGES; m++) {
      nextIv(one, i * MESSAGES + m);
      gcm.encryptInto(one, text, target);
    }
  };
  return [
    repeat("encryptBatch", () => void gcm.encryptBatch(packed, out), bytes),
    repeat("decryptBatch", () => void gcm.decryptBatch(sealed, plain), bytes),
    repeat("encryptInto", loop, bytes),
  ];
}

/** Messages of one size, message m with m in its IV. */
export function packedMessages(size: number): PackedMessages & { data: Uint8Array } {
  const ivs = new Uint8Array(MESSAGES * 12);
  for (let m = 0; m < MESSAGES; m++) nextIv(ivs.subarray(12 * m), m);
  return {
    ivs,
    data: Uint8Array.from({ length: MESSAGES * size }, (_, i) => i),
    offsets: Uint32Array.from({ length: MESSAGES + 1 }, (_, m) => m * size),
  };
}

function messageRate({ scores }: SuiteRecord, contestant: number): number {
  return scores[contestant].opsPerSecond * MESSAGES;
}

function rateNote(size: number, rate: number, target: number): string {
  const verdict = rate >= target ? "reached" : "missed";
  return `target ${verdict}: native encryptBatch of ${formatSize(size)}: ${formatOps(rate)}/s, target ${formatOps(target)}/s`;
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
