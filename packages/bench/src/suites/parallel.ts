import { AesGcm } from "evariste";
import { encryptParallelInto } from "evariste/parallel";
import { type KeyBits, memoryFor } from "../contestants/shape.js";
import { type Contestant, compare, repeat, repeatAsync } from "../harness.js";
import { closingNotes, judge, type Suite, sizeLabel, speedTable, type Wanted } from "./suite.js";

const SIZES = [2 ** 20, 8 * 2 ** 20, 64 * 2 ** 20];

const WANTED: readonly Wanted[] = [
  { name: "encryptParallelInto", baseline: "encryptInto" },
  // What memory alone leaves for any number of cores.
  { name: "memcpy", baseline: "encryptInto" },
];

/** One message on all cores, one core, and a copy of as many bytes. In this process: memory is what they compete for. */
export const parallel: Suite = {
  summary: "one large message on several cores and on one, beside a copy of its bytes",
  run: async ({ keyBits, sizes = SIZES, timing, progress }) => {
    const records = [];
    for (const size of sizes) {
      const row = { operation: "encrypt", size, keyBits };
      progress(Object.values(row).join(", "));
      records.push(judge(row, await compare(contestants(size, keyBits), timing), WANTED));
    }
    const title = `AES-${keyBits}-GCM into memory that is there`;
    return { tables: [speedTable(title, "size", records, sizeLabel)], records, notes: closingNotes(records) };
  },
};

function contestants(size: number, keyBits: KeyBits): Contestant[] {
  const { key, ivFor, plaintext, out } = memoryFor({ size, keyBits });
  const gcm = new AesGcm(key);
  return [
    repeat("encryptInto", (i) => void gcm.encryptInto(ivFor(i), plaintext, out), size),
    repeatAsync(
      "encryptParallelInto",
      async (i) => void (await encryptParallelInto(key, ivFor(i), plaintext, out)),
      size,
    ),
    repeat("memcpy", () => out.set(plaintext), size),
  ];
}
