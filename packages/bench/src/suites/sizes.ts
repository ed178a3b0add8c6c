import { OPERATIONS } from "../contestants/shape.js";
import { EVARISTE, engineSpecs, PACKAGES, PLATFORM } from "../contestants/table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { type Suite, sizeLabel, speedTable, usableEngines } from "./suite.js";

const QUICK = [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 20];
const DEFAULT = [...QUICK.slice(0, -1), 2 ** 18, 2 ** 20, 2 ** 23];
const FULL = [...DEFAULT, 2 ** 26];

/** The quick sizes at which everybody is measured; at the others only those of {@link BESIDE_INTO}. */
const QUICK_FOR_ALL: ReadonlySet<number> = new Set([16, 1024, 16384, 2 ** 20]);

/** Those that stand beside operations into the caller's memory; few others have such. */
const BESIDE_INTO = ["createCipheriv", "joined", "noble", "stablelib"];

/** Everybody, by message size. */
export const sizes: Suite = {
  summary:
    "every engine and every other contestant, encrypt and decrypt, Into and allocating, 16 B to 1, 8 or 64 MiB",
  run: async (options) => {
    const engines = usableEngines(options.engines);
    const own = [EVARISTE, ...engineSpecs(engines.names)];
    const field = await contenders({ specs: [...own, ...PLATFORM, ...PACKAGES], runtimes: true });
    const into = new Set([...own.map(({ name }) => name), ...BESIDE_INTO]);
    const wanted = ["createCipheriv", "joined", "noble"].map((baseline) => ({ name: "evariste", baseline }));
    const sizes = options.sizes ?? (options.full ? FULL : options.quick ? QUICK : DEFAULT);
    const rows = OPERATIONS.flatMap((operation) =>
      sizes.map((size) => {
        const forAll = !operation.endsWith("Into") && (!options.quick || QUICK_FOR_ALL.has(size));
        const only = forAll ? undefined : into;
        return forkRow({ operation, size, keyBits: options.keyBits }, wanted, {}, only);
      }),
    );
    const { records, notes } = await measureField(rows, field, options);
    const tables = OPERATIONS.map((operation) =>
      speedTable(
        `AES-${options.keyBits}-GCM, ${operation}`,
        "size",
        records.filter(({ row }) => row.operation === operation),
        sizeLabel,
      ),
    );
    return { tables, records, notes: [...engines.notes, ...notes] };
  },
};
