import { OPERATIONS } from "../contestants/shape.js";
import { EVARISTE, engineSpecs, PACKAGES, PLATFORM } from "../contestants/table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { type Suite, sizeLabel, speedTable, usableEngines } from "./suite.js";

const QUICK = [16, 256, 1024, 4096, 16384, 2 ** 20];
const DEFAULT = [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 18, 2 ** 20, 2 ** 23];
const FULL = [...DEFAULT, 2 ** 26];

/** Sizes at which a quick run has everybody, in `encrypt`. */
const QUICK_FOR_ALL: ReadonlySet<number> = new Set([16, 1024, 16384, 2 ** 20]);

/** Those that stand beside this library in every row; few others can write into the caller's memory. */
const ALWAYS = ["createCipheriv", "joined", "noble"];

/** Everybody, by message size. */
export const sizes: Suite = {
  summary:
    "every engine and every other contestant, encrypt and decrypt, Into and allocating, 16 B to 1, 8 or 64 MiB",
  run: async (options) => {
    const engines = usableEngines(options.engines);
    const own = [EVARISTE, ...engineSpecs(engines.names)];
    const field = await contenders({ specs: [...own, ...PLATFORM, ...PACKAGES], runtimes: true });
    const few = new Set([...own.map(({ name }) => name), ...ALWAYS]);
    const wanted = ALWAYS.map((baseline) => ({ name: "evariste", baseline }));
    const sizes = options.sizes ?? (options.full ? FULL : options.quick ? QUICK : DEFAULT);
    const rows = OPERATIONS.flatMap((operation) =>
      sizes.map((size) => {
        const forAll = options.quick
          ? operation === "encrypt" && QUICK_FOR_ALL.has(size)
          : !operation.endsWith("Into");
        const only = forAll ? undefined : few;
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
