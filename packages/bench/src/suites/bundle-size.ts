import { type BundleImports, bundleSize as measure } from "../bundle.js";
import type { SuiteRecord } from "../results.js";
import type { Table } from "../table.js";
import type { Suite } from "./suite.js";

interface Bundle extends BundleImports {
  readonly name: string;
}

/** This library by what a page may use of it, then what others need for AES-GCM. */
export const BUNDLES: readonly Bundle[] = [
  { name: "AesGcm, wasm and portable", imports: { evariste: "{ AesGcm }" } },
  { name: "AesGcm, portable alone", imports: { evariste: "{ AesGcm }" }, condition: "evariste-portable" },
  { name: "everything of evariste", imports: { evariste: "* as all" } },
  { name: "evariste/webcrypto", imports: { "evariste/webcrypto": "{ StitchedGcm }" } },
  { name: "evariste/streams", imports: { "evariste/streams": "{ encryptStream, decryptStream }" } },
  { name: "evariste/chunked", imports: { "evariste/chunked": "{ seal, open, sealStream, openStream }" } },
  { name: "evariste/ranges", imports: { "evariste/ranges": "* as all" } },
  { name: "evariste/combine", imports: { "evariste/combine": "* as all" } },
  { name: "evariste/parallel", imports: { "evariste/parallel": "* as all" } },
  { name: "noble", imports: { "@noble/ciphers/aes.js": "{ gcm }" } },
  { name: "stablelib", imports: { "@stablelib/gcm": "{ GCM }", "@stablelib/aes": "{ AES }" } },
  { name: "sjcl", imports: { sjcl: "sjcl" } },
  { name: "forge", imports: { "node-forge": "forge" } },
  { name: "asmcrypto", imports: { "asmcrypto.js": "{ AES_GCM }" } },
  { name: "encrypt-web-streams", imports: { "@transcend-io/encrypt-web-streams": "* as all" } },
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
          row: { bundle: bundle.name, from: Object.keys(bundle.imports).join(", ") },
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
