import { type BundleImport, bundleSize as measure } from "../bundle.js";
import type { SuiteRecord } from "../results.js";
import type { Table } from "../table.js";
import type { Suite } from "./suite.js";

interface Bundle extends BundleImport {
  readonly name: string;
}

/** This library by what a page may use of it, then what others need for AES-GCM. */
export const BUNDLES: readonly Bundle[] = [
  { name: "AesGcm, wasm and portable", names: "{ AesGcm }", from: "evariste" },
  { name: "AesGcm, portable alone", names: "{ AesGcm }", from: "evariste", condition: "evariste-portable" },
  { name: "everything of evariste", names: "* as all", from: "evariste" },
  { name: "evariste/webcrypto", names: "{ StitchedGcm }", from: "evariste/webcrypto" },
  { name: "evariste/streams", names: "{ encryptStream, decryptStream }", from: "evariste/streams" },
  { name: "evariste/chunked", names: "{ seal, open, sealStream, openStream }", from: "evariste/chunked" },
  { name: "evariste/ranges", names: "* as all", from: "evariste/ranges" },
  { name: "evariste/combine", names: "* as all", from: "evariste/combine" },
  { name: "evariste/parallel", names: "* as all", from: "evariste/parallel" },
  { name: "noble", names: "{ gcm }", from: "@noble/ciphers/aes.js" },
  { name: "stablelib", names: "{ GCM }", from: "@stablelib/gcm" },
  { name: "sjcl", names: "sjcl", from: "sjcl" },
  { name: "forge", names: "forge", from: "node-forge" },
  { name: "asmcrypto", names: "{ AES_GCM }", from: "asmcrypto.js" },
  { name: "encrypt-web-streams", names: "* as all", from: "@transcend-io/encrypt-web-streams" },
];

/** Bytes that a web page loads. */
export const bundleSize: Suite = {
  summary: "what entry points of this library and other packages add to a web page, minified and gzipped",
  run: async ({ progress }) => {
    const records: SuiteRecord[] = [];
    const notes: string[] = [];
    for (const bundle of BUNDLES) {
      progress(bundle.name);
      try {
        const { minified, gzipped } = await measure(bundle);
        records.push({
          row: { bundle: bundle.name, from: bundle.from },
          scores: [],
          verdicts: [],
          values: [
            { name: "minified", value: minified, unit: "bytes" },
            { name: "gzipped", value: gzipped, unit: "bytes" },
          ],
        });
      } catch (error) {
        notes.push(`${bundle.name} is missing: ${(error as Error).message.split("\n")[0]}`);
      }
    }
    return { tables: [sizeTable(records)], records, notes };
  },
};

function sizeTable(records: readonly SuiteRecord[]): Table {
  return {
    title: "Bytes in a web page",
    columns: ["import", "from", "minified", "gzipped"],
    rows: records.map(({ row, values = [] }) => [
      String(row.bundle),
      String(row.from),
      ...values.map(({ value }) => value.toLocaleString("en")),
    ]),
  };
}
