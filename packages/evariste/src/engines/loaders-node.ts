/** Every engine with its loader, in Node, Deno and Bun. `loaders-web.ts` is for everything else. */
import type { Engine, EngineName } from "./engine.js";
import { load as loadNative } from "./native/index.js";
import { load as loadOpenssl } from "./openssl/index.js";
import { load as loadPortable } from "./portable/index.js";
import { load as loadWasm } from "./wasm/index.js";

/** A loader throws an Error that says why its engine cannot run here. */
export const LOADERS: ReadonlyMap<EngineName, () => Engine> = new Map([
  ["native", loadNative],
  ["openssl", loadOpenssl],
  ["wasm", loadWasm],
  ["portable", loadPortable],
]);
