/** `evariste/parallel`: real workers of this runtime. */
import { AesGcm, AuthenticationError } from "evariste";
import { decryptParallel, encryptParallel } from "evariste/parallel";
import { check, equalBytes, Mismatch } from "../check.js";
import { Random } from "../random.js";
import type { EntryCase } from "./case.js";

const LENGTH = 1_600_001;

async function sameAsOneThread(engine?: "wasm" | "portable"): Promise<void> {
  const random = new Random(41);
  const [key, iv, aad] = [random.bytes(32), random.bytes(12), random.bytes(21)];
  // Portable takes a tenth of a second for a megabyte.
  const plaintext = random.bytes(engine === "portable" ? LENGTH >> 1 : LENGTH);
  const gcm = new AesGcm(key);
  const expected = gcm.encrypt(iv, plaintext, { aad });
  gcm.destroy();
  const options = { aad, threads: 2, ...(engine && { engine }) };
  equalBytes(await encryptParallel(key, iv, plaintext, options), expected, "encryptParallel");
  equalBytes(await decryptParallel(key, iv, expected, options), plaintext, "decryptParallel");
  expected[LENGTH >> 2] ^= 1;
  try {
    await decryptParallel(key, iv, expected, options);
  } catch (error) {
    check(error instanceof AuthenticationError, `${String(error)}, not AuthenticationError`);
    return;
  }
  throw new Mismatch("an altered message was decrypted");
}

/** Messages that are shared out; portable runs in workers everywhere, also where the addon has threads. */
export const parallelCases: readonly EntryCase[] = [
  { name: "parallel: equals one thread", run: () => sameAsOneThread() },
  { name: "parallel: in workers, portable engine", run: () => sameAsOneThread("portable") },
];
