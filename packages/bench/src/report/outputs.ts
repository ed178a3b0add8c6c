/** Where reports go: the terminal, an HTML file, sections of a document. */
import { readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
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
  readonly baseline?: string;
  readonly markdown?: true;
}

/** Adds the options of {@link Outputs} to a command. */
export function addOutputs(command: Command): Command {
  return command
    .option("--markdown", "print tables as Markdown")
    .option("--html <file>", "write a report with pictures, one file that needs no network")
    .option("--baseline <file>", "compare with older results; ▲ and ▼ mark what lies beyond both errors");
}

/** Compares with the older results, if asked, and prints that; writes the report, if asked. */
export function finish(runs: readonly ResultsFile[], { html, baseline, markdown }: Outputs): void {
  let report: Report = makeReport(runs);
  if (baseline !== undefined) {
    const comparison = comparisonSection(compareResults(readResults(baseline), runs));
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
    .argument("<results...>", "files that --json wrote: shown beside each other")
    .option("--into <file>", "replace the suites' sections of a Markdown file")
    .action(report);
}

function report(paths: readonly string[], flags: ReportFlags): void {
  const runs = paths.flatMap(readResults);
  const { html, into, markdown } = flags;
  if ((html === undefined && into === undefined) || markdown) {
    console.log((markdown ? reportMarkdown : reportText)(makeReport(runs)));
  }
  if (into !== undefined) {
    for (const { machine, suites } of runs) for (const suite of suites) writeSection(into, machine, suite);
  }
  finish(runs, flags);
}
