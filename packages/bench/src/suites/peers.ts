import { evariste } from "../contestants/evariste.js";
import { noble } from "../contestants/noble.js";
import type { Shape } from "../contestants/shape.js";
import type { Contestant } from "../harness.js";
import type { SuiteRecord } from "../results.js";
import {
  closingNotes,
  measureRow,
  type Suite,
  type SuiteOptions,
  sizeLabel,
  speedTable,
  usableEngines,
  type Wanted,
} from "./suite.js";

const SIZES = [16, 64, 1024, 16384, 2 ** 20];

/** Least times noble's speed, by engine and size; AES-128, encryptInto. */
const TIMES_NOBLE: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  portable: { 1024: 0.4, [2 ** 20]: 0.4 },
  wasm: { 16: 80, 64: 45, 1024: 15, 16384: 8.5, [2 ** 20]: 7.5 },
};

/** decryptInto may take this much longer than encryptInto, and AES-256 than AES-128, as ratios of speed. */
const DECRYPTION = 0.9;
const AES_256: Readonly<Record<string, number>> = { wasm: 0.7, native: 0.75 };

/** The engines that run everywhere against the fastest peer in plain JavaScript, and against themselves. */
export const peers: Suite = {
  summary: "portable and wasm against noble; decryption against encryption, AES-256 against AES-128",
  run: async (options) => {
    const { names, notes } = usableEngines(options.engines ?? ["wasm", "portable"]);
    const records: SuiteRecord[] = [];
    for (const size of options.sizes ?? SIZES) {
      const shape: Shape = { operation: "encryptInto", size, keyBits: 128 };
      const contestants = [
        ...names.map((engine) => evariste(engine, shape, { engine })),
        noble("noble", shape),
      ];
      const wanted = names.map((engine) => ({
        name: engine,
        baseline: "noble",
        target: TIMES_NOBLE[engine]?.[size],
      }));
      records.push(await measureRow({ operation: "encryptInto", size }, contestants, wanted, options));
    }
    const tables = [speedTable("AES-128-GCM, encryptInto", "size", records, sizeLabel)];
    for (const engine of names) {
      const rows = await within(engine, options);
      records.push(...rows);
      tables.push(speedTable(`${engine} within itself`, "size", rows, sizeLabel));
    }
    return { tables, records, notes: [...notes, ...closingNotes(records)] };
  },
};

async function within(engine: "native" | "openssl" | "wasm" | "portable", options: SuiteOptions) {
  const rows: SuiteRecord[] = [];
  for (const size of options.sizes ?? SIZES) {
    const encryption: Shape = { operation: "encryptInto", size, keyBits: 128 };
    const contestants: Contestant[] = [
      evariste("encryptInto", encryption, { engine }),
      evariste("decryptInto", { ...encryption, operation: "decryptInto" }, { engine }),
      evariste("AES-256", { ...encryption, keyBits: 256 }, { engine }),
    ];
    const wanted: Wanted[] = [
      {
        name: "decryptInto",
        baseline: "encryptInto",
        target: engine === "portable" ? undefined : DECRYPTION,
      },
      { name: "AES-256", baseline: "encryptInto", target: AES_256[engine] },
    ];
    rows.push(await measureRow({ engine, size }, contestants, wanted, options));
  }
  return rows;
}
