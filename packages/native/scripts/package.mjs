// Makes the packages that carry the addon, one for each platform, in build/npm/<name>, ready for `npm publish`; with
// --pack, their tarballs too. No package has an install script: npm picks the right ones by os, cpu and libc.
//   node scripts/package.mjs                      all platforms whose compiler is here
//   node scripts/package.mjs darwin-arm64 ...     these platforms, and fail when one cannot be made
//   node scripts/package.mjs --declare            names them all as optional dependencies of evariste; for the release only,
//                                                 because npm must find them in the registry from then on
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAddon, buildFolder, findCompiler, root, run, works } from "./toolchain.mjs";

/** The oldest C library that Node 20 runs on (its BUILDING.md); a newer symbol would keep the addon from loading. */
const OLDEST_GLIBC = [2, 28];

/** Makes faster kernels than gcc (see findCompiler), but builds for its own machine only without further set-up. */
const ownClang = process.platform === "linux" && process.arch === "x64" ? ["clang", "clang-14"] : [];

/** By package: Node's names of the platform, npm's of the C library, the compilers that can build for it. */
const platforms = {
  "linux-x64-gnu": {
    platform: "linux",
    arch: "x64",
    libc: "glibc",
    compilers: [...ownClang, "x86_64-linux-gnu-gcc"],
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
  "win32-x64": { platform: "win32", arch: "x64", compilers: ["clang"] },
};

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const license = join(root, "..", "..", "LICENSE");

/** The compiler for a platform, or undefined. macOS and Windows are built on themselves only. */
function compilerFor({ platform, compilers }) {
  if (platform !== "linux" && platform !== process.platform) return undefined;
  return compilers ? compilers.find((name) => works(name)) : findCompiler();
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
  const extra = [...(target.extra ?? []), ...(target.platform === "linux" ? ["-s"] : [])];
  buildAddon(compiler, addon, { ...target, extra });
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

function declare() {
  const file = join(root, "..", "evariste", "package.json");
  const library = JSON.parse(readFileSync(file, "utf8"));
  const versions = Object.keys(platforms).map((name) => [`@evariste/native-${name}`, manifest.version]);
  writeFileSync(
    file,
    `${JSON.stringify({ ...library, optionalDependencies: Object.fromEntries(versions) }, null, 2)}\n`,
  );
}

if (process.argv.includes("--declare")) {
  declare();
  process.exit(0);
}
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
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
