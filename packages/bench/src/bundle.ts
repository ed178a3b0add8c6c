/** What an import adds to a web page: bundled by Vite as it comes. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** What a page imports: names in braces or `* as all`, by package or entry point. */
export interface BundleImports {
  readonly imports: Readonly<Record<string, string>>;
  /** An export condition besides those of browsers. */
  readonly condition?: string;
}

/** In bytes. */
export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
}

/** The folder that the library was installed into, with what it is compared with. */
const MODULES = createRequire(import.meta.url)
  .resolve.paths("evariste")!
  .find((folder) => existsSync(join(folder, "evariste")))!;

/**
 * Bundles the imports for browsers, with every file that the page would load.
 *
 * @throws Error when Vite is not installed, or cannot bundle it
 */
export async function bundleSize({ imports, condition }: BundleImports): Promise<BundleSize> {
  const { build, defaultClientConditions } = await import("vite");
  const folder = mkdtempSync(join(tmpdir(), "evariste-size-"));
  try {
    // In a folder of its own Vite finds no configuration and no package that the import does not name.
    symlinkSync(MODULES, join(folder, "node_modules"));
    mkdirSync(join(folder, "src"));
    const input = join(folder, "src", "entry.js");
    const used = Object.values(imports).map((names) => names.replace("* as ", "").replaceAll(/[{}]/g, ""));
    const lines = Object.entries(imports).map(([from, names]) => `import ${names} from "${from}";`);
    writeFileSync(input, [...lines, `globalThis.used = [${used.join(", ")}];`, ""].join("\n"));
    const result = await build({
      root: folder,
      configFile: false,
      logLevel: "error",
      resolve: { conditions: [...(condition ? [condition] : []), ...defaultClientConditions] },
      build: { write: false, modulePreload: false, rollupOptions: { input } },
    });
    if (!("output" in result)) throw new Error("Vite gave more than one output");
    const files = result.output.map((file) => Buffer.from(file.type === "chunk" ? file.code : file.source));
    const code = Buffer.concat(files);
    return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
