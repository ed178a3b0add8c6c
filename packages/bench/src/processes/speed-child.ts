/**
 * A process that measures this library on request, so that it can alternate with processes of other languages. Each line
 * `OPERATION KEYBITS SIZE MILLISECONDS` is answered by nanoseconds per operation over that time. The program in
 * `java/` speaks the same. Arguments: the engine's name, or nothing for what the machine chooses.
 */
import { createInterface } from "node:readline";
import type { AesGcmOptions, EngineName } from "evariste";
import { evariste } from "../contestants/evariste.js";
import type { KeyBits, Operation } from "../contestants/shape.js";
import type { Contestant } from "../harness.js";

interface Measured {
  readonly contestant: Contestant;
  /** As many as take about a twentieth of a round; grows with what is found. */
  iterations: number;
}

const options: AesGcmOptions = process.argv[2] === undefined ? {} : { engine: process.argv[2] as EngineName };
const known = new Map<string, Measured>();

function measure(line: string): number {
  const [operation, keyBits, size, milliseconds] = line.split(" ");
  const row = `${operation} ${keyBits} ${size}`;
  let measured = known.get(row);
  if (measured === undefined) {
    const shape = {
      operation: operation as Operation,
      keyBits: Number(keyBits) as KeyBits,
      size: Number(size),
    };
    measured = { contestant: evariste(row, shape, options), iterations: 1 };
    known.set(row, measured);
  }
  return nanoseconds(measured, Number(milliseconds));
}

function nanoseconds(measured: Measured, milliseconds: number): number {
  const start = performance.now();
  let done = 0;
  let elapsed = 0;
  do {
    measured.contestant.run(measured.iterations);
    done += measured.iterations;
    elapsed = performance.now() - start;
    if (elapsed < milliseconds / 20) measured.iterations *= 2;
  } while (elapsed < milliseconds);
  measured.iterations = Math.max(1, Math.round((done * milliseconds) / 20 / elapsed));
  return (elapsed * 1e6) / done;
}

for await (const line of createInterface({ input: process.stdin })) console.log(measure(line));
