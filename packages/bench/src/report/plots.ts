/** Pictures as SVG text: Observable Plot, drawing into a document that needs no browser. */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { Look } from "./looks.js";
import { escapeHtml } from "./markup.js";
import type { Axis, Bars, Figure, Lines, Point } from "./model.js";

const { document } = parseHTML("<!doctype html><html><body></body></html>");

/** Width of a picture in its own units, in which the page's style sheet gives the size of letters too. */
const WIDTH = 460;
const LINES_HEIGHT = 350;
const BAR_HEIGHT = 40;

/** Ends of the axes, so that pictures side by side can be compared by eye. */
export interface Domains {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Picture as an `<svg>` element. `looks` has all of its series. */
export function draw(figure: Figure, looks: ReadonlyMap<string, Look>, domains?: Domains): string {
  const plot = figure.kind === "lines" ? lines(figure, looks, domains) : bars(figure, looks);
  const label = escapeHtml(describe(figure));
  return svgOf({ ...plot, width: WIDTH }, `role="img" aria-label="${label}"`);
}

/** A piece of a contestant's curve, for legends. */
export function drawSwatch(look: Look): string {
  const middle = SWATCH.height / 2;
  const ends = [1, SWATCH.width - 1].map((x) => ({ x, value: middle }));
  return svgOf(
    {
      ...SWATCH,
      margin: 0,
      x: { axis: null, domain: [0, SWATCH.width] },
      y: { axis: null, domain: [0, SWATCH.height] },
      marks: [curveLine(ends, look), curveDots([{ x: SWATCH.width / 2, value: middle }], look)],
    },
    'class="swatch" aria-hidden="true"',
  );
}

const SWATCH = { width: 28, height: 10 } as const;

function svgOf(options: Plot.PlotOptions, attributes: string): string {
  const svg = Plot.plot({ ...options, document });
  for (const name of ["class", "width", "height"]) svg.removeAttribute(name);
  for (const style of svg.querySelectorAll("style")) style.remove();
  return shorten(svg.outerHTML).replace("<svg ", () => `<svg ${attributes} `);
}

/** What lies further above a reference is cut off: it is noise. */
const ABOVE = 1.5;

/** How far beyond its value an error can stretch a log axis. */
const REACH = 2;

/** The ends that hold all of these pictures; errors may be cut off, so that the curves have room. */
export function domainsOf(figures: readonly Lines[]): Domains {
  const points = figures.flatMap(({ series }) => series.flatMap((one) => one.points));
  const y = figures.flatMap(({ y: { scale, reference }, series }) =>
    series.flatMap((one) =>
      one.points.flatMap(({ value, low, high }) =>
        scale === "log"
          ? [Math.max(low, value / REACH), Math.min(high, value * REACH)]
          : [0, reference ?? 0, Math.min(value, (reference ?? value) * ABOVE)],
      ),
    ),
  );
  return { x: extent(points.map(({ x }) => x)), y: extent(y.filter(Number.isFinite)) };
}

function extent(values: readonly number[]): [number, number] {
  return [
    values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  ];
}

function lines(
  figure: Lines,
  looks: ReadonlyMap<string, Look>,
  domains = domainsOf([figure]),
): Plot.PlotOptions {
  const { x, y, series } = figure;
  const reference = y.reference === undefined ? [] : [Plot.ruleY([y.reference], { stroke: "var(--muted)" })];
  const yDomain = rounded(domains.y, y.scale);
  const yTicks = ticksOf(yDomain, y.scale);
  // Ticks with their texts: a log scale would leave out texts of ticks that are given to it.
  const shared = { labelArrow: "none", fontVariant: "tabular-nums" } as const;
  return {
    height: LINES_HEIGHT,
    // Room for the marks at the ends.
    inset: 4,
    marginTop: 32,
    marginLeft: 52,
    marginRight: 16,
    marginBottom: 42,
    x: { type: x.scale, domain: domains.x },
    y: { type: y.scale, domain: yDomain },
    marks: [
      Plot.gridY(yTicks, { stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisX(thinned(x, domains.x), { ...shared, text: x.format, label: `${x.label} →` }),
      Plot.axisY(yTicks, { ...shared, text: y.format, tickSize: 0, label: `↑ ${y.label}` }),
      ...reference,
      ...series.flatMap(({ name, points }) => curve(points, looks.get(name)!)),
    ],
  };
}

/** More points than this are a line in a band instead of marks with bars. */
const MANY = 40;

function curve(points: readonly Point[], look: Look): Plot.Markish[] {
  const shared = { className: `series ${look.id}`, clip: true } as const;
  const line = curveLine(points, look, shared);
  if (points.length > MANY) {
    const ends = { x: "x", y1: "low", y2: "high" };
    return [Plot.areaY(points, { ...shared, ...ends, fill: look.colour, fillOpacity: 0.12 }), line];
  }
  const ends = { x1: "x", x2: "x", y1: "low", y2: "high" };
  return [
    Plot.link(points, { ...shared, ...ends, stroke: look.colour, strokeOpacity: 0.55 }),
    line,
    curveDots(points, look, { ...shared, title: "text" }),
  ];
}

type Place = Pick<Point, "x" | "value">;

function curveLine(points: readonly Place[], { colour, dash, width }: Look, more: Plot.LineOptions = {}) {
  const strokes = { stroke: colour, strokeWidth: width, strokeDasharray: dash || "none" };
  return Plot.line(points, { ...more, ...strokes, x: "x", y: "value" });
}

function curveDots(points: readonly Place[], { colour, symbol }: Look, more: Plot.DotOptions = {}) {
  return Plot.dot(points, { ...more, stroke: colour, fill: colour, symbol, r: 2.6, x: "x", y: "value" });
}

function bars({ bars: all }: Bars, looks: ReadonlyMap<string, Look>): Plot.PlotOptions {
  const places = all.map((bar, place) => ({ ...bar, place, colour: looks.get(bar.series)!.colour }));
  const inexact = places.filter(({ low, high }) => low < high);
  const text = { y: "place", dy: -11 } as const;
  return {
    height: all.length * BAR_HEIGHT + 8,
    margin: 4,
    x: { axis: null, domain: [0, extent(all.map(({ high }) => high))[1]] },
    y: { type: "band", axis: null, padding: 0.12, domain: places.map(({ place }) => place) },
    marks: [
      Plot.barX(places, { x: "value", y: "place", fill: "colour", insetTop: 17, title: "text", rx: 2 }),
      Plot.link(inexact, { x1: "low", x2: "high", y1: "place", y2: "place", dy: 8.5, stroke: "var(--ink)" }),
      Plot.text(places, { ...text, x: 0, text: "name", textAnchor: "start" }),
      Plot.text(places, {
        ...text,
        frameAnchor: "right",
        text: "text",
        textAnchor: "end",
        fill: "var(--muted)",
      }),
    ],
  };
}

/** At most seven ticks, the first and last among them. */
function thinned({ ticks = [], scale }: Axis, [low, high]: readonly [number, number]): number[] {
  const shown = ticks.filter((tick) => tick >= low && tick <= high);
  if (shown.length <= 8) return shown;
  if (scale === "linear") return shown.filter((_, i) => i % Math.ceil(shown.length / 7) === 0);
  const steps = Array.from({ length: 7 }, (_, i) => low * (high / low) ** (i / 6));
  const near = steps.map((step) =>
    shown.reduce((a, b) => (Math.abs(Math.log(b / step)) < Math.abs(Math.log(a / step)) ? b : a)),
  );
  return [...new Set(near)];
}

const STEPS: readonly number[] = [1, 2, 5];

/** Outwards to the next of 1, 2, 5, 10, … on a log axis, to the next tenth on a linear one. */
function rounded([low, high]: readonly [number, number], scale: Axis["scale"]): [number, number] {
  if (scale === "linear") return [Math.floor(low * 10) / 10, Math.ceil(high * 10) / 10];
  const all = series125(low / 10, high * 10);
  return [all.findLast((step) => step <= low)!, all.find((step) => step >= high)!];
}

/** Powers of ten on a log axis of more than two decades, else also 2 and 5 times them; about six on a linear one. */
function ticksOf([low, high]: readonly [number, number], scale: Axis["scale"]): number[] {
  if (scale === "linear") {
    const step = series125((high - low) / 60, high - low).find((each) => (high - low) / each <= 6)!;
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
  }
  const all = series125(low, high);
  return high / low > 100 ? all.filter((each) => Number.isInteger(Math.log10(each))) : all;
}

/** 1, 2 and 5 times the powers of ten, from `low` to `high`. */
function series125(low: number, high: number): number[] {
  const found: number[] = [];
  for (let exponent = Math.floor(Math.log10(low)); 10 ** exponent <= high; exponent++) {
    for (const step of STEPS) {
      const each = Number(`${step}e${exponent}`);
      if (each >= low && each <= high) found.push(each);
    }
  }
  return found;
}

/** What a picture shows, for who cannot see it; the tables beneath have the figures. */
function describe(figure: Figure): string {
  if (figure.kind === "bars")
    return `Bars. ${figure.bars.map(({ name, text }) => `${name}: ${text}`).join("; ")}`;
  const { series, x, y } = figure;
  return `Curves of ${series.map(({ name }) => name).join(", ")}: ${y.label}, by ${x.label}`;
}

const COORDINATES = /\b(?:d|transform|r|c?[xy][12]?|width|height)="[^"]*"/g;

/** Coordinates to a tenth of a unit: a picture takes half of the space. */
function shorten(svg: string): string {
  return svg.replace(COORDINATES, (attribute) =>
    attribute.replace(/-?\d+\.\d{2,}/g, (number) => `${Math.round(Number(number) * 10) / 10}`),
  );
}
