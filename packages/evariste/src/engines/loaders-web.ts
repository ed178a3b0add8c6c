/** Every engine with its loader where there is no Node: bundles for browsers stay free of what cannot run there. */
import type { Engine, EngineName } from "./engine.js";
import { load as loadPortable } from "./portable/index.js";
import { load as loadWasm } from "./wasm/index.js";

export { ready as compileWasm } from "./wasm/index.js";

function absent(what: string): () => Engine {
  return () => {
    throw new Error(`this runtime has no ${what}`);
  };
}

/** As `LOADERS` of `loaders-node.ts`; those that need Node say that it is not here. */
export const LOADERS: ReadonlyMap<EngineName, () => Engine> = new Map([
  ["native", absent("Node-API")],
  ["openssl", absent("node:crypto")],
  ["wasm", loadWasm],
  ["portable", loadPortable],
]);
