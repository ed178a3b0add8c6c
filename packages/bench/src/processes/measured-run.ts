import { spawn } from "node:child_process";

/** What one run of a program took. */
export interface MeasuredRun {
  /** From start to end, in nanoseconds. */
  readonly nanoseconds: number;
  /** Most memory that the process held, in bytes. */
  readonly peakMemory: number;
}

/** Loaded before the program: at its end, writes its peak memory in KiB to file descriptor 3. */
const REPORTER = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs";' +
    'process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));',
)}`;

/**
 * Runs a program of Node to its end, its output thrown away.
 *
 * @throws Error when it fails, with the last that it wrote to standard error
 */
export function measuredRun(args: readonly string[]): Promise<MeasuredRun> {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const child = spawn(process.execPath, ["--import", REPORTER, ...args], {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    let complaints = "";
    let report = "";
    child.stderr?.on("data", (text) => {
      complaints = (complaints + text).slice(-2000);
    });
    child.stdio[3]?.on("data", (text) => {
      report += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const nanoseconds = Number(process.hrtime.bigint() - start);
      if (code === 0) resolve({ nanoseconds, peakMemory: Number(report) * 1024 });
      else reject(new Error(`${args[0]} ended with code ${code}: ${complaints.trim()}`));
    });
  });
}
