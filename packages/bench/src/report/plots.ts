/** Pictures as SVG text: Observable Plot, drawing into a document that needs no browser. */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { Look } from "./looks.js";
import type { Axis, Bars, Figure, Lines } from "./model.js";

const { document } = parseHTML("<!doctype html><html><body></body></html>");

/** Width of a picture in its own units; the page scales it to the width that it has. */
const WIDTH = 500;
const LINES_HEIGHT = 360;
const BAR_HEIGHT = 40;

/** Ends of the axes, so that pictures side by side can be compared by eye. */
export interface Domains {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Picture as an `<svg>` element. `looks` has all of its series. */
export function draw(figure: Figure, looks: ReadonlyMap<string, Look>, domains?: Domains): string {
  const plot = figure.kind === "lines" ? lines(figure, looks, domains) : bars(figure, looks);
  const svg = Plot.plot({ ...plot, document, width: WIDTH, style: { fontSize: "12px" } });
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", describe(figure));
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  for (const style of svg.querySelectorAll("style")) style.remove();
  return shorten(svg.outerHTML);
}

/** The ends that hold all of these pictures. */
export function domainsOf(figures: readonly Lines[]): Domains {
  const points = figures.flatMap(({ series }) => series.flatMap((one) => one.points));
  const ends = figures.flatMap(({ y }) => (y.scale === "linear" ? [0, y.reference ?? 0] : []));
  const all = points.flatMap(({ low, high }) => [low, high]).filter(Number.isFinite);
  return {
    x: extent(points.map(({ x }) => x)),
    y: extent([...all, ...ends]),
  };
}

function extent(values: readonly number[]): [number, number] {
  return [
    values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  ];
}

function lines(figure: Lines, looks: ReadonlyMap<string, Look>, domains = domainsOf([figure])): Plot.PlotOptions {
  const { x, y, series } = figure;
  const reference = y.reference === undefined ? [] : [Plot.ruleY([y.reference], { stroke: "var(--muted)" })];
  return {
    height: LINES_HEIGHT,
    marginLeft: 52,
    marginRight: 16,
    marginBottom: 42,
    x: {
      type: x.scale,
      domain: domains.x,
      label: `${x.label} →`,
      labelArrow: "none",
      ticks: thinned(x, domains.x),
      tickFormat: x.format,
    },
    y: {
      type: y.scale,
      domain: domains.y,
      label: `↑ ${y.label}`,
      labelArrow: "none",
      grid: true,
      nice: true,
      tickFormat: y.scale === "log" ? powersOnly(y.format, domains.y) : y.format,
    },
    marks: [
      ...reference,
      ...series.flatMap(({ name, points }) => curve(points, looks.get(name)!)),
    ],
  };
}

function curve(points: Lines["series"][number]["points"], look: Look): Plot.Markish[] {
  const className = `series ${look.id}`;
  const shared = { x: "x", className } as const;
  const { colour: stroke, dash, symbol, width } = look;
  return [
    Plot.link(points, { className, x1: "x", x2: "x", y1: "low", y2: "high", stroke, strokeOpacity: 0.55 }),
    Plot.line(points, { ...shared, y: "value", stroke, strokeWidth: width, strokeDasharray: dash || "none" }),
    points.length > MANY
      ? []
      : Plot.dot(points, { ...shared, y: "value", stroke, fill: stroke, r: 2.6, symbol, title: "text" }),
  ];
}

/** More points than this are a line without marks. */
const MANY = 40;

function bars({ label, bars: all }: Bars, looks: ReadonlyMap<string, Look>): Plot.PlotOptions {
  const highest = extent(all.map(({ high }) => high))[1];
  const places = all.map((bar, place) => ({ ...bar, place, colour: looks.get(bar.series)!.colour }));
  const inexact = places.filter(({ low, high }) => low < high);
  return {
    height: all.length * BAR_HEIGHT + 44,
    marginLeft: 4,
    marginRight: 16,
    marginTop: 4,
    x: { label: `${label} →`, labelArrow: "none", ticks: 5, tickFormat: "~s", domain: [0, highest], grid: true },
    y: { type: "band", axis: null, padding: 0.12, domain: places.map(({ place }) => place) },
    marks: [
      Plot.barX(places, { x: "value", y: "place", fill: "colour", insetTop: 17, title: "text", rx: 2 }),
      Plot.link(inexact, { x1: "low", x2: "high", y1: "place", y2: "place", dy: 8.5, stroke: "var(--ink)" }),
      Plot.text(places, { x: 0, y: "place", text: "name", dy: -11, textAnchor: "start" }),
      Plot.text(places, {
        frameAnchor: "right",
        y: "place",
        text: "text",
        dy: -11,
        textAnchor: "end",
        fontVariant: "tabular-nums",
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

/** Over more than two decades only powers of ten are written. */
function powersOnly(format: Axis["format"], [low, high]: readonly [number, number]): Axis["format"] {
  const wide = high / low > 100;
  return (value) => (wide && !/^10*$|^0\.0*1$/.test(`${value}`) ? "" : format(value));
}

/** What a picture shows, for who cannot see it; the tables beneath have the figures. */
function describe(figure: Figure): string {
  if (figure.kind === "bars") return `Bars. ${figure.bars.map(({ name, text }) => `${name}: ${text}`).join("; ")}`;
  const { series, x, y } = figure;
  return `Curves of ${series.map(({ name }) => name).join(", ")}: ${y.label}, by ${x.label}`;
}

const COORDINATES = /\b(?:d|transform|r|[xy][12]?|width|height)="[^"]*"/g;

/** Coordinates to a tenth of a unit: a picture takes half of the space. */
function shorten(svg: string): string {
  return svg.replace(COORDINATES, (attribute) =>
    attribute.replace(/-?\d+\.\d{2,}/g, (number) => `${Math.round(Number(number) * 10) / 10}`),
  );
}
