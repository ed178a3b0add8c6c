/** A report in a terminal and in Markdown: machines, tables and notes, without pictures. */
import { formatMachine } from "../machine.js";
import { formatMarkdown, formatText, type Table } from "../table.js";
import type { Part, Report, Section } from "./model.js";

interface Style {
  readonly heading: (level: number, text: string) => string;
  readonly block: (text: string) => string;
  readonly table: (table: Table) => string;
}

const TEXT: Style = {
  heading: (level, text) => (level === 2 ? `${text}\n${"=".repeat(text.length)}` : text),
  block: (text) => text,
  table: formatText,
};

const MARKDOWN: Style = {
  heading: (level, text) => `${"#".repeat(level)} ${text}`,
  block: (text) => `\`\`\`text\n${text}\n\`\`\``,
  table: formatMarkdown,
};

/** For a terminal. */
export function reportText(report: Report): string {
  return format(report, TEXT);
}

/** For a document. */
export function reportMarkdown(report: Report): string {
  return format(report, MARKDOWN);
}

/** A section alone, as it stands in a terminal or in a document. */
export function sectionText(section: Section, markdown: boolean): string {
  return formatSection(section, markdown ? MARKDOWN : TEXT);
}

function format({ runs, sections, comparison }: Report, style: Style): string {
  const heads = runs.map(({ label, machine, method }) =>
    [style.heading(2, label), style.block(`${formatMachine(machine)}\n${method}`)].join("\n\n"),
  );
  const all = comparison === undefined ? sections : [...sections, comparison];
  return [...heads, ...all.map((section) => formatSection(section, style))].join("\n\n");
}

function formatSection({ title, lead, parts }: Section, style: Style): string {
  const several = parts.length > 1;
  const body = parts.flatMap((part) => [
    ...(several ? [style.heading(3, part.run)] : []),
    ...formatPart(part, style),
  ]);
  return [style.heading(2, title), ...(lead === "" ? [] : [lead]), ...body].join("\n\n");
}

function formatPart({ tables, notes }: Part, style: Style): string[] {
  const bullets = notes.map((note) => `- ${note}`).join("\n");
  return [...tables.map(style.table), ...(bullets === "" ? [] : [bullets])];
}
