/**
 * Writes the WebAssembly module to the file named on the command line, as a TypeScript module. What it writes depends on
 * the sources and on Binaryen's version only. Hexadecimal, because bundles are served compressed: gzip still finds the
 * repetitions between bytes (6.8 KB), which in base64 it does not (8.4 KB), and decoding takes one line.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { emitModule } from "./module.js";

const [, , target] = process.argv;
const encoded = Buffer.from(emitModule()).toString("hex");
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `/** The module in hexadecimal. Generated: see ../emit/build.ts. */\nexport const MODULE: string =\n  "${encoded}";\n`,
);
