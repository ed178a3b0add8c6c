import { evariste } from "../contestants/evariste.js";
import { noble } from "../contestants/noble.js";
import { nodeCrypto } from "../contestants/node-crypto.js";
import { encrypts, OPERATIONS, type Shape } from "../contestants/shape.js";
import type { SuiteRecord } from "../results.js";
import { closingNotes, measureRow, type Suite, sizeLabel, speedTable, usableEngines } from "./suite.js";

const QUICK = [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 20];
const FULL = [...QUICK.slice(0, -1), 2 ** 18, 2 ** 20, 2 ** 23];

/** Every engine in every operation, beside node:crypto by hand and noble. */
export const sizes: Suite = {
  summary: "every engine, encrypt and decrypt, Into and allocating, beside createCipheriv and noble",
  run: async (options) => {
    const { names, notes } = usableEngines(options.engines);
    const tables = [];
    const records: SuiteRecord[] = [];
    for (const operation of OPERATIONS) {
      const rows: SuiteRecord[] = [];
      for (const size of options.sizes ?? (options.quick ? QUICK : FULL)) {
        const shape: Shape = { operation, size, keyBits: options.keyBits };
        const contestants = [
          evariste("evariste", shape),
          ...names.map((engine) => evariste(engine, shape, { engine })),
          nodeCrypto("createCipheriv", shape, "unjoined"),
          ...(encrypts(operation) ? [nodeCrypto("joined", shape, "joined")] : []),
          noble("noble", shape),
        ];
        const wanted = [
          { name: "evariste", baseline: "createCipheriv" },
          { name: "evariste", baseline: "joined" },
          { name: "evariste", baseline: "noble" },
        ];
        rows.push(await measureRow({ operation, size }, contestants, wanted, options));
      }
      records.push(...rows);
      const title = `AES-${options.keyBits}-GCM, ${operation}`;
      tables.push(speedTable(title, "size", rows, sizeLabel));
    }
    return { tables, records, notes: [...notes, ...closingNotes(records)] };
  },
};
