/**
 * Makes the WebAssembly module if it is missing or older than what it is made from; vitest runs this before the tests.
 */
import { execSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const engine = new URL("packages/evariste/src/engines/wasm/", root);
const generated = new URL("generated/module.ts", engine);

function newestSource() {
  const emitter = readdirSync(new URL("emit/", engine)).map((name) => new URL(`emit/${name}`, engine));
  return Math.max(...[...emitter, new URL("layout.ts", engine)].map((file) => statSync(file).mtimeMs));
}

export function setup() {
  if (existsSync(generated) && statSync(generated).mtimeMs > newestSource()) return;
  execSync("npm run build:wasm", { cwd: fileURLToPath(root), stdio: "inherit" });
}
