/** In a page: one row of `sizes`. */
import type { EngineName } from "evariste";
import { evariste } from "../contestants/evariste.js";
import { noble } from "../contestants/noble.js";
import type { Shape } from "../contestants/shape.js";
import { type Contestant, compare } from "../harness.js";
import { stitched, webCrypto } from "./contestants.js";
import type { Answers, RowTask } from "./tasks.js";

/** Measures the contestants in turns. One that cannot be made is a note. */
export async function measureInPage(task: RowTask): Promise<Answers["row"]> {
  const { operation, size, keyBits, engines, timing } = task;
  const contestants: Contestant[] = [];
  const notes: string[] = [];
  for (const [name, make] of makers(engines)) {
    try {
      contestants.push(await make({ operation, size, keyBits }));
    } catch (error) {
      notes.push(`${name} is missing: ${String(error)}`);
    }
  }
  return { scores: await compare(contestants, timing), notes };
}

type Make = (shape: Shape) => Contestant | Promise<Contestant>;

function makers(engines: readonly EngineName[]): [string, Make][] {
  return [
    ...engines.map((engine): [string, Make] => [engine, (shape) => evariste(engine, shape, { engine })]),
    ["StitchedGcm", (shape) => stitched("StitchedGcm", shape)],
    ["WebCrypto", (shape) => webCrypto("WebCrypto", shape, 1)],
    ["WebCrypto ×16", (shape) => webCrypto("WebCrypto ×16", shape, 16)],
    ["noble", (shape) => noble("noble", shape)],
  ];
}
