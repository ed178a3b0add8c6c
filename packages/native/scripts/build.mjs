// Builds the addon for the present machine with a plain C compiler. Without one there is nothing to do: Evariste then
// uses its other engines. The addon's only undefined symbols are Node-API's, which the runtime that loads it provides.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { addonSources, buildFolder, coreSources, findCompiler, flags, run } from "./toolchain.mjs";

const compiler = findCompiler();
if (!compiler) {
  const tried = process.env.CC ? `$CC, which is ${process.env.CC}` : "cc, gcc or clang";
  console.log(`No C compiler (${tried}): the native engine is not built; the other engines work without it.`);
  process.exit(0);
}

const shared =
  process.platform === "darwin"
    ? ["-bundle", "-undefined", "dynamic_lookup"]
    : ["-shared", "-Wl,-z,relro,-z,now,-z,noexecstack"];
const output = join(buildFolder, `evariste-${process.platform}-${process.arch}.node`);
mkdirSync(buildFolder, { recursive: true });
run(compiler, [
  ...flags,
  "-O2",
  "-fPIC",
  "-fvisibility=hidden",
  ...shared,
  ...coreSources(),
  ...addonSources(),
  "-o",
  output,
]);
console.log(`Built ${output}`);
