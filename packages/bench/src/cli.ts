/** The command line: `npm run bench -- SUITE… [options]`. */
import { writeFileSync } from "node:fs";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import type { EngineName } from "evariste";
import { browserCommand } from "./browser/command.js";
import type { KeyBits } from "./contestants/shape.js";
import type { ForkTiming } from "./forks.js";
import type { CompareOptions } from "./harness.js";
import { describeMachine, formatMachine } from "./machine.js";
import {
  addOutputs,
  finish,
  type Outputs,
  parseTarget,
  reportCommand,
  writeSection,
} from "./report/outputs.js";
import type { ResultsFile, SuiteResults } from "./results.js";
import { SUITES } from "./suites/index.js";
import type { SuiteOptions } from "./suites/suite.js";
import { formatMarkdown, formatText } from "./table.js";
import { versions } from "./versions.js";

interface Flags extends Outputs {
  quick?: true;
  full?: true;
  define?: ReadonlyMap<string, string>;
  keyBits: string;
  sizes?: number[];
  engines?: EngineName[];
  rounds?: number;
  roundMs?: number;
  warmupMs?: number;
  forks?: number;
  iterations?: number;
  iterationMs?: number;
  json?: string;
  into?: string;
}

const ENGINES: readonly EngineName[] = ["native", "openssl", "wasm", "portable"];

interface Level {
  readonly timing: CompareOptions;
  readonly forking: ForkTiming;
}

/** How long things are measured. `full` has the forks and iterations of the published JMH runs. */
const LEVELS: Readonly<Record<"quick" | "default" | "full", Level>> = {
  quick: {
    timing: { rounds: 7, roundMs: 10, warmupMs: 100 },
    forking: { forks: 2, warmups: 1, warmupMs: 20, iterations: 5, iterationMs: 7, limitMs: 300 },
  },
  default: {
    timing: { rounds: 15, roundMs: 20, warmupMs: 300 },
    forking: { forks: 3, warmups: 2, warmupMs: 150, iterations: 8, iterationMs: 50, limitMs: 3000 },
  },
  full: {
    timing: { rounds: 25, roundMs: 100, warmupMs: 1000 },
    forking: { forks: 5, warmups: 3, warmupMs: 3000, iterations: 8, iterationMs: 2000, limitMs: 30_000 },
  },
};

/** The parser with its action, which writes to standard output. */
export function makeCommand(): Command {
  const suites = [...SUITES].map(([name, { summary }]) => `  ${name.padEnd(18)} ${summary}`);
  const properties = [...SUITES].flatMap(([name, { properties = {} }]) => [
    ...(Object.keys(properties).length === 0 ? [] : [`\nProperties of ${name}:`]),
    ...Object.entries(properties).map(([property, text]) => `  ${property.padEnd(18)} ${text}`),
  ]);
  return addResults(addMeasuring(new Command("bench")))
    .description(
      "Measures AES-GCM: contestants in processes of their own take turns; ratios are medians of the turns' ratios.",
    )
    .addArgument(
      new Argument("<suite...>", "one or more of the suites below").choices([...SUITES.keys(), "all"]),
    )
    .option("-D, --define <name=value>", "a property of a suite; may be repeated", parseDefine)
    .option("--forks <n>", "processes of each contestant, one after another", parseCount)
    .option("--iterations <n>", "samples of each contestant in a fork", parseCount)
    .option("--iteration-ms <ms>", "time of one such sample", parseCount)
    .addHelpText("after", ["\nSuites:", ...suites, ...properties].join("\n"))
    .enablePositionalOptions()
    .addCommand(reportCommand())
    .addCommand(addResults(addMeasuring(browserCommand(suiteOptions))))
    .action(async (names: readonly string[], flags: Flags, command: Command) => {
      try {
        await runSuites(names, flags);
      } catch (error) {
        // What was asked for is not there: no matter for a stack trace.
        if (!(error instanceof RangeError)) throw error;
        command.error(`error: ${error.message}`);
      }
    });
}

/** Adds what says how to measure, wherever it is measured. */
function addMeasuring(command: Command): Command {
  return command
    .addOption(new Option("--quick", "a look in little time: fewer and shorter samples").conflicts("full"))
    .option("--full", "JMH's own times (5 forks, 3 × 3 s and 8 × 2 s) and sizes up to 64 MiB: hours")
    .addOption(new Option("--key-bits <bits>", "AES key size").choices(["128", "192", "256"]).default("128"))
    .option("--sizes <list>", "message sizes instead of the suite's: 16,1k,8m", parseSizes)
    .option("--engines <list>", `engines instead of all: ${ENGINES.join(",")}`, parseEngines)
    .option(
      "--rounds <n>",
      "samples, in suites that take one per process or measure in one process",
      parseCount,
    )
    .option("--round-ms <ms>", "time of one such sample", parseCount)
    .option("--warmup-ms <ms>", "time of a warm-up", parseCount);
}

/** Adds where results go. */
function addResults(command: Command): Command {
  return addOutputs(command)
    .option("--json <file>", "write all samples, with the machine, to a file", parseTarget)
    .option(
      "--into <file>",
      "replace the suites' sections of a Markdown file, as docs/benchmarks.md has them",
    );
}

async function runSuites(names: readonly string[], flags: Flags): Promise<void> {
  const chosen = names.includes("all") ? [...SUITES.keys()] : [...new Set(names)];
  checkDefines(chosen, flags.define);
  const options = suiteOptions(flags);
  const machine = describeMachine();
  const format = flags.markdown ? formatMarkdown : formatText;
  console.log(flags.markdown ? `\`\`\`text\n${formatMachine(machine)}\n\`\`\`` : formatMachine(machine));
  const suites: SuiteResults[] = [];
  const file: ResultsFile = {
    version: 1,
    machine,
    versions: versions(),
    quick: options.quick,
    clock: "wall",
    timing: options.timing,
    forking: options.forking,
    suites,
  };
  for (const suite of chosen) {
    const result = await SUITES.get(suite)!.run({
      ...options,
      progress: (what) => options.progress(`${suite}: ${what}`),
    });
    options.progress("");
    console.log(`\n${formatResult(result, format)}`);
    const found: SuiteResults = { suite, ...result };
    suites.push(found);
    if (flags.into !== undefined) writeSection(flags.into, machine, found);
    // After every suite, so that an interrupted run leaves what it has.
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(file, undefined, 1)}\n`);
  }
  finish([file], flags);
}

function formatResult(
  { tables, notes }: Pick<SuiteResults, "tables" | "notes">,
  format: typeof formatText,
): string {
  const bullets = notes.map((note) => `- ${note}`).join("\n");
  return [...tables.filter(({ rows }) => rows.length > 0).map(format), bullets].join("\n\n");
}

function suiteOptions(flags: Flags): SuiteOptions {
  const quick = flags.quick === true;
  const full = flags.full === true;
  const level = LEVELS[full ? "full" : quick ? "quick" : "default"];
  return {
    keyBits: Number(flags.keyBits) as KeyBits,
    ...(flags.sizes === undefined ? {} : { sizes: flags.sizes }),
    ...(flags.engines === undefined ? {} : { engines: flags.engines }),
    quick,
    full,
    timing: overridden(level.timing, flags),
    forking: overridden(level.forking, flags),
    defines: flags.define ?? new Map(),
    print: console.log,
    progress: showProgress,
  };
}

/** The values, with those that a flag of the same name gives. */
function overridden<T extends object>(values: T, flags: Flags): T {
  const given = Object.entries(flags).filter(([name, value]) => name in values && value !== undefined);
  return { ...values, ...Object.fromEntries(given) };
}

/** @throws RangeError for a property that no suite of those that run knows: else a slip of the pen would be passed over */
function checkDefines(chosen: readonly string[], defines: ReadonlyMap<string, string> = new Map()): void {
  const known = chosen.flatMap((suite) => Object.keys(SUITES.get(suite)!.properties ?? {}));
  for (const name of defines.keys()) {
    if (known.includes(name)) continue;
    const allowed = known.length === 0 ? "these suites have no properties" : `there are ${known.join(", ")}`;
    throw new RangeError(`${name} is not a property; ${allowed}`);
  }
}

/** One line that overwrites itself, on a terminal only. */
function showProgress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}`);
}

/** `name=value`, added to what came before. */
export function parseDefine(
  text: string,
  before: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const [, name, value] = /^([A-Za-z]\w*)=(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError(`${text} is not of the form name=value.`);
  return new Map([...before, [name, value]]);
}

/** `16,1k,8m` as bytes, growing. */
export function parseSizes(text: string): number[] {
  const units: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };
  const sizes = text.split(",").map((item) => {
    const [, digits, unit] = /^(\d{1,10})([kmg]?)$/.exec(item.trim().toLowerCase()) ?? [];
    if (digits === undefined) throw new InvalidArgumentError(`${item} is not a size like 16, 1k or 8m.`);
    return Number(digits) * units[unit];
  });
  return [...new Set(sizes)].sort((a, b) => a - b);
}

function parseEngines(text: string): EngineName[] {
  return text.split(",").map((item) => {
    const name = ENGINES.find((engine) => engine === item.trim());
    if (name === undefined) {
      throw new InvalidArgumentError(`${item} is not an engine; there are ${ENGINES.join(", ")}.`);
    }
    return name;
  });
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("A whole number from 1 on is needed.");
  return Number(text);
}
