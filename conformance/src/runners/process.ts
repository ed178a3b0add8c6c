/**
 * Runs the suite in Node, Deno or Bun, and prints the summary as one line of JSON. Exit code 1 when anything failed.
 *
 *     node process.js '{"expected":["portable/ghash_ctmul"],"refused":{},"heavy":false,"wycheproof":[]}'
 *
 * In place of their contents, `wycheproof` may name files.
 */
import { readFileSync } from "node:fs";
import { randomMessages, runDifferential } from "../node/index.js";
import { type RunOptions, runSuite } from "../run.js";
import { targets } from "../targets.js";
import type { WycheproofFile } from "../wycheproof.js";

/** {@link RunOptions}, with what only runs beside node:crypto. */
interface ProcessOptions extends Omit<RunOptions, "wycheproof"> {
  /** Paths. */
  readonly wycheproof: readonly string[];
  /** How many random messages to compare with node:crypto. */
  readonly messages: number;
}

const SEED = 1;

const { messages: count, wycheproof, ...options } = JSON.parse(process.argv[2]) as ProcessOptions;
const messages = [...randomMessages(SEED, count)];
const differential = targets()
  .filter((target) => target.engine !== "native" || target.chosen)
  .map((target) => ({
    name: `${target.name}: ${count} random messages of seed ${SEED}`,
    run: () => runDifferential(target, messages, SEED),
  }));
const files = wycheproof.map((path) => JSON.parse(readFileSync(path, "utf8")) as WycheproofFile);
const summary = await runSuite({ ...options, wycheproof: files }, new Map([["node:crypto", differential]]));
console.log(JSON.stringify(summary));
process.exitCode = summary.failures.length === 0 ? 0 : 1;
