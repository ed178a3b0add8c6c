import type { Joining } from "../contestants/node-crypto.js";
import type { Operation } from "../contestants/shape.js";
import type { Spec } from "../contestants/table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { type Suite, sizeLabel, speedTable, usableEngines, type Wanted } from "./suite.js";

const SIZES = [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 18, 2 ** 20, 2 ** 23];
const TARGET = 0.95;

function forced(operation: Operation): Spec {
  return { name: operation, kind: "evariste", options: { engine: "openssl" }, instead: { operation } };
}

function byHand(name: string, joining: Joining): Spec {
  return { name, kind: "createCipheriv", options: { joining } };
}

/** Targets are on pairs that give the caller the same; ratios with code that gives less have none. */
const DIRECTIONS: Readonly<
  Record<"encrypt" | "decrypt", { specs: readonly Spec[]; wanted: readonly Wanted[] }>
> = {
  encrypt: {
    specs: [
      forced("encryptInto"),
      forced("encrypt"),
      byHand("unjoined", "unjoined"),
      byHand("joined", "joined"),
      byHand("copied", "copied"),
    ],
    wanted: [
      { name: "encrypt", baseline: "joined", target: TARGET },
      { name: "encryptInto", baseline: "copied", target: TARGET },
      { name: "encryptInto", baseline: "joined", target: TARGET },
      { name: "encryptInto", baseline: "unjoined" },
    ],
  },
  decrypt: {
    specs: [
      forced("decryptInto"),
      forced("decrypt"),
      byHand("by hand", "unjoined"),
      byHand("copied", "copied"),
    ],
    wanted: [
      { name: "decrypt", baseline: "by hand", target: TARGET },
      { name: "decryptInto", baseline: "copied", target: TARGET },
      { name: "decryptInto", baseline: "by hand" },
    ],
  },
};

/** AesGcm on the openssl engine against the same calls written by hand. */
export const opensslByHand: Suite = {
  summary: "AesGcm on the openssl engine against createCipheriv by hand: no slower at any size",
  run: async (options) => {
    const missing = usableEngines(["openssl"]).notes;
    if (missing.length > 0) return { tables: [], records: [], notes: missing };
    const tables = [];
    const records = [];
    const notes = [];
    for (const operation of ["encrypt", "decrypt"] as const) {
      const { specs, wanted } = DIRECTIONS[operation];
      const rows = (options.sizes ?? SIZES).map((size) =>
        forkRow({ operation, size, keyBits: options.keyBits }, wanted),
      );
      const result = await measureField(rows, await contenders({ specs }), options);
      records.push(...result.records);
      notes.push(...result.notes);
      const title = `AES-${options.keyBits}-GCM, ${operation}ion on openssl`;
      tables.push(speedTable(title, "size", result.records, sizeLabel));
    }
    return { tables, records, notes };
  },
};
