/** What a figure was measured on: without it nobody can repeat it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { type EngineReport, engines } from "evariste";

/** One machine and the software on it. */
export interface Machine {
  readonly cpu: string;
  /** CPU features that AES-GCM kernels use, as the operating system names them; empty where it does not say. */
  readonly features: readonly string[];
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly platform: string;
  /** What ran the suites, with its version, where that is not this Node: `Chromium 150.0.1`. */
  readonly runtime?: string;
  readonly node: string;
  readonly openssl: string;
  /** Load of the last minute per core, where the operating system says: much above zero means noise. */
  readonly load?: number;
  readonly engines: readonly EngineReport[];
  /** Commit, with `+` behind it when files differ; absent outside of a clone. */
  readonly commit?: string;
  /** ISO 8601. */
  readonly date: string;
}

/** Names in /proc/cpuinfo, of x86-64, aarch64 and POWER. */
const RELEVANT = new Set(
  [
    "aes pclmulqdq ssse3 sse4_1 avx avx2 bmi2 movbe vaes vpclmulqdq",
    "avx512f avx512bw avx512dq avx512vl",
    "asimd pmull sha3 sve sve2 svepmull",
    "altivec vsx",
  ]
    .join(" ")
    .split(" "),
);

/** Looks at the machine that this process runs on. */
export function describeMachine(): Machine {
  const commit = gitCommit();
  const load = readText("/proc/loadavg")?.split(" ")[0];
  const cores = availableParallelism();
  return {
    cpu: cpus()[0]?.model.trim() || "unknown",
    features: cpuFeatures(readText("/proc/cpuinfo") ?? ""),
    cores,
    memory: totalmem(),
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
    openssl: process.versions.openssl ?? "none",
    ...(load === undefined ? {} : { load: Number(load) / cores }),
    engines: engines(),
    ...(commit === undefined ? {} : { commit }),
    date: new Date().toISOString(),
  };
}

/** The relevant features in the text of /proc/cpuinfo, in its order. */
export function cpuFeatures(cpuinfo: string): string[] {
  const line = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(cpuinfo)?.[1] ?? "";
  return line.split(/\s+/).filter((flag) => RELEVANT.has(flag));
}

/** The machine in a few lines for people. */
export function formatMachine(machine: Machine): string {
  const gigabytes = (machine.memory / 2 ** 30).toFixed(1);
  const lines = [
    `${machine.cpu}, ${machine.cores} cores, ${gigabytes} GiB, ${machine.platform}`,
    `CPU features: ${machine.features.join(" ") || "not known"}`,
    `${formatRuntime(machine)}, commit ${machine.commit ?? "not known"}, ${machine.date}`,
    ...machine.engines.map(formatEngine),
  ];
  if (machine.load !== undefined && machine.load > 0.5) {
    lines.push(`The machine is busy (load ${machine.load.toFixed(2)} per core): expect noise.`);
  }
  return lines.join("\n");
}

function formatRuntime(machine: Machine): string {
  return machine.runtime ?? `${runtimeOf(machine)}, OpenSSL ${machine.openssl}`;
}

/** Name and version of what ran the suites. */
export function runtimeOf({ runtime, node }: Pick<Machine, "runtime" | "node">): string {
  return runtime ?? `Node ${node.slice(1)}`;
}

function formatEngine({ name, available, chosen, reason, kernels }: EngineReport): string {
  if (!available) return `  ${name.padEnd(8)} not available: ${reason}`;
  const listed = kernels.map((kernel) => {
    if (!kernel.available) return `${kernel.name} (${kernel.reason ?? "not available"})`;
    return kernel.chosen ? `${kernel.name}*` : kernel.name;
  });
  return `${chosen ? "*" : " "} ${name.padEnd(8)} ${listed.join(", ")}`;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function gitCommit(): string | undefined {
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    // As an installed package this folder is in somebody else's repository, which does not know it.
    git("ls-files", "--error-unmatch", "../package.json");
    const changed = git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+";
    return git("rev-parse", "--short=12", "HEAD") + changed;
  } catch {
    return undefined;
  }
}
