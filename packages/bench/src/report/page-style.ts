/** The page's style sheet. */
import { PALETTES } from "./looks.js";

/** Rules of the whole page. */
export function pageStyle(): string {
  return `
:root { color-scheme: light dark; ${variables("light")} }
@media (prefers-color-scheme: dark) { :root { ${variables("dark")} } }
${RULES}`;
}

/** Lets a section's boxes show, hide and point out series. */
export function seriesStyle(section: string, ids: readonly string[]): string {
  const scope = `#${identifier(section)}`;
  return ids
    .map(
      (id) =>
        `${scope}:has(input.${id}:not(:checked)) .series.${id} { display: none }\n` +
        `${scope}:has(label.${id}:hover, input.${id}:focus-visible) .series:not(.${id}) { opacity: .12 }`,
    )
    .join("\n");
}

/** A suite's name as a CSS identifier. */
function identifier(name: string): string {
  return name.replace(/[^\w-]/g, (character) => `\\${character}`);
}

function variables(scheme: "light" | "dark"): string {
  const colours = Object.entries(PALETTES).flatMap(([name, { [scheme]: values }]) =>
    values.map((value, i) => `--${name}-${i + 1}: ${value}`),
  );
  return [...PAGE[scheme], ...colours].join("; ");
}

const PAGE = {
  light: [
    "--paper: #fbfbfa",
    "--card: #fff",
    "--ink: #1a1d21",
    "--muted: #5b6470",
    "--rule: #e3e4e6",
    "--good: #04704b",
    "--bad: #b3261e",
    "--unsure: #8a5a00",
    "--accent: #6d28d9",
  ],
  dark: [
    "--paper: #101214",
    "--card: #181b1f",
    "--ink: #e8eaed",
    "--muted: #a0a8b3",
    "--rule: #2d3238",
    "--good: #4ade80",
    "--bad: #ff8a80",
    "--unsure: #fbbf24",
    "--accent: #a78bfa",
  ],
} as const;

const RULES = `
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem clamp(.9rem, 3vw, 2.5rem) 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
h1 { font-size: clamp(1.7rem, 5vw, 2.4rem); line-height: 1.15; margin: .5rem 0; letter-spacing: -.02em }
h2 { font-size: 1.45rem; margin: 0; letter-spacing: -.01em }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem }
header p, .lead { color: var(--muted); max-width: 46rem; margin: .25rem 0 1rem }
a { color: var(--accent) }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; list-style: none; padding: 0; margin: 1.2rem 0 0 }
section { margin-top: 3rem; padding-top: 1.6rem; border-top: 1px solid var(--rule); scroll-margin-top: .5rem }
details { margin: .5rem 0 }
summary { cursor: pointer; color: var(--muted) }
.machine summary strong { color: var(--ink) }
.machine pre { overflow-x: auto; font-size: .78rem; line-height: 1.5; color: var(--muted); margin: .4rem 0 }
.legend { display: flex; flex-wrap: wrap; gap: .15rem .9rem; border: 0; margin: 0 0 1rem; padding: 0; font-size: .88rem }
.legend legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.legend label { display: inline-flex; align-items: center; gap: .35rem; min-height: 1.9rem; cursor: pointer }
.legend input { accent-color: var(--accent); margin: 0 }
.legend label:has(input:not(:checked)) { color: var(--muted); text-decoration: line-through }
.swatch { width: 28px; height: 10px; flex: none; fill: none }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem }
figure { margin: 0; padding: .9rem .9rem .5rem; background: var(--card); border: 1px solid var(--rule); border-radius: 8px;
  max-width: 44rem }
figcaption { font-weight: 600; margin-bottom: .4rem }
figcaption small { font-weight: 400; color: var(--muted) }
figure svg { display: block; width: 100%; height: auto; overflow: visible; font-size: 12px }
.series { transition: opacity .12s }
.highlights { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin-top: 1.2rem }
.scroll { overflow-x: auto; max-width: 100%; margin: .4rem 0 }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; white-space: nowrap }
caption { text-align: left; font-weight: 600; padding: .3rem 0; white-space: normal }
th, td { padding: .28rem .7rem; text-align: right; border-bottom: 1px solid var(--rule) }
th { font-weight: 500; color: var(--muted) }
th:first-child { text-align: left; padding-left: 0 }
thead th { vertical-align: bottom }
.good { color: var(--good) } .bad { color: var(--bad) } .unsure { color: var(--unsure) }
.notes { color: var(--muted); font-size: .88rem; padding-left: 1.2rem }
@media (max-width: 30rem) { figure svg { font-size: 14.5px } }
@media (prefers-reduced-motion: reduce) { .series { transition: none } }
@media print { body { max-width: none } .legend input { display: none } }
`;
