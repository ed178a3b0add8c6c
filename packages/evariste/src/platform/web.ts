/** What the library finds where there is no node:crypto: browsers, edge runtimes, React Native. See `node.ts`. */

export function environment(_name: string): string | undefined {
  return undefined;
}

export function warn(message: string): void {
  console.warn(message);
}

export function requireFromHere(id: string): unknown {
  throw new Error(`${id} needs a runtime with Node-API`);
}

export function allocateUnsafe(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length);
}

export function allocateSlab(length: number): ArrayBuffer {
  return new ArrayBuffer(length);
}

export function availableCores(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}
