/** Versions of what is compared with: a figure is of one of them. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { KINDS } from "./contestants/kinds.js";
import { findJavas } from "./processes/find-java.js";
import { findRuntimes } from "./processes/find-runtimes.js";

/** Looks packages up as an import from here does. */
const require = createRequire(import.meta.url);

/** Packages that are compared with by name, and Bun, Deno and Java by theirs; what is not there is left out. */
export function versions(): Record<string, string> {
  const packages = contestants().map((name) => [name, packageVersion(name)] as const);
  const runtimes = findRuntimes().runtimes.map(({ label, path }) => [label, firstVersion(path)] as const);
  const javas = findJavas().javas.map(({ major, path }) => [`Java ${major}`, firstVersion(path)] as const);
  const known = [...packages, ...runtimes, ...javas].filter(([, version]) => version !== undefined);
  return Object.fromEntries(known) as Record<string, string>;
}

/** Names of the packages that contestants import: `@noble/ciphers` of `@noble/ciphers/aes.js`. */
function contestants(): string[] {
  const modules = Object.values(KINDS).flatMap((kind): readonly string[] => kind.modules);
  const names = modules.map((id) => /^(@[^/]+\/)?[^/]+/.exec(id)![0]);
  return [...new Set(names)].filter((name) => !name.startsWith("node:"));
}

function packageVersion(name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
      return (manifest as { version: string }).version;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

function firstVersion(path: string): string | undefined {
  try {
    return versionIn(
      execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
  } catch {
    return undefined;
  }
}

/** The first number with points in what a program prints of itself: `deno 2.5.4 (stable…` is 2.5.4. */
export function versionIn(text: string): string | undefined {
  return /\d+(\.\d+)+|\d+/.exec(text)?.[0];
}
