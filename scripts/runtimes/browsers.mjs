/** The pages that browsers run. */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

/** Bundles the suite's page with Vite as it comes. @returns {Promise<string>} the folder to serve */
export async function bundlePage(folder) {
  const script = '<script type="module" src="./page.js"></script>';
  writeFileSync(join(folder, "index.html"), `<!doctype html><title>Evariste</title>${script}\n`);
  writeFileSync(join(folder, "page.js"), 'import "@evariste/conformance/page";\n');
  await build({ root: folder, base: "./", logLevel: "error", configFile: false });
  return join(folder, "dist");
}

/** Bundles the example page and what uses it. @returns {Promise<string>} the folder to serve */
export async function bundleExample(folder) {
  const root = resolve("examples/browser");
  const outDir = join(folder, "example");
  const rollupOptions = { input: [join(root, "index.html"), join(root, "test", "e2e.html")] };
  await build({
    root,
    base: "./",
    logLevel: "error",
    configFile: false,
    build: { outDir, emptyOutDir: true, rollupOptions },
  });
  return outDir;
}
