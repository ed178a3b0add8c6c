/** The engines of Node, Deno and Bun. */
import type { Loaders } from "./loaders.js";
import { load as loadNative } from "./native/index.js";
import { load as loadOpenssl } from "./openssl/index.js";
import { load as loadPortable } from "./portable/index.js";
import { load as loadWasm } from "./wasm/index.js";

export const LOADERS: Loaders = new Map([
  ["native", loadNative],
  ["openssl", loadOpenssl],
  ["wasm", loadWasm],
  ["portable", loadPortable],
]);
