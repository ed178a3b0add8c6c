/** The WebAssembly engine: SIMD kernels that `emit/` writes, in constant time. */
import { type Engine, type KernelReport, SHORT_TEXT, SMALL_INPUT } from "../engine.js";
import { Backend } from "./backend.js";
import { WasmKey } from "./key.js";
import { compile, hasRelaxed } from "./module.js";

const RELAXED = "gcm_swizzle_relaxed";
const STANDARD = "gcm_swizzle";

const backends = new Map<string, Backend>();

function backendOf(kernel: string): Backend {
  let backend = backends.get(kernel);
  if (backend === undefined) {
    backend = new Backend(kernel, kernel === RELAXED);
    backends.set(kernel, backend);
  }
  return backend;
}

let relaxedIsAvailable: boolean | undefined;

function choose(disabled: ReadonlySet<string>): string {
  relaxedIsAvailable ??= hasRelaxed();
  return relaxedIsAvailable && !disabled.has(RELAXED) ? RELAXED : STANDARD;
}

const engine: Engine = {
  name: "wasm",
  copiesUpTo: SHORT_TEXT,
  streamsCopyUpTo: SMALL_INPUT,
  kernels(disabled): readonly KernelReport[] {
    const chosen = choose(disabled);
    const isOff = disabled.has(RELAXED);
    const relaxed = { name: RELAXED, role: "gcm", chosen: chosen === RELAXED } as const;
    return [
      chosen === RELAXED
        ? { ...relaxed, available: true }
        : {
            ...relaxed,
            available: false,
            reason: isOff ? "switched off" : "this runtime has no relaxed SIMD",
          },
      { name: STANDARD, role: "gcm", available: true, chosen: chosen === STANDARD },
    ];
  },
  createKey(rawKey, disabled) {
    return new WasmKey(backendOf(choose(disabled)), rawKey);
  },
  kernelCalls() {
    return Object.fromEntries(
      [RELAXED, STANDARD].map((kernel) => [kernel, backends.get(kernel)?.calls ?? 0]),
    );
  },
};

const NONE: ReadonlySet<string> = new Set();

/**
 * Compiles the module, unless that was done, and returns the engine.
 *
 * @throws Error saying why there is none: no WebAssembly, no SIMD, or a content security policy that forbids it; or the
 *   thread refuses to compile synchronously, and then `ready` helps
 */
export function load(): Engine {
  backendOf(choose(NONE));
  return engine;
}

/**
 * Compiles without blocking, for browsers whose main thread refuses a synchronous compile of this size; after it `load`
 * works there.
 */
export async function ready(): Promise<void> {
  await compile(choose(NONE) === RELAXED);
}
