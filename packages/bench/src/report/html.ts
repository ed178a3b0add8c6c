/** A report as one HTML file that needs nothing else: no script, no network. */
import { formatMachine } from "../machine.js";
import type { Table } from "../table.js";
import { type Look, looksOf } from "./looks.js";
import { type Html, html, join, trusted } from "./markup.js";
import type { Figure, Lines, Part, Report, RunHead, Section } from "./model.js";
import { pageStyle, seriesStyle } from "./page-style.js";
import { type Domains, domainsOf, draw, drawSwatch } from "./plots.js";

/** The page. */
export function reportHtml(report: Report): string {
  const { runs, sections, comparison } = report;
  const all = comparison === undefined ? sections : [comparison, ...sections];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Evariste: AES-GCM measured</title>
<style>${trusted(pageStyle())}</style>
</head>
<body>
<header>
<h1>AES-GCM, measured</h1>
<p>Every figure is a median; the bars on it are its 99.9 % confidence interval, or the range of fewer than 11 samples.
Contestants took turns on one machine. Choose in a legend what its pictures show.</p>
${join(runs.map(runHead))}
<nav aria-label="Contents"><ul>${join(all.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`))}</ul></nav>
</header>
<main>
${join(all.map(section))}
</main>
</body>
</html>
`;
  return page.text;
}

function runHead({ label, machine, method }: RunHead): Html {
  const { cpu, cores, platform, commit, date } = machine;
  return html`<details class="machine">
<summary><strong>${label}</strong> on ${cpu}, ${cores} cores, ${platform}; ${date.slice(0, 10)}${commit === undefined ? "" : `, commit ${commit}`}</summary>
<pre>${formatMachine(machine)}
${method}</pre>
</details>`;
}

function section({ id, title, lead, parts }: Section): Html {
  const figures = parts.flatMap((part) => part.figures);
  const looks = looksOf(figures.flatMap(namesOf));
  const curved = parts.some((part) => part.figures.some(({ kind }) => kind === "lines"));
  const several = parts.length > 1;
  return html`<section id="${id}">
<h2>${title}</h2>
<p class="lead">${lead}</p>
${curved ? legend(id, figures, looks) : ""}
${join(parts.map((one) => part(one, several, looks, sharedDomains(figures))))}
</section>`;
}

function namesOf(figure: Figure): string[] {
  return figure.kind === "lines"
    ? figure.series.map(({ name }) => name)
    : figure.bars.map(({ series }) => series);
}

/** Pictures of the same quantities have the same axes. */
function sharedDomains(figures: readonly Figure[]): (figure: Figure) => Domains | undefined {
  const kind = ({ x, y }: Lines) => `${x.label} ${y.label}`;
  const curved = figures.filter((figure) => figure.kind === "lines");
  return (figure) =>
    figure.kind === "lines" ? domainsOf(curved.filter((other) => kind(other) === kind(figure))) : undefined;
}

/** Boxes that show and hide a contestant in all pictures of the section; CSS does it. */
function legend(id: string, figures: readonly Figure[], looks: ReadonlyMap<string, Look>): Html {
  const names = new Set(figures.filter(({ kind }) => kind === "lines").flatMap(namesOf));
  const shown = [...looks].filter(([name]) => names.has(name));
  return html`<style>${trusted(
    seriesStyle(
      id,
      shown.map(([, look]) => look.id),
    ),
  )}</style>
<fieldset class="legend"><legend>Contestants</legend>
${join(
  shown.map(
    ([name, look]) =>
      html`<label class="${look.id}"><input type="checkbox" class="${look.id}" checked>${trusted(drawSwatch(look))}${name}</label>`,
  ),
)}
</fieldset>`;
}

function part(
  { run, figures, highlights, tables, notes }: Part,
  several: boolean,
  looks: ReadonlyMap<string, Look>,
  domains: (figure: Figure) => Domains | undefined,
): Html {
  const pictures = figures.map((figure) => picture(figure, looks, domains(figure)));
  // Where there are pictures, what they show is also there in figures, for who wants to read it.
  const folded = figures.length > 0 || highlights.length > 0;
  return html`${several ? html`<h3>${run}</h3>` : ""}
${pictures.length === 0 ? "" : html`<div class="figures">${join(pictures)}</div>`}
${highlights.length === 0 ? "" : html`<div class="highlights">${join(highlights.map((one) => table(one)))}</div>`}
${join(tables.map((one) => (folded ? html`<details><summary>Table: ${one.title}</summary>${table(one)}</details>` : table(one))))}
${notes.length === 0 ? "" : html`<ul class="notes">${join(notes.map((note) => html`<li>${note}</li>`))}</ul>`}`;
}

function picture(figure: Figure, looks: ReadonlyMap<string, Look>, domains: Domains | undefined): Html {
  const label = figure.kind === "bars" ? html` <small>${figure.label}</small>` : "";
  return html`<figure class="${figure.kind}"><figcaption>${figure.title}${label}</figcaption>
${trusted(draw(figure, looks, domains))}</figure>`;
}

function table({ title, columns, rows }: Table): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title || "Table"}"><table>
<caption>${title}</caption>
<thead><tr>${join(columns.map((column) => html`<th scope="col">${column}</th>`))}</tr></thead>
<tbody>${join(rows.map(row))}</tbody>
</table></div>`;
}

function row([head = "", ...cells]: readonly string[]): Html {
  return html`<tr><th scope="row">${head}</th>${join(cells.map((cell) => html`<td class="${toneOf(cell)}">${cell}</td>`))}</tr>`;
}

/** The marks by which tables say good and bad, whatever they are shown on. */
const TONES: readonly (readonly [RegExp, string])[] = [
  [/ ▲$| ≥ /, "good"],
  [/ ▼$| MISSES /, "bad"],
  [/ < .*\?$/, "unsure"],
];

function toneOf(cell: string): string {
  return TONES.find(([mark]) => mark.test(cell))?.[1] ?? "plain";
}
