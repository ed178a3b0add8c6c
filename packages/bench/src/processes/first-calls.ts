import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Spec } from "../contestants/table.js";
import type { FirstCalls } from "./first-call-child.js";
import type { CallLimits } from "./time-calls.js";

const CHILD = fileURLToPath(new URL("./first-call-child.js", import.meta.url));
const run = promisify(execFile);

/** What one new process does. */
export interface FirstCallRequest extends CallLimits {
  /** Message length in bytes. */
  readonly size: number;
}

/** The first calls of a contestant in a new process. @throws Error when it fails, with what it wrote to standard error */
export async function firstCalls(spec: Spec, request: FirstCallRequest): Promise<FirstCalls> {
  const { size, calls, steadyCalls, limitMs } = request;
  const numbers = [size, calls, steadyCalls, limitMs].map(String);
  const { stdout } = await run(process.execPath, [CHILD, JSON.stringify(spec), ...numbers]);
  return JSON.parse(stdout) as FirstCalls;
}
