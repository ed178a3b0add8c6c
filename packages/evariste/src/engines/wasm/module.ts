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

/** Decodes hexadecimal; where the runtime can do it itself, in microseconds instead of milliseconds. */
function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as { fromHex?(text: string): Uint8Array<ArrayBuffer> };
  if (native.fromHex) return native.fromHex(text);
  const node = globalThis as { Buffer?: { from(text: string, encoding: string): Uint8Array<ArrayBuffer> } };
  if (node.Buffer) return node.Buffer.from(text, "hex");
  const bytes = new Uint8Array(text.length / 2);
  // "0" is 0x30 and "a" 0x61: the low four bits are the digit, or the digit less nine.
  const digit = (code: number) => (code & 15) + 9 * (code >> 6);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (digit(text.charCodeAt(2 * i)) << 4) | digit(text.charCodeAt(2 * i + 1));
  }
  return bytes;
}

/**
 * The module's bytes. It is stored with `i8x16.relaxed_swizzle`. The standard variant differs in that instruction only,
 * so it is made here: `i8x16.swizzle` is fd 0e, and its number, a LEB128, may be written in two bytes as well. The
 * build has checked that these three bytes occur nowhere else.
 */
function moduleBytes(relaxed: boolean): Uint8Array<ArrayBuffer> {
  const bytes = fromHex(MODULE);
  if (relaxed) return bytes;
  for (let at = MODULE.indexOf(RELAXED); at >= 0; at = MODULE.indexOf(RELAXED, at + 1)) {
    if (at % 2 === 0) bytes.set(STANDARD, at / 2);
  }
  return bytes;
}

const RELAXED = "fd8002";
const STANDARD = [0xfd, 0x8e, 0x00];

const compiled = new Map<boolean, WebAssembly.Module>();

/** Compiles a variant without blocking, for threads on which a synchronous compile is refused. */
export async function compile(relaxed: boolean): Promise<void> {
  const reason = absence();
  if (reason) throw new Error(reason);
  if (!compiled.has(relaxed)) compiled.set(relaxed, await WebAssembly.compile(moduleBytes(relaxed)));
}

/**
 * Compiles, unless that was done, and instantiates a variant.
 *
 * @throws Error with the reason: no WebAssembly, no SIMD, or a content security policy without `wasm-unsafe-eval`
 */
export function instantiate(relaxed: boolean): Exports {
  const reason = absence();
  if (reason) throw new Error(reason);
  try {
    const module = compiled.get(relaxed) ?? new WebAssembly.Module(moduleBytes(relaxed));
    compiled.set(relaxed, module);
    return new WebAssembly.Instance(module).exports as unknown as Exports;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the module does not compile here (${message})`, { cause });
  }
}
