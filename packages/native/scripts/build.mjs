// Builds the addon for the present machine with a plain C compiler. Without one there is nothing to do: Evariste then
// uses its other engines.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildAddon, buildFolder, findCompiler } from "./toolchain.mjs";

const compiler = findCompiler();
if (!compiler) {
  const tried = process.env.CC ? `$CC, which is ${process.env.CC}` : "cc, gcc or clang";
  console.log(`No C compiler (${tried}): the native engine is not built; the other engines work without it.`);
  process.exit(0);
}

const output = join(buildFolder, `evariste-${process.platform}-${process.arch}.node`);
mkdirSync(buildFolder, { recursive: true });
buildAddon(compiler, output);
console.log(`Built ${output}`);
