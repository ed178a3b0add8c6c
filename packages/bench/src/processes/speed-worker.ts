/**
 * A thread that encrypts as fast as it can, at the same time as others. It reports `ready` once it is warm; each message
 * with a time in milliseconds then makes it wait for the others and answer with its nanoseconds per operation.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { Shape } from "../contestants/shape.js";
import type { Spec } from "../contestants/table.js";
import { nanoseconds, prepare } from "./measured.js";

/** What a thread is given. */
export interface SpeedWorkerData {
  readonly spec: Spec;
  readonly shape: Shape;
  readonly warmupMs: number;
  /** One number: grows by one when all are to start. */
  readonly gate: SharedArrayBuffer;
}

const { spec, shape, warmupMs, gate } = workerData as SpeedWorkerData;
const starts = new Int32Array(gate);
const port = parentPort!;
const measured = await prepare(spec, shape);
if (measured === undefined) throw new Error(`${spec.name} has no ${shape.operation}`);
await nanoseconds(measured, warmupMs);
let round = 0;
port.on("message", async (milliseconds: number) => {
  port.postMessage("waiting");
  Atomics.wait(starts, 0, round++);
  port.postMessage(await nanoseconds(measured, milliseconds));
});
port.postMessage("ready");
