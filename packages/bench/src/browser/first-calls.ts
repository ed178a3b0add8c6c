/** In a page: what `first-call-child` does in a new process. */
import type { FirstCalls } from "../processes/first-call-child.js";
import type { FirstCallTask } from "./tasks.js";

const CALLS = 100;
const STEADY_CALLS = 400;

/** Imports the library, makes a key and encrypts, and tells how long each step took. */
export async function firstCalls({ size, engine }: FirstCallTask): Promise<FirstCalls> {
  const key = new Uint8Array(16).fill(1);
  const iv = new Uint8Array(12);
  const plaintext = new Uint8Array(size).fill(2);
  const out = new Uint8Array(size + 16).fill(3);

  const started = performance.now();
  const { AesGcm } = await import("evariste");
  const imported = performance.now();
  const gcm = new AesGcm(key, { engine });
  const created = performance.now();

  const times = new Float64Array(CALLS + STEADY_CALLS);
  for (let i = 0; i < times.length; i++) {
    iv[0] = i;
    iv[1] = i >>> 8;
    const start = performance.now();
    gcm.encryptInto(iv, plaintext, out);
    times[i] = performance.now() - start;
  }
  const nanoseconds = times.map((milliseconds) => milliseconds * 1e6);
  const rest = nanoseconds.slice(CALLS).sort();
  return {
    importing: (imported - started) * 1e6,
    creating: (created - imported) * 1e6,
    calls: Array.from(nanoseconds.subarray(0, CALLS)),
    steady: rest[rest.length >> 1],
  };
}
