/** In a page: what `first-call-child` does in a new process. */
import type { FirstCalls } from "../processes/first-call-child.js";
import { timeCalls } from "../processes/time-calls.js";
import type { FirstCallTask } from "./tasks.js";

/** Imports the library, makes a key and encrypts, and tells how long each step took. */
export async function firstCalls({ size, engine, ...limits }: FirstCallTask): Promise<FirstCalls> {
  const key = new Uint8Array(16).fill(1);
  const iv = new Uint8Array(12);
  const plaintext = new Uint8Array(size).fill(2);
  const out = new Uint8Array(size + 16).fill(3);

  const started = performance.now();
  const { AesGcm } = await import("evariste");
  const imported = performance.now();
  const gcm = new AesGcm(key, { engine });
  const created = performance.now();
  const encryptNext = (i: number) => {
    iv[0] = i;
    iv[1] = i >>> 8;
    gcm.encryptInto(iv, plaintext, out);
  };
  return {
    importing: (imported - started) * 1e6,
    creating: (created - imported) * 1e6,
    ...(await timeCalls(encryptNext, limits)),
  };
}
