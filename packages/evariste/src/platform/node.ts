/**
 * What the library takes from Node, Deno and Bun. `web.ts` exports the same names for everything else. Node's own modules
 * are loaded when they are needed: node:crypto takes five milliseconds, and most programs' messages never meet it; even
 * an import of node:module takes two.
 */

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

let require: NodeJS.Require | undefined;

/** Loads a module of Node's own, or an addon by package name or absolute path. Throws what the runtime throws. */
export function requireFromHere(id: string): unknown {
  const builtin = process.getBuiltinModule(id);
  if (builtin !== undefined) return builtin;
  require ??= process.getBuiltinModule("node:module").createRequire(import.meta.url);
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
  process.getBuiltinModule("node:worker_threads").markAsUntransferable?.(slab);
  return slab;
}

/** How many threads can run at once. */
export function availableCores(): number {
  return process.getBuiltinModule("node:os").availableParallelism();
}
