/**
 * Emits the WebAssembly module and writes it to the file named on the command line as a TypeScript module. The output
 * depends on the sources and on Binaryen's version only.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import binaryen from "binaryen";
import { MEMORY_PAGES, TABLES } from "../layout.js";
import { emitBitsliced } from "./aes-bitsliced.js";
import { emitPermute, PERMUTE_DATA } from "./aes-permute.js";
import { Asm } from "./asm.js";
import { emitGhash, REDUCTION_DATA } from "./ghash.js";
import { emitKaratsuba } from "./ghash-karatsuba.js";
import { emitMessage } from "./message.js";

/** Assembles, optimises and encodes the module, with relaxed look-ups. */
export function emitModule(): Uint8Array {
  const asm = new Asm();
  const data = new Uint8Array([...PERMUTE_DATA, ...REDUCTION_DATA]);
  const { module } = asm;
  module.setMemory(MEMORY_PAGES, MEMORY_PAGES, "memory", [{ offset: module.i32.const(TABLES), data }]);
  for (const emit of [emitPermute, emitBitsliced, emitGhash, emitKaratsuba, emitMessage]) emit(asm);
  if (!module.validate()) throw new Error("Binaryen finds the module invalid");
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(1);
  module.optimize();
  const binary = module.emitBinary();
  if (process.env.EVARISTE_WAT) writeFileSync(process.env.EVARISTE_WAT, module.emitText());
  module.dispose();
  return binary;
}

const [, , target] = process.argv;
const binary = emitModule();
const encoded = Buffer.from(binary).toString("base64");
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `/** The module, base64. Generated: see ../emit/build.ts. */\nexport const MODULE: string =\n  "${encoded}";\n`,
);
