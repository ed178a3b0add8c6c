/** The portable engine: plain TypeScript, constant time, everywhere. The last resort, and complete alone. */

import type { Engine, KernelReport } from "../engine.js";
import { calls, GCTR_KERNEL, GHASH_KERNEL, PortableKey } from "./key.js";

const kernels: readonly KernelReport[] = [
  { name: GCTR_KERNEL, role: "gctr", available: true, chosen: true },
  { name: GHASH_KERNEL, role: "ghash", available: true, chosen: true },
];

const engine: Engine = {
  name: "portable",
  copiesUpTo: 0,
  streamsCopyUpTo: 0,
  kernels: () => kernels,
  createKey: (rawKey) => new PortableKey(rawKey),
  kernelCalls: () => ({ ...calls }),
};

/** The engine. Unlike the loaders of other engines this one never throws: nothing can be missing. */
export function load(): Engine {
  return engine;
}
