// Makes the packages that carry the addon, one for each platform, in build/npm/<name>, ready for `npm publish`; with
// --pack, their tarballs too. No package has an install script: npm picks the right ones by os, cpu and libc.
//   node scripts/package.mjs                      all platforms whose compiler is here
//   node scripts/package.mjs darwin-arm64 ...     these platforms, and fail when one cannot be made
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAddon, buildFolder, findCompiler, root, run, works } from "./toolchain.mjs";

/** The oldest C library that Node 20 runs on (its BUILDING.md); a newer symbol would keep the addon from loading. */
const OLDEST_GLIBC = [2, 28];

/** By package: Node's names of the platform, npm's of the C library, the compilers that can build for it. */
const platforms = {
  "linux-x64-gnu": {
    platform: "linux",
    arch: "x64",
    libc: "glibc",
    compilers: ["x86_64-linux-gnu-gcc"],
    objdump: "x86_64-linux-gnu-objdump",
  },
  "linux-x64-musl": { platform: "linux", arch: "x64", libc: "musl", compilers: ["musl-gcc"] },
  "linux-arm64-gnu": {
    platform: "linux",
    arch: "arm64",
    libc: "glibc",
    compilers: ["aarch64-linux-gnu-gcc"],
    objdump: "aarch64-linux-gnu-objdump",
  },
  "linux-ppc64le-gnu": {
    platform: "linux",
    arch: "ppc64",
    libc: "glibc",
    compilers: ["powerpc64le-linux-gnu-gcc"],
    objdump: "powerpc64le-linux-gnu-objdump",
  },
  "darwin-arm64": {
    platform: "darwin",
    arch: "arm64",
    extra: ["-arch", "arm64", "-mmacosx-version-min=11.0"],
  },
  "darwin-x64": { platform: "darwin", arch: "x64", extra: ["-arch", "x86_64", "-mmacosx-version-min=11.0"] },
  "win32-x64": { platform: "win32", arch: "x64", compilers: ["clang"], machine: "i386:x86-64" },
};

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const license = join(root, "..", "..", "LICENSE");

/** The compiler for a platform, or undefined. macOS and Windows are built on themselves only. */
function compilerFor({ platform, compilers }) {
  if (platform !== "linux" && platform !== process.platform) return undefined;
  return compilers ? compilers.find((name) => works(name)) : findCompiler();
}

/** Windows resolves Node-API at link time: an import library of the functions that napi.h declares. */
function importLibrary(folder, machine) {
  const names = readFileSync(join(root, "src", "napi", "napi.h"), "utf8").match(/\bnapi_\w+(?=\()/g);
  const definition = join(folder, "node.def");
  const library = join(folder, "node.lib");
  writeFileSync(definition, `NAME node.exe\nEXPORTS\n${[...new Set(names)].join("\n")}\n`);
  run("llvm-dlltool", ["-m", machine, "-d", definition, "-l", library]);
  return library;
}

/** Versions of glibc that the addon asks for and that the oldest one lacks. */
function tooNew(objdump, addon) {
  const { stdout } = spawnSync(objdump, ["-T", addon], { encoding: "utf8" });
  const versions = [...stdout.matchAll(/GLIBC_(\d+)\.(\d+)/g)].map((match) => [
    Number(match[1]),
    Number(match[2]),
  ]);
  return versions.filter(
    ([major, minor]) => major > OLDEST_GLIBC[0] || (major === OLDEST_GLIBC[0] && minor > OLDEST_GLIBC[1]),
  );
}

function describe(name, { platform, arch, libc }) {
  return {
    name: `@evariste/native-${name}`,
    version: manifest.version,
    description: `The native engine of Evariste for ${name}`,
    license: manifest.license,
    engines: manifest.engines,
    os: [platform],
    cpu: [arch],
    ...(libc ? { libc: [libc] } : {}),
    main: "evariste.node",
    files: ["evariste.node"],
  };
}

/** Makes one package; returns its folder. */
function make(name, target, compiler) {
  const folder = join(buildFolder, "npm", `native-${name}`);
  const addon = join(folder, "evariste.node");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const extra = [
    ...(target.extra ?? []),
    ...(target.machine ? [importLibrary(buildFolder, target.machine)] : []),
  ];
  buildAddon(compiler, addon, {
    ...target,
    extra: [...extra, ...(target.platform === "linux" ? ["-s"] : [])],
  });
  if (target.objdump) {
    const newer = tooNew(target.objdump, addon);
    if (newer.length > 0) throw new Error(`${name} needs glibc ${newer.map((v) => v.join(".")).join(", ")}`);
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(describe(name, target), null, 2)}\n`);
  writeFileSync(
    join(folder, "README.md"),
    `# @evariste/native-${name}\n\nThe native engine of [evariste](https://www.npmjs.com/package/evariste) for this platform: ` +
      "AES-GCM kernels in C behind Node-API. `evariste` loads it by itself; there is nothing to call here.\n",
  );
  copyFileSync(license, join(folder, "LICENSE"));
  return folder;
}

const names = process.argv.slice(2).filter((argument) => argument !== "--pack");
const pack = process.argv.includes("--pack");
for (const name of names.length > 0 ? names : Object.keys(platforms)) {
  const target = platforms[name];
  if (!target) throw new Error(`no platform ${name}; there are ${Object.keys(platforms).join(", ")}`);
  const compiler = compilerFor(target);
  if (!compiler) {
    const reason = `${name}: no compiler for it here`;
    if (names.length > 0) throw new Error(reason);
    console.log(`skipped  ${reason}`);
    continue;
  }
  const folder = make(name, target, compiler);
  if (pack)
    run("npm", ["pack", "--silent", "--pack-destination", join(folder, "..")], {
      cwd: folder,
      shell: process.platform === "win32",
    });
  console.log(`made  ${folder}`);
}
