/**
 * A new process that imports the library, makes a key and encrypts, with the time of each step, printed as JSON.
 * Arguments: message size in bytes; the engine's name, or nothing for what the machine chooses.
 */
import type { EngineName } from "evariste";

/** All times in nanoseconds. */
export interface FirstCalls {
  /** Importing the library. */
  readonly importing: number;
  /** Making the first key, which chooses and proves engines. */
  readonly creating: number;
  /** Time of call 1, 2, 3, … */
  readonly calls: readonly number[];
  /** Median of the calls after those. */
  readonly steady: number;
}

const CALLS = 100;
const STEADY_CALLS = 400;

const size = Number(process.argv[2]);
const engine = process.argv[3] as EngineName | undefined;
const key = new Uint8Array(16).fill(1);
const iv = new Uint8Array(12);
const plaintext = new Uint8Array(size).fill(2);
const out = new Uint8Array(size + 16).fill(3);

const started = process.hrtime.bigint();
const { AesGcm } = await import("evariste");
const imported = process.hrtime.bigint();
const gcm = new AesGcm(key, engine === undefined ? {} : { engine });
const created = process.hrtime.bigint();

const times = new Float64Array(CALLS + STEADY_CALLS);
for (let i = 0; i < times.length; i++) {
  iv[0] = i;
  iv[1] = i >>> 8;
  const start = process.hrtime.bigint();
  gcm.encryptInto(iv, plaintext, out);
  times[i] = Number(process.hrtime.bigint() - start);
}
const rest = times.slice(CALLS).sort();
const result: FirstCalls = {
  importing: Number(imported - started),
  creating: Number(created - imported),
  calls: Array.from(times.subarray(0, CALLS)),
  steady: rest[rest.length >> 1],
};
console.log(JSON.stringify(result));
