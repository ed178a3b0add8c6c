import { evariste } from "../contestants/evariste.js";
import { nodeCrypto } from "../contestants/node-crypto.js";
import type { Shape } from "../contestants/shape.js";
import {
  closingNotes,
  measureRow,
  type Suite,
  type SuiteRecord,
  sizeLabel,
  speedTable,
  usableEngines,
} from "./suite.js";

const SIZES = [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 18, 2 ** 20, 2 ** 23];
const TARGET = 0.95;

/** AesGcm on the openssl engine against the same calls written by hand. */
export const opensslByHand: Suite = {
  summary: "AesGcm on the openssl engine against createCipheriv by hand: no slower at any size",
  run: async (options) => {
    const { notes } = usableEngines(["openssl"]);
    if (notes.length > 0) return { tables: [], records: [], notes };
    const encryption: SuiteRecord[] = [];
    const decryption: SuiteRecord[] = [];
    const forced = { engine: "openssl" } as const;
    for (const size of options.sizes ?? SIZES) {
      const shape: Shape = { operation: "encrypt", size, keyBits: options.keyBits };
      encryption.push(
        await measureRow(
          { direction: "encryption", size },
          [
            evariste("encryptInto", { ...shape, operation: "encryptInto" }, forced),
            evariste("encrypt", shape, forced),
            nodeCrypto("unjoined", shape, "unjoined"),
            nodeCrypto("joined", shape, "joined"),
          ],
          [
            { name: "encryptInto", baseline: "joined", target: TARGET },
            { name: "encrypt", baseline: "joined", target: TARGET },
            { name: "encryptInto", baseline: "unjoined", target: TARGET },
          ],
          options,
        ),
      );
      decryption.push(
        await measureRow(
          { direction: "decryption", size },
          [
            evariste("decryptInto", { ...shape, operation: "decryptInto" }, forced),
            evariste("decrypt", { ...shape, operation: "decrypt" }, forced),
            nodeCrypto("by hand", { ...shape, operation: "decrypt" }, "unjoined"),
          ],
          [
            { name: "decryptInto", baseline: "by hand", target: TARGET },
            { name: "decrypt", baseline: "by hand", target: TARGET },
          ],
          options,
        ),
      );
    }
    const records = [...encryption, ...decryption];
    return {
      tables: [
        speedTable(`AES-${options.keyBits}-GCM, encryption on openssl`, "size", encryption, sizeLabel),
        speedTable(`AES-${options.keyBits}-GCM, decryption on openssl`, "size", decryption, sizeLabel),
      ],
      records,
      notes: closingNotes(records),
    };
  },
};
