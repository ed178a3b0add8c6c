/**
 * The openssl engine: AES-GCM by node:crypto, for Node without the addon. A message costs about 4 µs to set up there,
 * whatever its length, so it is for large ones.
 */
import type * as nodeCrypto from "node:crypto";
import { requireFromHere } from "#platform";
import type { Engine } from "../engine.js";
import { OpensslKey } from "./key.js";

const KERNEL = "gcm_openssl";
let calls = 0;

/** @throws Error where there is no node:crypto */
export function load(): Engine {
  const crypto = requireFromHere("node:crypto") as typeof nodeCrypto;
  return {
    name: "openssl",
    copiesUpTo: 0,
    streamsCopyUpTo: 0,
    kernels: () => [{ name: KERNEL, role: "gcm", available: true, chosen: true }],
    createKey: (rawKey) => new OpensslKey(crypto, rawKey, KERNEL, () => calls++),
    kernelCalls: () => ({ [KERNEL]: calls }),
  };
}
