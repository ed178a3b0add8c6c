/** Compiling and instantiating the module: which variant the runtime has, and why there is none. */
import { MODULE } from "./generated/module.js";

/** What the module exports; see `emit/` for what each does. All arguments are unsigned 32-bit integers. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  expand(slot: number, keyWords: number): void;
  powers(slot: number, from: number, to: number): void;
  widen(slot: number, wide: number): void;
  block(slot: number, rounds: number): void;
  hash(slot: number, wide: number, data: number, blocks: number): void;
  absorb(slot: number, wide: number, data: number, length: number): void;
  gctr(slot: number, rounds: number, blocks: number): void;
  gcm(
    slot: number,
    wide: number,
    rounds: number,
    flags: number,
    counter: number,
    length: number,
    aadLength: number,
    tagLength: number,
    cacheFrom: number,
    aadHigh: number,
    aadLow: number,
    textHigh: number,
    textLow: number,
  ): number;
}

/** A module with one function that uses `i8x16.relaxed_swizzle`. */
const RELAXED_PROBE = [
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 15, 1, 13, 0, 0x41, 0, 0xfd,
  0x0f, 0x41, 0, 0xfd, 0x0f, 0xfd, 0x80, 0x02, 0x0b,
];

/** Why WebAssembly cannot be used at all, or undefined. */
function absence(): string | undefined {
  if (typeof WebAssembly !== "object" || typeof WebAssembly.Module !== "function") {
    return "this runtime has no WebAssembly";
  }
  if (MODULE === "") return "the WebAssembly module was not built (npm run build:wasm)";
  return undefined;
}

/** Whether the runtime has relaxed SIMD. */
export function hasRelaxed(): boolean {
  return absence() === undefined && WebAssembly.validate(new Uint8Array(RELAXED_PROBE));
}

/**
 * The module's bytes. It is stored with `i8x16.relaxed_swizzle` (fd 80 02). The standard variant differs in that
 * instruction only, so it is made here: `i8x16.swizzle` is fd 0e, and its number may be written in two bytes too.
 */
function moduleBytes(relaxed: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(MODULE.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(MODULE.slice(2 * i, 2 * i + 2), 16);
  if (relaxed) return bytes;
  for (let i = 0; i + 2 < bytes.length; i++) {
    if (bytes[i] === 0xfd && bytes[i + 1] === 0x80 && bytes[i + 2] === 0x02) {
      bytes[i + 1] = 0x8e;
      bytes[i + 2] = 0x00;
    }
  }
  return bytes;
}

const compiled = new Map<boolean, WebAssembly.Module>();

/** Compiles a variant without blocking, for threads on which a synchronous compile is refused. */
export async function compile(relaxed: boolean): Promise<void> {
  const reason = absence();
  if (reason) throw new Error(`The wasm engine is not available: ${reason}`);
  if (!compiled.has(relaxed)) compiled.set(relaxed, await WebAssembly.compile(moduleBytes(relaxed)));
}

/**
 * Compiles, unless that was done, and instantiates a variant.
 *
 * @throws Error with the reason: no WebAssembly, no SIMD, or a content security policy without `wasm-unsafe-eval`
 */
export function instantiate(relaxed: boolean): Exports {
  const reason = absence();
  if (reason) throw new Error(`The wasm engine is not available: ${reason}`);
  try {
    const module = compiled.get(relaxed) ?? new WebAssembly.Module(moduleBytes(relaxed));
    compiled.set(relaxed, module);
    return new WebAssembly.Instance(module).exports as unknown as Exports;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The wasm engine is not available: the module does not compile here (${message})`, {
      cause,
    });
  }
}
