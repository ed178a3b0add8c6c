/** The smallest build, for those who ask their bundler for the condition `evariste-portable`: the portable engine alone. */
import type { Engine, EngineName } from "./engine.js";
import { load as loadPortable } from "./portable/index.js";

function leftOut(): never {
  throw new Error("left out of this build by the condition evariste-portable");
}

/** As `LOADERS` of `loaders-node.ts`; all but one say that they were left out. */
export const LOADERS: ReadonlyMap<EngineName, () => Engine> = new Map([
  ["native", leftOut],
  ["openssl", leftOut],
  ["wasm", leftOut],
  ["portable", loadPortable],
]);

/** There is nothing to compile. */
export async function compileWasm(): Promise<void> {
  leftOut();
}
