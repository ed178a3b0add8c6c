/**
 * Joins the compiled modules into few files for Node, Deno and Bun (the condition `node` in package.json), because each
 * module costs about a millisecond to load there. Bundlers for browsers get the modules themselves and leave out more.
 */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const dist = new URL("../dist/", import.meta.url);
const entries = ["index", "testing", "parallel/worker"].concat(
  ["chunked", "parallel", "webcrypto", "streams", "ranges", "combine"].map((name) => `${name}/index`),
);

/**
 * What the main entry point takes, in one file: each more costs a millisecond or two. The other entry points share what else
 * they have in common. Not `node-workers`, which loads node:worker_threads, for four milliseconds more.
 */
const CORE =
  /\/dist\/(?!(chunked|parallel|webcrypto|streams|ranges|combine|node|engines\/webcrypto)\/|platform\/node-workers|(index|testing|source)\.js)/;

rmSync(new URL("node/", dist), { recursive: true, force: true });
await build({
  input: Object.fromEntries(entries.map((name) => [name, fileURLToPath(new URL(`${name}.js`, dist))])),
  external: /^node:/,
  platform: "node",
  // It would write the WebAssembly module twice.
  optimization: { inlineConst: false },
  resolve: { conditionNames: ["node", "import", "default"] },
  output: {
    dir: fileURLToPath(new URL("node/", dist)),
    entryFileNames: "[name].js",
    // One folder deep, as the modules are: node-workers.ts finds the worker at ../parallel/worker.js.
    chunkFileNames: "shared/[name].js",
    sourcemap: true,
    // V8 takes a millisecond for 20 KB; the map leads stacks back to the sources, with --enable-source-maps.
    minify: { compress: true, mangle: { keepNames: { class: true, function: false } } },
    codeSplitting: { groups: [{ name: "core", test: CORE }] },
  },
});
