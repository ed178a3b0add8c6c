import type { Operation } from "../contestants/shape.js";
import { engineSpecs } from "../contestants/table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { type Suite, sizeLabel, speedTable, usableEngines, type Wanted } from "./suite.js";

const SIZES = [16, 256, 1024, 4096, 16384, 2 ** 20];
const OPERATIONS: readonly Operation[] = ["encryptInto", "decryptInto"];

/** Least warm-up of a row in Java, in milliseconds: the server compiler is done well before. */
const JAVA_WARMUP_MS = 400;

/** Least times Java 25's speed with AES-128, by engine and size. */
const TIMES_JAVA_25: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  native: { 16: 4, 256: 3, 1024: 2.2, 4096: 1.6, 16384: 1.2, [2 ** 20]: 1 },
  wasm: { 16: 1 },
};

/** This library against Java. */
export const java: Suite = {
  summary: "beside Java's Cipher.init and doFinal into a reused array, on every Java release found here",
  run: async (options) => {
    const engines = usableEngines(options.engines ?? ["native", "wasm", "openssl"]);
    const field = await contenders({
      specs: engineSpecs(engines.names),
      java: [],
      javaWarmupMs: JAVA_WARMUP_MS,
    });
    const releases = field.found.map(({ name }) => name).filter((name) => name.startsWith("Java"));
    if (releases.length === 0) return { tables: [], records: [], notes: [...engines.notes, ...field.notes] };
    const rows = OPERATIONS.flatMap((operation) =>
      (options.sizes ?? SIZES).map((size) => {
        const wanted = engines.names.flatMap((name) =>
          releases.map((baseline): Wanted => {
            const hasTarget = baseline === "Java 25" && options.keyBits === 128;
            return { name, baseline, target: hasTarget ? TIMES_JAVA_25[name]?.[size] : undefined };
          }),
        );
        return forkRow({ operation, size, keyBits: options.keyBits }, wanted);
      }),
    );
    const { records, notes } = await measureField(rows, field, options);
    const tables = OPERATIONS.map((operation) =>
      speedTable(
        `AES-${options.keyBits}-GCM, ${operation}, a new IV each time`,
        "size",
        records.filter(({ row }) => row.operation === operation),
        sizeLabel,
      ),
    );
    return { tables, records, notes: [...engines.notes, ...notes] };
  },
};
