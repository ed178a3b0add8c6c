/** The engines of browsers and edge runtimes: what needs Node stays out of their bundles. */
import { absent, type Loaders } from "./loaders.js";
import { load as loadPortable } from "./portable/index.js";
import { load as loadWasm } from "./wasm/index.js";

export const LOADERS: Loaders = new Map([
  ["native", absent("this runtime has no Node-API")],
  ["openssl", absent("this runtime has no node:crypto")],
  ["wasm", loadWasm],
  ["portable", loadPortable],
]);
