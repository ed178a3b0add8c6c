import type { EngineName } from "evariste";
import {
  type Contender,
  contender,
  engineSpecs,
  type Found,
  PACKAGES,
  type Spec,
} from "../contestants/table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { type Suite, type SuiteOptions, sizeLabel, speedTable, usableEngines, type Wanted } from "./suite.js";

const SIZES = [16, 64, 1024, 16384, 2 ** 20];

/** Least times noble's speed, by engine and size; AES-128, encryptInto. */
const TIMES_NOBLE: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  portable: { 1024: 0.4, [2 ** 20]: 0.4 },
  wasm: { 16: 80, 64: 45, 1024: 15, 16384: 8.5, [2 ** 20]: 7.5 },
};

/** decryptInto may take this much longer than encryptInto, and AES-256 than AES-128, as ratios of speed. */
const DECRYPTION = 0.9;
const AES_256: Readonly<Record<string, number>> = { wasm: 0.7, native: 0.75 };

/** The engines that run everywhere against their peers in plain JavaScript, and against themselves. */
export const peers: Suite = {
  summary:
    "portable and wasm against JavaScript packages; decryption against encryption, AES-256 against AES-128",
  run: async (options) => {
    const engines = usableEngines(options.engines ?? ["wasm", "portable"]);
    const field = await contenders({ specs: [...engineSpecs(engines.names), ...PACKAGES] });
    const rows = (options.sizes ?? SIZES).map((size) =>
      forkRow(
        { operation: "encryptInto", size, keyBits: 128 },
        engines.names.map((name) => ({ name, baseline: "noble", target: TIMES_NOBLE[name]?.[size] })),
      ),
    );
    const { records, notes } = await measureField(rows, field, options);
    const tables = [speedTable("AES-128-GCM, encryptInto", "size", records, sizeLabel)];
    for (const engine of engines.names) {
      const inside = await within(engine, options);
      records.push(...inside.records);
      notes.push(...inside.notes);
      tables.push(speedTable(`${engine} within itself`, "size", inside.records, sizeLabel));
    }
    return { tables, records, notes: [...engines.notes, ...notes] };
  },
};

function within(engine: EngineName, options: SuiteOptions) {
  const specs: Spec[] = [
    { name: "encryptInto", kind: "evariste", options: { engine } },
    { name: "decryptInto", kind: "evariste", options: { engine }, instead: { operation: "decryptInto" } },
    { name: "AES-256", kind: "evariste", options: { engine }, instead: { keyBits: 256 } },
  ];
  const wanted: Wanted[] = [
    { name: "decryptInto", baseline: "encryptInto", target: engine === "portable" ? undefined : DECRYPTION },
    { name: "AES-256", baseline: "encryptInto", target: AES_256[engine] },
  ];
  const field: Found<Contender> = { found: specs.map((spec) => contender(spec)), notes: [] };
  const rows = (options.sizes ?? SIZES).map((size) => {
    const { row, ...rest } = forkRow({ operation: "encryptInto", size, keyBits: 128 }, wanted);
    return { ...rest, row: { engine, size: row.size } };
  });
  return measureField(rows, field, options);
}
