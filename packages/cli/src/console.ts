/** Lines for people: errors and warnings on standard error, answers on standard output. */
import { BrokenPipeError, printable, systemCode } from "./errors.js";

/** Writes `evariste: MESSAGE` to standard error, as one line. */
export function complain(message: string): void {
  process.stderr.write(`evariste: ${printable(message)}\n`);
}

/** Writes text to standard output and waits until the system has it. */
export function say(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(systemCode(error) === "EPIPE" ? new BrokenPipeError() : error);
    process.stdout.once("error", fail);
    process.stdout.write(text, (error) => {
      process.stdout.off("error", fail);
      if (error) fail(error);
      else resolve();
    });
  });
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes for people: `1.5 GiB`. */
export function humanBytes(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : 1)} ${UNITS[unit]}`;
}
