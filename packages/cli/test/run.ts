/** Runs the real command, as built, in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach } from "vitest";

export const BIN = fileURLToPath(new URL("../bin/evariste.js", import.meta.url));

export interface Result {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: Uint8Array;
  readonly env?: Record<string, string>;
  /** Descriptor or kind of standard output. */
  readonly stdout?: number | "pipe";
}

/** Starts the command in `cwd`. */
export function start(
  cwd: string,
  args: readonly string[],
  { env, stdout = "pipe" }: RunOptions = {},
): ChildProcess {
  const { EVARISTE_KEY: _key, EVARISTE_DISABLE: _disable, ...clean } = process.env;
  return spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...clean, ...env },
    stdio: ["pipe", stdout, "pipe"],
  });
}

/** What a started command gave, once it has ended. */
export function finished(child: ChildProcess): Promise<Result> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (piece: Buffer) => out.push(piece));
  child.stderr?.on("data", (piece: Buffer) => err.push(piece));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() }),
    );
  });
}

/** Runs the command to its end. */
export function run(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<Result> {
  const child = start(cwd, args, options);
  // The command may end before it has read everything.
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.input ?? new Uint8Array(0));
  return finished(child);
}

/** A folder for each test, with a 32-byte key in `key`. */
export function useFolder(): { readonly path: string; at(name: string): string; names(): string[] } {
  let path = "";
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "evariste-test-"));
    writeFileSync(join(path, "key"), `${"0f".repeat(32)}\n`, { mode: 0o600 });
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  return {
    get path() {
      return path;
    },
    at: (name) => join(path, name),
    names: () => readdirSync(path).sort(),
  };
}

/** Bytes that differ from one another enough to show a swap. */
export function pattern(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 167 + (i >> 8) * 13 + (i >> 14)) & 0xff));
}
