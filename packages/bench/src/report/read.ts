/** Results files as they were stored. */
import { readFileSync } from "node:fs";
import type { ResultsFile } from "../results.js";

/** The version of {@link ResultsFile} that this program reads. */
const VERSION = 1;

/**
 * The runs in a file: one, or a list of them.
 *
 * @throws Error in one line when the file cannot be read or holds something else
 */
export function readResults(path: string): ResultsFile[] {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${path} is not JSON`);
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const runs = Array.isArray(found) ? found : [found];
  for (const run of runs) if (!isResults(run)) throw new Error(`${path} ${faultOf(run)}`);
  return runs;
}

function isResults(run: unknown): run is ResultsFile {
  const { version, suites, machine } = (run ?? {}) as Partial<ResultsFile>;
  return version === VERSION && machine !== undefined && Array.isArray(suites);
}

function faultOf(run: unknown): string {
  const version = (run as Partial<ResultsFile> | null)?.version as unknown;
  return typeof version === "number" && version !== VERSION
    ? `is of version ${version}; this program reads version ${VERSION}`
    : "is not a results file, as --json writes them";
}
