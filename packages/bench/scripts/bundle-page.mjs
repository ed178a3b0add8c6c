/**
 * Bundles the page that browsers run: dist/page, from the compiled modules. The library stays a chunk of its own, which
 * `first-call` imports when its clock runs.
 */
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const folder = fileURLToPath(new URL("../dist/page/", import.meta.url));

rmSync(folder, { recursive: true, force: true });
await build({
  input: fileURLToPath(new URL("../dist/browser/page.js", import.meta.url)),
  platform: "browser",
  logLevel: "warn",
  output: { dir: folder, format: "esm", minify: true },
});
const script = '<script type="module" src="./page.js"></script>';
writeFileSync(
  `${folder}index.html`,
  `<!doctype html><meta charset="utf-8"><title>Evariste</title>${script}\n`,
);
