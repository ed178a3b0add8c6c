/** The smallest build, for those who ask their bundler for the condition `evariste-portable`. */
import { absent, type Loaders } from "./loaders.js";
import { load as loadPortable } from "./portable/index.js";

const LEFT_OUT = "left out of this build by the condition evariste-portable";

export const LOADERS: Loaders = new Map([
  ["native", absent(LEFT_OUT)],
  ["openssl", absent(LEFT_OUT)],
  ["wasm", absent(LEFT_OUT)],
  ["portable", loadPortable],
]);
