/** The files of a run: what ships, installed as a user would, and the runtimes' binaries. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const QUIET = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];

/** Where downloaded runtimes stay; `EVARISTE_RUNTIMES` names another folder. */
const CACHE = process.env.EVARISTE_RUNTIMES ?? join("node_modules", ".cache", "evariste-runtimes");

/** What the suite imports besides the library, with what that imports: taken from the workspace, so that no network is needed. */
const LIBRARIES = ["fast-check", "pure-rand"];

async function pack(workspace, folder) {
  const { stdout } = await run("npm", ["pack", "-w", workspace, "--json", "--pack-destination", folder]);
  return join(folder, JSON.parse(stdout)[0].filename);
}

/**
 * Installs the packed library and the packed suite into `folder`, with the addon that was built for this machine, if any,
 * where the library looks for it last.
 *
 * @returns {Promise<{ suite: string, addon: boolean }>} the suite's folder
 */
export async function installArtefact(folder) {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const tarballs = [await pack("packages/evariste", folder), await pack("conformance", folder)];
  const libraries = LIBRARIES.map((name) => resolve("node_modules", name));
  const sources = ["--install-links", ...tarballs, ...libraries];
  await run("npm", ["install", "--offline", ...QUIET, ...sources], { cwd: folder });
  const addon = join("packages", "native", "build", `evariste-${process.platform}-${process.arch}.node`);
  const scope = join(folder, "node_modules", "@evariste");
  if (existsSync(addon)) {
    mkdirSync(join(scope, "native", "build"), { recursive: true });
    cpSync(join("packages", "native", "package.json"), join(scope, "native", "package.json"));
    cpSync(addon, join(scope, addon.slice("packages".length)));
  }
  return { suite: join(scope, "conformance"), addon: existsSync(addon) };
}

/** Fetches that are under way or done, by folder: two rows may want the same runtime at once. */
const fetched = new Map();

/** @returns {Promise<string>} the path of a runtime's binary, fetched at the first use. @throws when it cannot be had */
export async function fetchRuntime(runtime) {
  const isThis = runtime.name.startsWith("Node") && process.version.startsWith(`v${runtime.range}.`);
  if (isThis) return process.execPath;
  const folder = resolve(CACHE, `${runtime.package.replace("/", "-")}-${runtime.range}`);
  const binary = join(folder, "node_modules", runtime.package, runtime.binary);
  if (!fetched.has(folder)) fetched.set(folder, existsSync(binary) ? undefined : install(runtime, folder));
  await fetched.get(folder);
  return binary;
}

async function install(runtime, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await run("npm", ["install", ...QUIET, `${runtime.package}@${runtime.range}`], {
    cwd: folder,
    timeout: 120_000,
  });
}

/** @returns {string | undefined} the path of the first of these commands that PATH has */
export function findCommand(commands) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return commands.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}
