// What the build and the C tests share: the compiler, the sources of one architecture, the flags.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const buildFolder = join(root, "build");

/** Node's names of architectures, and the folders of their kernels; others get the portable kernels alone. */
const folders = { x64: "x86_64", arm64: "aarch64", ppc64: "ppc64le" };

const warnings = ["-Wall", "-Wextra", "-Werror"];
export const flags = ["-std=c11", ...warnings];

/**
 * Flags of an optimised build. GCC moves loads of round keys and of powers of H to where the registers do not suffice for them,
 * and joins stores whose bytes are loaded apart: without that GCC 12's x86-64 kernels ran 1.1 to 1.4 times as fast, which
 * is as fast as Clang's. Of the other architectures nothing is measured.
 */
export function optimized(compiler, arch = process.arch) {
  const gentler = arch === "x64" && !isClang(compiler);
  return gentler ? ["-O2", "-fno-tree-pre", "-fno-gcse", "-fno-tree-slp-vectorize"] : ["-O2"];
}

function isClang(compiler) {
  const { stdout } = spawnSync(compiler, ["-dM", "-E", "-x", "c", "-"], { input: "", encoding: "utf8" });
  return /__clang__/.test(stdout ?? "");
}

/** Whether a program can be started. */
export function works(program, args = ["--version"]) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

const usualCompilers = process.platform === "win32" ? ["clang"] : ["clang", "clang-14", "gcc", "cc"];

/**
 * The C compiler: $CC, or the first of the usual names that starts; undefined when there is none.
 */
export function findCompiler(names = usualCompilers) {
  const wanted = process.env.CC ? [process.env.CC] : names;
  return wanted.find((name) => works(name));
}

/** The C files of a folder, from packages/native. */
export function sourcesIn(folder) {
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

/** The C files of the test program. */
export const suite = ["main", "support", "vectors", "portable", "differential", "many", "guard"].map((name) =>
  join("test", `${name}.c`),
);

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

/** Windows resolves Node-API when linking: an import library of the functions that napi.h declares. */
function importLibrary(arch) {
  const names = readFileSync(join(root, "src", "napi", "napi.h"), "utf8").match(/\bnapi_\w+(?=\()/g);
  const definition = join(buildFolder, "node.def");
  const library = join(buildFolder, `node-${arch}.lib`);
  writeFileSync(definition, `NAME node.exe\nEXPORTS\n${[...new Set(names)].join("\n")}\n`);
  run("llvm-dlltool", ["-m", arch === "arm64" ? "arm64" : "i386:x86-64", "-d", definition, "-l", library]);
  return library;
}

const positionIndependent = ["-fPIC", "-fvisibility=hidden"];
/** Flags and libraries of a shared library, by Node's name of the platform. */
const sharedLibrary = {
  darwin: () => [...positionIndependent, "-bundle", "-undefined", "dynamic_lookup"],
  linux: () => [...positionIndependent, "-shared", "-Wl,-z,relro,-z,now,-z,noexecstack"],
  win32: (arch) => ["-shared", "-fuse-ld=lld", importLibrary(arch)],
};

/**
 * Compiles the addon for a platform and an architecture by Node's names, into a folder that exists. `extra` are further
 * flags. The addon's only undefined symbols besides the C library's are Node-API's, which the runtime that loads it
 * provides.
 */
export function buildAddon(
  compiler,
  output,
  { platform = process.platform, arch = process.arch, extra = [] } = {},
) {
  const link = (sharedLibrary[platform] ?? sharedLibrary.linux)(arch);
  run(compiler, [
    ...flags,
    ...optimized(compiler, arch),
    ...coreSources(arch),
    ...addonSources(),
    ...link,
    ...extra,
    "-o",
    output,
  ]);
}
