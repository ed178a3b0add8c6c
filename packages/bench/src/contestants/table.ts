/** Contestants by the names that results give them, and why one is missing. */
import { fileURLToPath } from "node:url";
import type { EngineName } from "evariste";
import { findJavas } from "../processes/find-java.js";
import { findRuntimes } from "../processes/find-runtimes.js";
import { LineProcess } from "../processes/line-process.js";
import { KINDS, type KindName, type KindOptions } from "./kinds.js";
import type { Shape } from "./shape.js";

/** A contestant as it travels to the process that measures it. */
export interface Spec {
  readonly name: string;
  readonly kind: KindName;
  readonly options?: KindOptions;
  /** Operations under way at once, of asynchronous kinds, with messages of up to 4 MiB; default 1. */
  readonly inFlight?: number;
  /** What it does instead of what the row says: to set two operations of one engine beside each other. */
  readonly instead?: Partial<Shape>;
}

/** A contestant in a process of its own, which speaks the protocol of `processes/speed-child.ts`. */
export interface Contender {
  readonly name: string;
  readonly start: () => LineProcess;
  /** Warm-up that it needs at least, in milliseconds. */
  readonly leastWarmupMs?: number;
}

/** The JVM runs what it has not compiled up to a hundred times slower. */
const JAVA_WARMUP_MS = 100;

/** Contestants that are there, and a line for each that is not. */
export interface Found<T> {
  readonly found: readonly T[];
  readonly notes: readonly string[];
}

const CHILD = fileURLToPath(new URL("../processes/speed-child.js", import.meta.url));
const JAVA_PROGRAM = fileURLToPath(new URL("../../java/AesGcmBench.java", import.meta.url));

/** What the machine chooses. */
export const EVARISTE: Spec = { name: "evariste", kind: "evariste" };

/** The ways of the platform: key as KeyObject, key as bytes, with the tag joined; WebCrypto awaited, and 16 at once. */
export const PLATFORM: readonly Spec[] = [
  { name: "createCipheriv", kind: "createCipheriv" },
  { name: "createCipheriv, raw key", kind: "createCipheriv", options: { rawKey: true } },
  { name: "joined", kind: "createCipheriv", options: { joining: "joined" } },
  { name: "WebCrypto", kind: "webcrypto" },
  { name: "WebCrypto ×16", kind: "webcrypto", inFlight: 16 },
];

/** Libraries in JavaScript. */
export const PACKAGES: readonly Spec[] = (["noble", "stablelib", "sjcl", "forge", "asmcrypto"] as const).map(
  (kind) => ({ name: kind, kind }),
);

/** What other runtimes are measured with, each by its own implementation. */
const ELSEWHERE: readonly Spec[] = PLATFORM.filter(({ name }) =>
  ["createCipheriv", "WebCrypto"].includes(name),
);

/** Message streams. */
export const STREAMS: readonly Spec[] = [
  { name: "streams", kind: "streams" },
  { name: "streams, unverified", kind: "streams", options: { release: "unverified" } },
  { name: "streams, CryptoKey", kind: "streams", options: { cryptoKey: true } },
  { name: "StitchedGcm", kind: "stitched" },
  { name: "chunked", kind: "chunked" },
  { name: "node:crypto loop", kind: "nodeLoop" },
  { name: "encrypt-web-streams", kind: "encryptWebStreams" },
];

/** Engines of this library, one spec each. */
export function engineSpecs(names: readonly EngineName[]): Spec[] {
  return names.map((engine) => ({ name: engine, kind: "evariste", options: { engine } }));
}

/** Those of which everything can be imported. */
export async function installed(specs: readonly Spec[]): Promise<Found<Spec>> {
  const found: Spec[] = [];
  const notes: string[] = [];
  for (const spec of specs) {
    const reason = await missing(KINDS[spec.kind].modules);
    if (reason === undefined) found.push(spec);
    else notes.push(`${spec.name} is missing: ${reason}`);
  }
  return { found, notes };
}

/** Why the modules cannot be imported; undefined when they can. */
export async function missing(modules: readonly string[]): Promise<string | undefined> {
  for (const module of modules) {
    try {
      await import(module);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return code === "ERR_MODULE_NOT_FOUND" ? `${module} is not installed` : `${module}: ${message}`;
    }
  }
  return undefined;
}

/**
 * The contestant in a process of Node, or of another runtime.
 *
 * @param flags for Node, before the program
 */
export function contender(spec: Spec, flags: readonly string[] = []): Contender {
  const args = ["--expose-gc", ...flags, CHILD, JSON.stringify(spec)];
  return { name: spec.name, start: () => new LineProcess(spec.name, process.execPath, args) };
}

/** node:crypto and WebCrypto of Bun and Deno, where these are. */
export function otherRuntimes(): Found<Contender> {
  const { runtimes, notes } = findRuntimes();
  const found = runtimes.flatMap(({ label, path, args }) =>
    ELSEWHERE.map((spec): Contender => {
      const name = `${label} ${spec.name}`;
      const start = () => new LineProcess(name, path, [...args, CHILD, JSON.stringify({ ...spec, name })]);
      return { name, start };
    }),
  );
  return { found, notes };
}

/** Every Java release that is there, oldest first; `flags` go before the program. */
export function javas(flags: readonly string[] = [], leastWarmupMs = JAVA_WARMUP_MS): Found<Contender> {
  const { javas: releases, notes } = findJavas();
  const found = releases.map(({ major, path }): Contender => {
    const name = `Java ${major}`;
    const start = () => new LineProcess(name, path, [...flags, JAVA_PROGRAM]);
    return { name, start, leastWarmupMs };
  });
  return { found, notes };
}
