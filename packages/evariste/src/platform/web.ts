/** What the library finds where there is no node:crypto: browsers, edge runtimes, React Native. See `node.ts`. */

/** Always undefined: there are no environment variables. */
export function environment(_name: string): string | undefined {
  return undefined;
}

/** Tells whoever reads the console. */
export function warn(message: string): void {
  console.warn(message);
}

/** @throws Error always: there are neither addons nor modules of Node */
export function requireFromHere(id: string): unknown {
  throw new Error(`${id} needs a runtime with Node-API`);
}

/** Zeroed memory, since there is no other. */
export function allocateUnsafe(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length);
}

/** Memory that views are cut from. Nothing can forbid its transfer here, so users check whether it is still there. */
export function allocateSlab(length: number): ArrayBuffer {
  return new ArrayBuffer(length);
}

/** How many threads can run at once, as far as the browser tells. */
export function availableCores(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}
