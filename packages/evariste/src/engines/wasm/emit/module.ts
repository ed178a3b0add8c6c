/** The whole module: its kernels, its memory, its optimisation. */
import { MEMORY_PAGES, TABLES } from "../layout.js";
import { emitBitsliced } from "./aes-bitsliced.js";
import { emitPermute, PERMUTE_DATA } from "./aes-permute.js";
import { Asm } from "./asm.js";
import { findLeaks } from "./check.js";
import { emitGhash, REDUCTION_DATA } from "./ghash.js";
import { emitKaratsuba } from "./ghash-karatsuba.js";
import { emitMessage } from "./message.js";

/**
 * Binaryen's passes one by one: its presets have `precompute`, which copies constants into loops, where V8 makes them
 * again in every turn.
 */
const PASSES = [
  "inlining",
  "optimize-instructions",
  "simplify-locals",
  "vacuum",
  "reorder-locals",
  "coalesce-locals",
  "simplify-locals",
  "vacuum",
  "reorder-locals",
  "remove-unused-brs",
  "remove-unused-names",
  "merge-blocks",
  "vacuum",
];

/** Assembles, optimises and encodes the module, with relaxed look-ups. */
export function emitModule(): Uint8Array {
  const asm = new Asm();
  const data = new Uint8Array([...PERMUTE_DATA, ...REDUCTION_DATA]);
  const { module } = asm;
  module.setMemory(MEMORY_PAGES, MEMORY_PAGES, "memory", [{ offset: module.i32.const(TABLES), data }]);
  for (const emit of [emitPermute, emitBitsliced, emitGhash, emitKaratsuba, emitMessage]) emit(asm);
  if (!module.validate()) throw new Error("Binaryen finds the module invalid");
  module.runPasses(PASSES);
  const binary = module.emitBinary();
  const relaxed = module.emitText().split("i8x16.relaxed_swizzle").length - 1;
  module.dispose();
  if (countRelaxed(binary) !== relaxed) throw new Error("fd 80 02 occurs outside of i8x16.relaxed_swizzle");
  const leaks = findLeaks(binary);
  if (leaks.length > 0) throw new Error(`the module is not constant time: ${leaks.join("; ")}`);
  return binary;
}

/** Occurrences of the bytes that the loader takes for `i8x16.relaxed_swizzle`. */
function countRelaxed(binary: Uint8Array): number {
  return binary.filter((byte, i) => byte === 0xfd && binary[i + 1] === 0x80 && binary[i + 2] === 0x02).length;
}
