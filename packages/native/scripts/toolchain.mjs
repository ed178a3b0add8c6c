// What the build and the C tests share: the compiler, the sources of one architecture, the flags.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const buildFolder = join(root, "build");

/** Node's names of architectures, and the folders of their kernels; others get the portable kernels alone. */
const folders = { x64: "x86_64", arm64: "aarch64", ppc64: "ppc64le" };

const warnings = ["-Wall", "-Wextra", "-Werror"];
export const flags = ["-std=c11", ...warnings];

/** Whether a program can be started. */
export function works(program, args = ["--version"]) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/**
 * The C compiler: $CC, or the first of the usual names that starts; undefined when there is none. Clang first: what
 * clang 14 makes of the x86-64 kernels ran 1.2 to 1.4 times as fast as what gcc 12 makes.
 */
export function findCompiler(names = ["clang", "clang-14", "gcc", "cc"]) {
  const wanted = process.env.CC ? [process.env.CC] : names;
  return wanted.find((name) => works(name));
}

function sourcesIn(folder) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".c"))
    .map((file) => join(folder, file));
}

/** The C files of the kernels and of GCM, for an architecture by Node's name. */
export function coreSources(arch = process.arch) {
  const own =
    folders[arch] && existsSync(join(root, "src", folders[arch])) ? join("src", folders[arch]) : undefined;
  const portable = sourcesIn(join("src", "portable")).filter((file) => !own || !file.endsWith("arch.c"));
  return [...sourcesIn("src"), ...portable, ...(own ? sourcesIn(own) : [])];
}

/** The C files of the Node-API boundary. */
export function addonSources() {
  return sourcesIn(join("src", "napi"));
}

/** Runs a program in packages/native with its output shown; ends this process when it fails. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: "inherit", ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    console.error(`${program} failed${result.signal ? ` on ${result.signal}` : ""}`);
    process.exit(result.status ?? 1);
  }
}
