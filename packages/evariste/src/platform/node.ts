/**
 * What the library takes from Node, Deno and Bun. `web.ts` exports the same names for everything else. Node's own modules
 * are loaded when they are needed: node:crypto takes five milliseconds, and most programs' messages never meet it.
 */
import { createRequire } from "node:module";

/** Value of an environment variable; undefined where it is not set or may not be read. */
export function environment(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    // Deno without --allow-env.
    return undefined;
  }
}

/** Tells the operator something that must not be missed, once, without failing. */
export function warn(message: string): void {
  process.emitWarning(message, "EvaristeWarning");
}

const require = createRequire(import.meta.url);

/** Loads a module of Node's own, or an addon by package name or absolute path. Throws what the runtime throws. */
export function requireFromHere(id: string): unknown {
  return require(id);
}

/** Memory that is not zeroed first: the caller overwrites all of it. */
export function allocateUnsafe(length: number): Uint8Array<ArrayBuffer> {
  const memory = Buffer.allocUnsafeSlow(length);
  return new Uint8Array(memory.buffer, memory.byteOffset, length);
}

/** Memory that views are cut from: transferring one view must not detach the others. */
export function allocateSlab(length: number): ArrayBuffer {
  const slab = new ArrayBuffer(length);
  const threads = require("node:worker_threads") as typeof import("node:worker_threads");
  threads.markAsUntransferable?.(slab);
  return slab;
}

/** How many threads can run at once. */
export function availableCores(): number {
  const os = require("node:os") as typeof import("node:os");
  return os.availableParallelism();
}
