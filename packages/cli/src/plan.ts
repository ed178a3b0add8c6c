/** Which files a command works on, and where each result goes. */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join, normalize, resolve, sep } from "node:path";
import { complain } from "./console.js";
import { blame, CliError } from "./errors.js";
import { endingOf } from "./formats.js";
import { DASH, type Job } from "./messages.js";

/** How a command names its outputs. */
export interface Naming {
  /** The output's file name for an input's, or throws a CliError. */
  readonly outputName: (inputName: string) => string;
  /** Whether a file found in a folder is one to work on. */
  readonly wanted: (name: string) => boolean;
}

/** Naming of `encrypt`: adds `ending`; files in folders that have an ending already are taken for sealed ones. */
export function sealedNames(ending: string): Naming {
  return { outputName: (name) => name + ending, wanted: (name) => endingOf(name) === undefined };
}

/** Naming of `decrypt`: strips the ending, and in folders takes files that have one. */
export const OPENED_NAMES: Naming = {
  outputName: (name) => {
    const ending = endingOf(name);
    if (ending === undefined) {
      throw new CliError("usage", "has no .evr or .gcm ending to strip; use -o to name the output", name);
    }
    return name.slice(0, -ending.length);
  },
  wanted: (name) => endingOf(name) !== undefined,
};

/** An input, or the reason why one could not be found. */
export type Found = { readonly path: string; readonly inFolder: string } | { readonly failure: CliError };

/**
 * The inputs, folders walked: `inFolder` is the place of a file below the folder's parent, empty for files named
 * themselves.
 */
export function* findInputs(
  inputs: readonly string[],
  wanted: Naming["wanted"],
  quiet: boolean,
): Generator<Found> {
  checkStandardInput(inputs);
  for (const input of inputs) {
    const stat = input === DASH ? undefined : attempt(input, () => statSync(input));
    if (stat instanceof CliError) yield { failure: stat };
    else if (stat?.isDirectory()) yield* walk(input, ownName(input), wanted, quiet);
    else yield { path: input, inFolder: "" };
  }
}

/** @throws CliError of kind `usage` when standard input is named twice */
export function checkStandardInput(inputs: readonly string[]): void {
  if (inputs.filter((input) => input === DASH).length > 1) {
    throw new CliError("usage", "standard input can be read only once");
  }
}

/** A folder's own name; `.` and `..` have none to give. */
function ownName(folder: string): string {
  const name = basename(normalize(folder));
  return name === "." || name === ".." ? "" : name;
}

function attempt<T>(path: string, call: () => T): T | CliError {
  try {
    return call();
  } catch (error) {
    const failure = blame("input", path, error);
    if (failure instanceof CliError) return failure;
    throw failure;
  }
}

function* walk(folder: string, inFolder: string, wanted: Naming["wanted"], quiet: boolean): Generator<Found> {
  const entries = attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
  if (entries instanceof CliError) {
    yield { failure: entries };
    return;
  }
  for (const entry of entries.sort(byName)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path, join(inFolder, entry.name), wanted, quiet);
    else if (isTemporary(entry.name) || !wanted(entry.name)) continue;
    else if (entry.isFile() || (entry.isSymbolicLink() && leadsToFile(path))) {
      yield { path, inFolder };
    } else if (!quiet) complain(`warning: ${path}: skipped: neither a file nor a link to one`);
  }
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

function isTemporary(name: string): boolean {
  return name.startsWith(".") && name.endsWith(".evariste-tmp");
}

function leadsToFile(path: string): boolean {
  return statOrNothing(path)?.isFile() === true;
}

/** What is there, or undefined: also for what cannot be looked at, which whoever opens it will report. */
function statOrNothing(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Where outputs go: beside their inputs, into a folder, or to one name. */
type Destination =
  | { readonly kind: "beside" }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "single"; readonly path: string };

function destinationFor(inputs: readonly string[], output: string | undefined): Destination {
  if (output === undefined) return { kind: "beside" };
  const several =
    inputs.length > 1 || inputs.some((input) => input !== DASH && statOrNothing(input)?.isDirectory());
  if (output === DASH) {
    if (several) throw new CliError("usage", "-o - takes one input; `evariste cat` joins several");
    return { kind: "single", path: DASH };
  }
  const stat = statOrNothing(output);
  if (stat?.isDirectory()) return { kind: "folder", path: output };
  if (!several && !output.endsWith(sep) && !output.endsWith("/")) return { kind: "single", path: output };
  if (stat !== undefined)
    throw new CliError("usage", "several inputs need a folder, and this is none", output);
  return { kind: "folder", path: output };
}

/** A job, or the reason why an input gets none. */
export type Planned = Job | { readonly failure: CliError };

/**
 * Plans all jobs before anything is written, so that outputs are never taken for inputs.
 *
 * @param inputs as given; none means standard input
 * @throws CliError of kind `usage` when the arguments contradict each other
 */
export function planJobs(
  given: readonly string[],
  output: string | undefined,
  naming: Naming,
  quiet: boolean,
): readonly Planned[] {
  const inputs = given.length === 0 ? [DASH] : given;
  const destination = destinationFor(inputs, output);
  const taken = new Set<string>();
  const all = [...findInputs(inputs, naming.wanted, quiet)];
  const read = new Set(
    all.map((found) => ("path" in found && found.path !== DASH ? resolve(found.path) : "")),
  );
  return all.map((found) => {
    if ("failure" in found) return found;
    try {
      const target = targetOf(found.path, found.inFolder, destination, naming);
      const same = resolve(target) === resolve(found.path);
      if (target !== DASH && !same && read.has(resolve(target))) {
        throw new CliError("usage", "is the output of one input, and an input itself", target);
      }
      if (target !== DASH && taken.has(target)) {
        throw new CliError("usage", "two inputs would become this file", target);
      }
      taken.add(target);
      return { input: found.path, output: target, makeFolder: destination.kind === "folder" };
    } catch (error) {
      if (error instanceof CliError) return { failure: error };
      throw error;
    }
  });
}

function targetOf(input: string, inFolder: string, destination: Destination, naming: Naming): string {
  if (destination.kind === "single") return destination.path;
  if (input === DASH) {
    if (destination.kind === "beside") return DASH;
    throw new CliError("usage", "standard input has no name to give; use -o FILE");
  }
  const name = naming.outputName(basename(input));
  return destination.kind === "beside" ? join(dirname(input), name) : join(destination.path, inFolder, name);
}

/** Makes the folder that a job's output goes to, where that is ours to make. */
export async function makeFolderFor(job: Job): Promise<void> {
  if (!job.makeFolder) return;
  const folder = dirname(job.output);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw blame("output", folder, error);
  }
}
