/** `bench browser`: the suites that run in browsers. */
import { writeFileSync } from "node:fs";
import { Argument, Command, InvalidArgumentError } from "commander";
import { formatMachine, type Machine } from "../machine.js";
import { finish, type Outputs, writeSection } from "../report/outputs.js";
import type { ResultsFile, SuiteResults } from "../results.js";
import type { SuiteOptions } from "../suites/suite.js";
import { formatMarkdown, formatText } from "../table.js";
import { BROWSERS } from "./browsers.js";
import { runInBrowsers } from "./run.js";
import { BROWSER_SUITES } from "./suites.js";

/** Its options, besides those that say how to measure. */
export interface BrowserFlags extends Outputs {
  readonly browsers?: readonly string[];
  readonly json?: string;
  readonly into?: string;
}

const NAMES = BROWSERS.map(({ name }) => name.toLowerCase());

/**
 * The command.
 *
 * @param measuring makes what {@link runInBrowsers} needs of the flags that say how to measure
 */
export function browserCommand<F extends BrowserFlags>(measuring: (flags: F) => SuiteOptions): Command {
  const names = [...BROWSER_SUITES.keys()];
  const lines = [...BROWSER_SUITES].map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}`);
  return new Command("browser")
    .description("run suites in the browsers that are installed: one run each, in one results file")
    .addArgument(new Argument("[suite...]", "default: all").choices(names))
    .option("--browsers <list>", `only these: ${NAMES.join(",")}`, parseBrowsers)
    .addHelpText("after", `\nSuites:\n${lines.join("\n")}`)
    .action(async (suites: readonly string[], flags: F) => {
      await run(suites.length === 0 ? names : [...new Set(suites)], measuring(flags), flags);
    });
}

async function run(suites: readonly string[], options: SuiteOptions, flags: BrowserFlags): Promise<void> {
  const { browsers, json, into, markdown } = flags;
  const seen = new Set<string>();
  const { runs, notes } = await runInBrowsers({ suites, browsers }, options, (machine, result) => {
    if (!seen.has(machine.runtime!)) printMachine(machine, markdown === true);
    seen.add(machine.runtime!);
    printSuite(result, markdown === true);
    if (into !== undefined) writeSection(into, machine, result);
  });
  for (const note of notes) console.log(`\n- ${note}`);
  if (json !== undefined) writeRuns(json, runs);
  finish(runs, flags);
}

function printMachine(machine: Machine, markdown: boolean): void {
  const text = formatMachine(machine);
  console.log(markdown ? `\n\`\`\`text\n${text}\n\`\`\`` : `\n${text}`);
}

function printSuite({ tables, notes }: SuiteResults, markdown: boolean): void {
  const shown = tables.filter(({ rows }) => rows.length > 0).map(markdown ? formatMarkdown : formatText);
  console.log(`\n${[...shown, notes.map((note) => `- ${note}`).join("\n")].join("\n\n")}`);
}

function writeRuns(path: string, runs: readonly ResultsFile[]): void {
  writeFileSync(path, `${JSON.stringify(runs, undefined, 1)}\n`);
}

function parseBrowsers(text: string): string[] {
  return text.split(",").map((item) => {
    const name = item.trim().toLowerCase();
    if (!NAMES.includes(name)) {
      throw new InvalidArgumentError(`${item} is not a browser; there are ${NAMES.join(", ")}.`);
    }
    return name;
  });
}
