/**
 * A small typed macro-assembler over Binaryen in which the kernels are written. Every operation yields a fresh value,
 * and every value knows whether it is secret. The rule that makes kernels constant time is enforced here, while they
 * are written: whatever comes from memory is secret, whatever is computed from a secret is secret, and a secret may be
 * neither an address nor a condition. Only parameters (lengths, offsets, positions) and constants are public.
 */
import binaryen from "binaryen";
import { Fn, type I32 } from "./fn.js";

/** A WebAssembly module under construction. */
export class Asm {
  readonly module = new binaryen.Module();

  constructor() {
    const { SIMD128, RelaxedSIMD, BulkMemory, BulkMemoryOpt, SignExt, MutableGlobals } = binaryen.Features;
    this.module.setFeatures(SIMD128 | RelaxedSIMD | BulkMemory | BulkMemoryOpt | SignExt | MutableGlobals);
  }

  /**
   * Defines a function. All parameters are public 32-bit integers: secrets travel through memory.
   *
   * @param exported visible to the engine
   * @param body returns the result, if the function has one; it may be secret (the verdict of a comparison)
   */
  func<N extends readonly string[]>(
    name: string,
    params: N,
    exported: boolean,
    body: (f: Fn, ...args: { [I in keyof N]: I32 }) => I32 | undefined,
  ): void {
    const fn = new Fn(this.module, params.length);
    const args = params.map((_, local): I32 => ({ kind: "i32", local, secret: false }));
    const result = body(fn, ...(args as { [I in keyof N]: I32 }));
    const returned = result ? [this.module.local.get(result.local, binaryen.i32)] : [];
    const type = result ? binaryen.i32 : binaryen.none;
    const block = this.module.block(null, [...fn.finish(), ...returned], type);
    const paramType = binaryen.createType(params.map(() => binaryen.i32));
    this.module.addFunction(name, paramType, type, fn.locals, block);
    if (exported) this.module.addFunctionExport(name, name);
  }
}
