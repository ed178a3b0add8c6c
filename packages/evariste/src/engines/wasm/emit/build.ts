/**
 * Writes the WebAssembly module to the file named on the command line, as a TypeScript module. What it writes depends on
 * the sources and on Binaryen's version only.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { emitModule } from "./module.js";

const [, , target] = process.argv;
const encoded = Buffer.from(emitModule()).toString("base64");
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `/** The module, base64. Generated: see ../emit/build.ts. */\nexport const MODULE: string =\n  "${encoded}";\n`,
);
