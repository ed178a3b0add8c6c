import { describe, expect, it } from "vitest";
import { score } from "../../src/harness.js";
import { looksOf, PALETTES } from "../../src/report/looks.js";
import type { Bars, Lines } from "../../src/report/model.js";
import { picturesOf } from "../../src/report/pictures.js";
import { draw } from "../../src/report/plots.js";
import type { SuiteRecord, Unit } from "../../src/results.js";
import { judge } from "../../src/suites/suite.js";
import { CURVE, sizeRow } from "./sample.js";

function valuesRow(row: SuiteRecord["row"], unit: Unit, values: Record<string, number>): SuiteRecord {
  const list = Object.entries(values).map(([name, value]) => ({ name, value, unit }));
  return { row, scores: [], verdicts: [], values: list };
}

const bars = (suite: string, records: SuiteRecord[]) =>
  (picturesOf(suite, records) as Bars[]).map(({ title, bars: all }) => [
    title,
    all.map(({ name, text }) => `${name}: ${text}`),
  ]);

describe("picturesOf", () => {
  it("makes a curve of three sizes and more, in MB/s with its error", () => {
    const [figure, ...rest] = picturesOf("sizes", CURVE) as Lines[];
    expect(rest).toEqual([]);
    expect(figure.title).toBe("encrypt, AES-128");
    expect(figure.x.ticks).toEqual([16, 1024, 16384, 2 ** 20]);
    expect(figure.series.map(({ name }) => name)).toEqual(["native", "noble"]);
    const [first] = figure.series[0].points;
    expect(first).toMatchObject({ x: 16, text: "native, 16 B: 138 MB/s, 8.62 M/s ±9 %" });
    expect(first.value).toBeCloseTo(16e3 / 116);
    expect(first.low).toBeCloseTo(16e3 / 126);
    expect(first.high).toBeCloseTo(16e3 / 106);
  });

  it("makes bars of fewer sizes, a picture for each row", () => {
    expect(bars("streams", [sizeRow("encryptStream", 1024, { a: [1024], b: [2048] })])).toEqual([
      ["encryptStream, 1 KiB, AES-128", ["a: 1000 MB/s ±0 %", "b: 500 MB/s ±0 %"]],
    ]);
  });

  it("makes bars of times where there are no bytes, and of values by their unit", () => {
    const timed = judge({ range: 2 ** 20 }, [score({ name: "cat" }, [5e6])], []);
    const rows = [timed, valuesRow({ operation: "TestAESEncode" }, "ms", { off: 2000, on: 250 })];
    expect(bars("file", rows)).toEqual([
      ["range of 1 MiB", ["cat: 5.00 ms"]],
      ["TestAESEncode", ["off: 2.00 s", "on: 250 ms"]],
    ]);
  });

  it("shows the ladder with its times, coloured by engine", () => {
    const row = sizeRow("encryptInto", 1000, { "portable: everything off": [100], "wasm: fast": [10] });
    const fast = judge(row.row, row.scores, [{ name: "wasm: fast", baseline: "portable: everything off" }]);
    const [figure] = picturesOf("ladder", [fast]) as Bars[];
    expect(figure.bars.map(({ text, series }) => [text, series])).toEqual([
      ["10000 MB/s · 1.00×", "portable"],
      ["100000 MB/s · 10.0×", "wasm"],
    ]);
  });

  it("shows the warm-up call by call, as parts of the steady speed", () => {
    const scores = [
      score({ name: "import" }, [3e6]),
      score({ name: "call 1" }, [400]),
      score({ name: "steady" }, [100]),
    ];
    const curve = Array.from({ length: 100 }, (_, i) => ({
      name: `call ${i + 1}`,
      value: i === 0 ? 400 : 100,
      unit: "ns" as const,
    }));
    const record = { row: { engine: "wasm", size: 16384 }, scores, verdicts: [], values: curve };
    const [lines, starts] = picturesOf("first-call", [record]) as [Lines, Bars];
    expect(lines.series[0].points).toHaveLength(100);
    expect(lines.series[0].points.slice(0, 2).map(({ x, value }) => [x, value])).toEqual([
      [1, 0.25],
      [2, 1],
    ]);
    expect(starts.bars.map(({ name, text }) => `${name} ${text}`)).toEqual(["wasm: import 3.00 ms"]);
    const { values: _, ...older } = record;
    const [few] = picturesOf("first-call", [older]) as [Lines];
    expect(few.series[0].points.map(({ x }) => x)).toEqual([1]);
  });

  it("shows threads in sum and each", () => {
    const rows = [1, 2].map((threads) =>
      valuesRow({ engine: "native", size: 1024, threads }, "MB/s", { each: 100, sum: 100 * threads }),
    );
    const figures = picturesOf("threads", rows) as Lines[];
    expect(figures.map(({ title, series }) => [title, series[0].points.map(({ value }) => value)])).toEqual([
      ["1 KiB, all threads together", [100, 200]],
      ["1 KiB, each thread", [100, 100]],
    ]);
  });

  it("puts the soonest start and the smallest bundle first", () => {
    const starts = ["slow", "quick"].map((engine, i) =>
      valuesRow({ engine, size: 1024 }, "ms", { import: 1, "to first ciphertext": 20 - 10 * i }),
    );
    expect(bars("cold-start", starts)).toEqual([
      ["Until the first ciphertext of 1 KiB", ["quick: 10.0 ms", "slow: 20.0 ms"]],
    ]);
    const bundles = ["big", "small"].map((bundle, i) =>
      valuesRow({ bundle, from: "evariste" }, "bytes", { minified: 9000, gzipped: 5000 - 1000 * i }),
    );
    expect(bars("bundle-size", bundles)).toEqual([
      ["In a web page, minified and gzipped", ["small: 4,000 bytes", "big: 5,000 bytes"]],
    ]);
  });
});

describe("looksOf", () => {
  it("gives each of many contestants a look of its own, and kin alike lines", () => {
    const names = [
      ..."evariste native openssl wasm portable StitchedGcm noble stablelib sjcl forge asmcrypto".split(" "),
      ..."createCipheriv,createCipheriv raw key,joined,WebCrypto,WebCrypto ×16,Java 17,Java 25".split(","),
      ..."Bun createCipheriv,Bun WebCrypto,Deno createCipheriv,Deno WebCrypto".split(","),
    ];
    const looks = looksOf(names);
    expect([...looks.keys()]).toEqual(names);
    const seen = [...looks.values()].map(({ colour, dash, symbol }) => `${colour} ${dash} ${symbol}`);
    expect(new Set(seen).size).toBe(names.length);
    expect(looks.get("native")!.dash).toBe(looks.get("wasm")!.dash);
    expect(looksOf(["noble", "native"]).get("native")!.colour).toBe(looks.get("native")!.colour);
  });

  it("has as many colours for dark pages as for light ones", () => {
    for (const { light, dark } of Object.values(PALETTES)) expect(dark).toHaveLength(light.length);
  });
});

describe("draw", () => {
  it("draws what was measured where it belongs", () => {
    const [figure] = picturesOf("sizes", CURVE);
    const svg = draw(figure, looksOf(["native", "noble"]), { x: [16, 2 ** 20], y: [1, 1000] });
    const [from, to] = [...svg.matchAll(/<text transform="translate\(([\d.]+),[\d.]+\)"[^>]*>(16|1M)</g)];
    expect(Number(to[1]) - Number(from[1])).toBeGreaterThan(300);
    expect(svg.match(/<title>/g)).toHaveLength(8);
    expect(svg).not.toMatch(/\d\.\d{3}/);
  });

  it("draws bars as long as their values", () => {
    const [figure] = picturesOf("streams", [sizeRow("encryptStream", 1024, { a: [1024], b: [2048] })]);
    const svg = draw(figure, looksOf(["a", "b"]));
    const widths = [...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map((match) => Number(match[1]));
    expect(widths).toHaveLength(2);
    expect(widths[0] / widths[1]).toBeCloseTo(2, 1);
  });
});
