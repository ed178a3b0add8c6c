/**
 * A new process that imports a contestant, makes a key and encrypts, with the time of each step, printed as JSON. Arguments:
 * the contestant as JSON; message size in bytes; how many calls; how many more for the steady state; the time in
 * milliseconds after which no further call begins.
 */
import { KINDS } from "../contestants/kinds.js";
import type { Run, Shape } from "../contestants/shape.js";
import type { Spec } from "../contestants/table.js";
import { type CallTimes, timeCalls } from "./time-calls.js";

/** All times in nanoseconds. */
export interface FirstCalls extends CallTimes {
  /** Importing what the contestant consists of. */
  readonly importing: number;
  /** Making the first key, which may choose and prove engines, and the memory of the message. */
  readonly creating: number;
}

const spec = JSON.parse(process.argv[2]) as Spec;
const [size, calls, steadyCalls, limitMs] = process.argv.slice(3).map(Number);
const { modules, load } = KINDS[spec.kind];

const started = process.hrtime.bigint();
for (const module of modules) await import(module);
const imported = process.hrtime.bigint();
const make = (await load()) as (shape: Shape, options: unknown) => Run | undefined | Promise<Run | undefined>;
const loaded = process.hrtime.bigint();
const run = await make({ operation: "encryptInto", size, keyBits: 128, ...spec.instead }, spec.options);
if (run === undefined) throw new Error(`${spec.name} has no encryptInto`);
const created = process.hrtime.bigint();

const result: FirstCalls = {
  importing: Number(imported - started),
  creating: Number(created - loaded),
  ...(await timeCalls(run, { calls, steadyCalls, limitMs })),
};
console.log(JSON.stringify(result));
