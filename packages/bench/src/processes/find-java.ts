import { execFileSync } from "node:child_process";
import { readdirSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A Java runtime. */
export interface Java {
  readonly path: string;
  /** Feature release: 17, 25. */
  readonly major: number;
}

const LINUX_FOLDER = "/usr/lib/jvm";

/** First release that runs a source file directly with the options used here. */
const OLDEST = 11;

/** Java runtimes of different releases: of JAVA_HOME, on the path, and below /usr/lib/jvm. Notes say what is missing. */
export function findJavas(): { javas: Java[]; notes: string[] } {
  const javas = new Map<number, Java>();
  const notes: string[] = [];
  const seen = new Set<string>();
  for (const candidate of candidates()) {
    const path = resolved(candidate);
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    const major = versionOf(path);
    if (major === undefined) notes.push(`${path} does not tell its version`);
    else if (major < OLDEST) notes.push(`Java ${major} is too old to run a source file; ${OLDEST} is needed`);
    else if (!javas.has(major)) javas.set(major, { path, major });
  }
  if (javas.size === 0)
    notes.push(`Java is missing: no java on the path, in JAVA_HOME or below ${LINUX_FOLDER}`);
  return { javas: [...javas.values()].sort((a, b) => a.major - b.major), notes };
}

function candidates(): string[] {
  const homes = [process.env.JAVA_HOME ?? "", ...listed(LINUX_FOLDER)].filter((home) => home !== "");
  const program = process.platform === "win32" ? "java.exe" : "java";
  return [
    ...homes.map((home) => join(home, "bin", program)),
    ...(process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program)),
  ];
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function versionOf(path: string): number | undefined {
  try {
    const text = execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return majorVersion(text);
  } catch {
    // Releases before 9 know only -version, and print it to standard error: too old anyway.
    return undefined;
  }
}

/** The feature release in what `java --version` prints: `openjdk 25.0.1 2025-10-21 LTS` is 25. */
export function majorVersion(text: string): number | undefined {
  const found = /^\S+ (\d+)/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
