/** Where reports go: the terminal, an HTML file, sections of a document. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { formatMachine, type Machine, runtimeOf } from "../machine.js";
import type { ResultsFile, SuiteResults } from "../results.js";
import { replaceSection } from "../sections.js";
import { formatMarkdown } from "../table.js";
import { makeReport } from "./build.js";
import { compareResults, comparisonSection } from "./compare.js";
import { reportHtml } from "./html.js";
import type { Report } from "./model.js";
import { readResults } from "./read.js";
import { reportMarkdown, reportText, sectionText } from "./text.js";

/** What is to become of results, besides being printed. */
export interface Outputs {
  /** File for the report. */
  readonly html?: string;
  /** Older results. */
  readonly baseline?: readonly ResultsFile[];
  readonly markdown?: true;
}

/** Adds the options of {@link Outputs} to a command. */
export function addOutputs(command: Command): Command {
  return command
    .option("--markdown", "print tables as Markdown")
    .option("--html <file>", "write a report with pictures, one file that needs no network", parseTarget)
    .option(
      "--baseline <file>",
      "compare with older results; ▲ and ▼ mark what lies beyond both errors",
      parseResults,
    );
}

/** A file to be written, checked before hours are spent on what goes into it. */
export function parseTarget(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidArgumentError("It is a folder.");
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError(`There is no folder ${dirname(path)}.`);
  }
  return path;
}

/** The runs of a results file, after those of the files before it. */
function parseResults(path: string, before: readonly ResultsFile[] = []): ResultsFile[] {
  try {
    return [...before, ...readResults(path)];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Compares with the older results, if asked, and prints that; writes the report, if asked. */
export function finish(runs: readonly ResultsFile[], { html, baseline, markdown }: Outputs): void {
  let report: Report = makeReport(runs);
  if (baseline !== undefined) {
    const comparison = comparisonSection(compareResults(baseline, runs));
    report = { ...report, comparison };
    console.log(`\n${sectionText(comparison, markdown === true)}`);
  }
  if (html !== undefined) writeFileSync(html, reportHtml(report));
}

/**
 * Writes a suite's tables between its markers in a document. Sections of runs outside Node have the runtime in their name:
 * `sizes-chromium`. The notes on how noisy it was are left out: those are for whoever runs it.
 */
export function writeSection(path: string, machine: Machine, { suite, tables }: SuiteResults): void {
  const shown = tables.filter(({ rows }) => rows.length > 0);
  const content = [`\`\`\`text\n${formatMachine(machine)}\n\`\`\``, ...shown.map(formatMarkdown)].join(
    "\n\n",
  );
  const product =
    machine.runtime === undefined ? "" : `-${runtimeOf(machine).split(" ", 1)[0].toLowerCase()}`;
  writeFileSync(path, replaceSection(readFileSync(path, "utf8"), `${suite}${product}`, content));
}

interface ReportFlags extends Outputs {
  readonly into?: string;
}

/** `bench report FILE…`: everything that a run prints and writes, from stored results. */
export function reportCommand(): Command {
  return addOutputs(new Command("report"))
    .description("make a report from stored results, or compare them, without measuring")
    .argument("<results...>", "files that --json wrote: shown beside each other", parseResults)
    .option("--into <file>", "replace the suites' sections of a Markdown file")
    .action(report);
}

function report(runs: readonly ResultsFile[], flags: ReportFlags): void {
  const { html, into, markdown } = flags;
  if ((html === undefined && into === undefined) || markdown) {
    console.log((markdown ? reportMarkdown : reportText)(makeReport(runs)));
  }
  if (into !== undefined) {
    for (const { machine, suites } of runs) for (const suite of suites) writeSection(into, machine, suite);
  }
  finish(runs, flags);
}
