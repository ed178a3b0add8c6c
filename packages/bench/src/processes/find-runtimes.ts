import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A JavaScript runtime besides Node. */
export interface OtherRuntime {
  readonly label: string;
  readonly path: string;
  /** Arguments before the program. */
  readonly args: readonly string[];
}

/** Where `scripts/runtimes/install.mjs` leaves what it downloads; the same environment variable names another folder. */
const CACHE =
  process.env.EVARISTE_RUNTIMES ??
  fileURLToPath(new URL("../../../../node_modules/.cache/evariste-runtimes", import.meta.url));

const ARCHITECTURE = process.arch === "arm64" ? "aarch64" : process.arch;
const EXE = process.platform === "win32" ? ".exe" : "";
const BUN = `@oven/bun-${process.platform === "win32" ? "windows" : process.platform}-${ARCHITECTURE}`;
const DENO = `@deno/${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`;

const KNOWN = [
  {
    label: "Bun",
    variable: "EVARISTE_BUN",
    program: `bun${EXE}`,
    package: BUN,
    folder: "bin",
    version: 1,
    args: [],
  },
  {
    label: "Deno",
    variable: "EVARISTE_DENO",
    program: `deno${EXE}`,
    package: DENO,
    folder: "",
    version: 2,
    args: ["run", "--allow-all", "--no-lock", "--no-remote"],
  },
];

/** Bun and Deno: the one that an environment variable names, on the path, or downloaded by the runtimes' script. */
export function findRuntimes(environment: NodeJS.ProcessEnv = process.env): {
  runtimes: OtherRuntime[];
  notes: string[];
} {
  const runtimes: OtherRuntime[] = [];
  const notes: string[] = [];
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const { label, variable, program, package: name, folder, version, args } of KNOWN) {
    const named = environment[variable];
    const downloaded = join(
      CACHE,
      `${name.replace("/", "-")}-${version}`,
      "node_modules",
      name,
      folder,
      program,
    );
    const candidates =
      named === undefined ? [...folders.map((each) => join(each, program)), downloaded] : [named];
    const path = candidates.find(existsSync);
    if (path !== undefined) runtimes.push({ label, path, args });
    else if (named !== undefined)
      notes.push(`${label} is missing: ${variable} names a file that is not there`);
    else
      notes.push(
        `${label} is missing: not on the path, in ${variable}, nor downloaded by npm run test:runtimes`,
      );
  }
  return { runtimes, notes };
}
