/** The whole module: its kernels, its memory, its optimisation. */
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
  module.dispose();
  return binary;
}
