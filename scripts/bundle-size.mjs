/**
 * What the library adds to a web page: bundles it with Vite as it comes and prints sizes, minified and after gzip. Fails when
 * one grows beyond its limit. Needs `npm run build`.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build, defaultClientConditions } from "vite";

/** Limits in bytes after gzip, a little above what was last measured. */
const BUNDLES = [
  { name: "AesGcm, wasm and portable", import: "{ AesGcm }", from: "evariste", limit: 20_480 },
  {
    name: "AesGcm, portable alone",
    import: "{ AesGcm }",
    from: "evariste",
    condition: "evariste-portable",
    limit: 10_200,
  },
  { name: "everything of evariste", import: "* as all", from: "evariste", limit: 22_300 },
];

async function bundle(folder, { import: names, from, condition }) {
  const input = join(folder, "entry.js");
  const used = names.replace("* as ", "").replaceAll(/[{}]/g, "");
  writeFileSync(input, `import ${names} from "${from}";\nglobalThis.used = [${used}];\n`);
  const { output } = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: [...(condition ? [condition] : []), ...defaultClientConditions] },
    build: { write: false, modulePreload: false, rollupOptions: { input } },
  });
  const code = output.filter((file) => file.type === "chunk").map((file) => file.code);
  return {
    minified: Buffer.byteLength(code.join("")),
    gzipped: gzipSync(code.join(""), { level: 9 }).length,
  };
}

const folder = mkdtempSync(join(tmpdir(), "evariste-size-"));
try {
  await mkdir(join(folder, "node_modules"));
  symlinkSync(resolve("packages/evariste"), join(folder, "node_modules", "evariste"));
  for (const each of BUNDLES) {
    const { minified, gzipped } = await bundle(folder, each);
    const fits = gzipped <= each.limit;
    if (!fits) process.exitCode = 1;
    console.log(
      `${fits ? "ok    " : "FAILED"} ${each.name}: ${minified} bytes minified, ${gzipped} gzipped (limit ${each.limit})`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
