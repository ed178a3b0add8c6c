/** Lines for people: errors and warnings on standard error, answers on standard output. */
import { blame, printable } from "./errors.js";

/** Writes `evariste: MESSAGE` to standard error, as one line. */
export function complain(message: string): void {
  process.stderr.write(`evariste: ${printable(message)}\n`);
}

/**
 * Writes text to standard output and waits until the system has it. Not for a process that also writes data there
 * through a sink: two streams on one pipe get in each other's way.
 *
 * @throws BrokenPipeError when nobody reads any more
 */
export function say(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The stream reports a failure twice: to the callback, and to listeners, of which there must be one.
    if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", () => {});
    process.stdout.write(text, (error) => {
      if (error) reject(blame("output", "standard output", error));
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
