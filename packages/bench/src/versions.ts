/** Versions of what is compared with: a figure is of one of them. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findJavas } from "./processes/find-java.js";
import { findRuntimes } from "./processes/find-runtimes.js";

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const ROOT = new URL("../../../", import.meta.url);
const OWN = new URL("../package.json", import.meta.url);

/** Packages by name, and Bun, Deno and Java by theirs; what is not there is left out. */
export function versions(): Record<string, string> {
  const { dependencies = {}, optionalDependencies = {} } = manifest(OWN) ?? {};
  const packages = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].map(
    (name) => [name, manifest(new URL(`node_modules/${name}/package.json`, ROOT))?.version] as const,
  );
  const runtimes = findRuntimes().runtimes.map(({ label, path }) => [label, firstVersion(path)] as const);
  const javas = findJavas().javas.map(({ major, path }) => [`Java ${major}`, firstVersion(path)] as const);
  const known = [...packages, ...runtimes, ...javas].filter(([, version]) => version !== undefined);
  return Object.fromEntries(known) as Record<string, string>;
}

function manifest(url: URL): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(fileURLToPath(url), "utf8")) as Manifest;
  } catch {
    return undefined;
  }
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
