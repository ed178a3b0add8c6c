/**
 * Runs the suite in Node, Deno or Bun, and prints the summary as one line of JSON. Exit code 1 when anything failed.
 *
 *     node process.js options.json
 *
 * The file holds `RunOptions`.
 */
import { readFileSync } from "node:fs";
import { type RunOptions, runSuite } from "../run.js";

const summary = await runSuite(JSON.parse(readFileSync(process.argv[2], "utf8")) as RunOptions);
console.log(JSON.stringify(summary));
process.exitCode = summary.failures.length === 0 ? 0 : 1;
