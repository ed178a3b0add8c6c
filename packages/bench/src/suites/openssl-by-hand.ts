import { evariste } from "../contestants/evariste.js";
import { nodeCrypto } from "../contestants/node-crypto.js";
import type { Shape } from "../contestants/shape.js";
import type { SuiteRecord } from "../results.js";
import { closingNotes, measureRow, type Suite, sizeLabel, speedTable, usableEngines } from "./suite.js";

const SIZES = [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 18, 2 ** 20, 2 ** 23];
const TARGET = 0.95;

/**
 * AesGcm on the openssl engine against the same calls written by hand. Targets are on pairs that give the caller the same:
 * `encrypt` and joined buffers, `encryptInto` and a copy into the caller's memory, `decrypt` and what update returns.
 */
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
            nodeCrypto("copied", shape, "copied"),
          ],
          [
            { name: "encrypt", baseline: "joined", target: TARGET },
            { name: "encryptInto", baseline: "copied", target: TARGET },
            { name: "encryptInto", baseline: "joined", target: TARGET },
            { name: "encryptInto", baseline: "unjoined" },
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
            nodeCrypto("copied", { ...shape, operation: "decrypt" }, "copied"),
          ],
          [
            { name: "decrypt", baseline: "by hand", target: TARGET },
            { name: "decryptInto", baseline: "copied", target: TARGET },
            { name: "decryptInto", baseline: "by hand" },
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
