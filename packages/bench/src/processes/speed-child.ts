/**
 * A process that measures one contestant on request, so that it can alternate with others, also of other languages. Argument:
 * the contestant as JSON. Lines and their answers:
 *
 * - `hello`: `ready`
 * - `OPERATION KEYBITS SIZE MEMORY MILLISECONDS`, with `-` for no special memory: nanoseconds per operation over that
 *   time and at least one operation, or `none` when the contestant has no such operation
 *
 * The program in `java/` speaks the same.
 */
import { createInterface } from "node:readline";
import type { KeyBits, MemoryKind, Operation, Shape } from "../contestants/shape.js";
import type { Spec } from "../contestants/table.js";
import { type Measured, nanoseconds, prepare } from "./measured.js";

const spec = JSON.parse(process.argv[2]) as Spec;
const known = new Map<string, Measured | undefined>();

async function answer(line: string): Promise<string> {
  if (line === "hello") return "ready";
  const words = line.split(" ");
  const row = words.slice(0, 4).join(" ");
  if (!known.has(row)) known.set(row, await prepare(spec, shapeOf(words)));
  const measured = known.get(row);
  return measured === undefined ? "none" : String(await nanoseconds(measured, Number(words[4])));
}

function shapeOf([operation, keyBits, size, memory]: readonly string[]): Shape {
  return {
    operation: operation as Operation,
    keyBits: Number(keyBits) as KeyBits,
    size: Number(size),
    ...(memory === "-" ? {} : { memory: memory as MemoryKind }),
  };
}

for await (const line of createInterface({ input: process.stdin })) console.log(await answer(line));
