/** `evariste info`: what a file is, or what this machine has. */
import { arch, cpus, platform } from "node:os";
import { AuthenticationError, type EngineReport, engines } from "evariste";
import { CHUNK_LENGTH, plaintextLength } from "evariste/chunked";
import { say } from "../console.js";
import { CliError, printable } from "../errors.js";
import { endingOf, type FormatName, GCM_IV_LENGTH, GCM_TAG_LENGTH } from "../formats.js";
import { hasKey } from "../keys.js";
import { forEachItem, withSource } from "../messages.js";
import { type CipherArguments, openingOptions, withKey } from "../options.js";
import { openRandomAccess } from "../random-access.js";
import type { Source } from "../sources.js";

/** What `info` takes. */
export interface InfoArguments extends CipherArguments {
  readonly json?: boolean;
}

/** What `info` finds out about a file. Lengths are bytes. */
export interface FileInfo {
  readonly file: string;
  readonly size: number;
  /** `cobblestone` when only a key could tell 128 from 256. */
  readonly format: FormatName | "cobblestone" | "unknown";
  readonly plaintext?: number;
  readonly chunks?: number;
  /** The key fits, and `plaintext` is authentic; the content has not been looked at. */
  readonly authenticated: boolean;
}

const PIECE = 4096;

/**
 * Tells about files, or without any about this machine.
 *
 * @returns exit code
 */
export async function info(files: readonly string[], options: InfoArguments): Promise<number> {
  if (files.length === 0) {
    await say(options.json === true ? toJson(machineInfo()) : machineText());
    return 0;
  }
  const found: FileInfo[] = [];
  const code = await forEachItem(files, async (file) => {
    const facts = await withSource(file, PIECE, (source) => fileInfo(source, options));
    if (options.json === true) found.push(facts);
    else await say(fileText(facts));
  });
  if (options.json === true) await say(toJson(found));
  return code;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function fileInfo(source: Source, options: InfoArguments): Promise<FileInfo> {
  const { name: file, size } = source;
  if (size === undefined) throw new CliError("input", "is not a file, so it has no length to tell", file);
  const ending = options.format === "gcm" ? ".gcm" : options.format === undefined ? endingOf(file) : ".evr";
  if (ending === undefined) return { file, size, format: "unknown", authenticated: false };
  if (ending === ".gcm") return rawInfo(file, size);
  const plaintext = lengthInside(file, size);
  const chunks = Math.floor(plaintext / CHUNK_LENGTH) + 1;
  if (!hasKey(options)) {
    return { file, size, format: options.format ?? "cobblestone", plaintext, chunks, authenticated: false };
  }
  return withKey(options, async (key) => {
    const cipher = openingOptions(key, options, file);
    const reader = await openRandomAccess(source, cipher);
    reader.destroy();
    return { file, size, format: cipher.format, plaintext, chunks, authenticated: true };
  });
}

function rawInfo(file: string, size: number): FileInfo {
  const plaintext = size - GCM_IV_LENGTH - GCM_TAG_LENGTH;
  if (plaintext < 0) throw new CliError("authentication", "truncated: shorter than an IV and a tag", file);
  return { file, size, format: "gcm", plaintext, authenticated: false };
}

function lengthInside(file: string, size: number): number {
  try {
    return plaintextLength(size);
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new CliError("authentication", `truncated, or no Cobblestone file: none has ${size} bytes`, file);
  }
}

const FORMAT_TEXT: Readonly<Record<FileInfo["format"], string>> = {
  "cobblestone-256": "Cobblestone-256 (C2SP chunked encryption, AES-256-GCM)",
  "cobblestone-128": "Cobblestone-128 (C2SP chunked encryption, AES-128-GCM)",
  cobblestone: "Cobblestone (C2SP chunked encryption); its key tells whether 128 or 256",
  gcm: "raw AES-GCM: IV, ciphertext, tag",
  unknown: "unknown: the name ends neither in .evr nor in .gcm; --format says what it is",
};

function fileText(facts: FileInfo): string {
  const lines = [
    printable(facts.file),
    `  format     ${FORMAT_TEXT[facts.format]}`,
    `  size       ${facts.size} bytes`,
  ];
  if (facts.plaintext !== undefined) {
    const how = facts.authenticated
      ? "authenticated with the key"
      : "by the file's length, not authenticated";
    lines.push(`  plaintext  ${facts.plaintext} bytes, ${how}`);
  }
  if (facts.chunks !== undefined) lines.push(`  chunks     ${facts.chunks}`);
  return `${lines.join("\n")}\n`;
}

function machineInfo() {
  return {
    node: process.version,
    openssl: process.versions.openssl,
    platform: `${platform()}-${arch()}`,
    cpu: cpuName(),
    engines: engines(),
  };
}

function cpuName(): string {
  return cpus()[0]?.model.trim() ?? "unknown";
}

function machineText(): string {
  const { node, openssl, platform: system, cpu } = machineInfo();
  const head = `Node ${node}, OpenSSL ${openssl}, ${system}, ${cpu}`;
  return `${[head, ...enginesText(engines())].join("\n")}\n`;
}

/** Where details of a reason begin. */
const DETAIL = 6;

/** A reason with its details, if any, on lines of their own that begin with `width` spaces. */
export function indented(reason: string | undefined, width: number): string {
  return (reason ?? "no reason given").replaceAll("\n", `\n${" ".repeat(width)}`);
}

/** Engines and kernels, one line each; `*` marks those that new keys use. */
export function enginesText(reports: readonly EngineReport[]): string[] {
  return reports.flatMap((engine) => [
    `${engine.chosen ? "*" : " "} ${engine.name.padEnd(26)} ${stateOf(engine)}`,
    ...engine.kernels.map(
      (kernel) =>
        `  ${kernel.chosen ? "*" : " "} ${kernel.name.padEnd(24)} ${kernel.role.padEnd(5)} ${stateOf(kernel)}`,
    ),
  ]);
}

function stateOf({
  available,
  chosen,
  reason,
}: {
  available: boolean;
  chosen: boolean;
  reason?: string;
}): string {
  if (!available) return `not available: ${indented(reason, DETAIL)}`;
  return chosen ? "in use" : "available";
}
