import { EVARISTE, engineSpecs, installed, PACKAGES, PLATFORM } from "../contestants/table.js";
import type { FirstCalls } from "../processes/first-call-child.js";
import { firstCalls } from "../processes/first-calls.js";
import type { SuiteRecord, Value } from "../results.js";
import { estimate } from "../statistics.js";
import { formatTime, type Table } from "../table.js";
import { type Suite, sizeLabel, usableEngines } from "./suite.js";

const SIZES = [1024];
const REQUEST = { calls: 1, steadyCalls: 0, limitMs: 1000 };

/** From the start of the import to the first ciphertext of 1 KiB with wasm, in milliseconds. */
const WASM_TARGET = 12;

/** How long until there is a ciphertext. */
export const coldStart: Suite = {
  summary: "a new process per sample: from the import to the first ciphertext of 1 KiB, for every contestant",
  run: async (options) => {
    const engines = usableEngines(options.engines);
    const once = PLATFORM.filter(({ inFlight, options: how }) => inFlight === undefined && how === undefined);
    const { found, notes } = await installed([EVARISTE, ...engineSpecs(engines.names), ...once, ...PACKAGES]);
    const rounds = options.timing.rounds ?? 15;
    const records: SuiteRecord[] = [];
    for (const size of options.sizes ?? SIZES) {
      const samples = found.map((): FirstCalls[] => []);
      for (let round = 0; round < rounds; round++) {
        options.progress(`process ${round + 1} of ${rounds} each`);
        // The order turns by one each round.
        for (let i = 0; i < found.length; i++) {
          const n = (i + round) % found.length;
          samples[n].push(await firstCalls(found[n], { ...REQUEST, size }));
        }
      }
      records.push(...found.map(({ name }, n) => record(name, size, samples[n])));
    }
    const targets = records.flatMap(judgeWasm);
    return { tables: [startTable(records)], records, notes: [...engines.notes, ...notes, ...targets] };
  },
};

function record(engine: string, size: number, samples: readonly FirstCalls[]): SuiteRecord {
  const of = (name: string, choose: (one: FirstCalls) => number): Value => {
    const { median, low, high } = estimate(samples.map((one) => choose(one) / 1e6));
    return { name, value: median, low, high, unit: "ms" };
  };
  const values = [
    of("import", (one) => one.importing),
    of("key", (one) => one.creating),
    of("first call", (one) => one.calls[0]),
    of("to first ciphertext", (one) => one.importing + one.creating + one.calls[0]),
  ];
  return { row: { engine, operation: "encryptInto", size }, scores: [], verdicts: [], values };
}

function judgeWasm({ row, values = [] }: SuiteRecord): string[] {
  const total = values.find(({ name }) => name === "to first ciphertext");
  if (row.engine !== "wasm" || row.size !== 1024 || total === undefined) return [];
  const word = total.value < WASM_TARGET ? "reached" : "missed";
  return [
    `target ${word}: wasm: import to first ciphertext takes ${total.value.toFixed(1)} ms, target ${WASM_TARGET} ms`,
  ];
}

function startTable(records: readonly SuiteRecord[]): Table {
  const names = records[0]?.values?.map(({ name }) => name) ?? [];
  return {
    title: "A new process: AES-128-GCM, time to the first ciphertext",
    columns: ["contestant", "size", ...names],
    rows: records.map(({ row, values = [] }) => [
      String(row.engine),
      sizeLabel({ row }),
      ...values.map(({ value, low = value, high = value }) => {
        const range = `${formatTime(low * 1e6)} to ${formatTime(high * 1e6)}`;
        return `${formatTime(value * 1e6)} (${range})`;
      }),
    ]),
  };
}
