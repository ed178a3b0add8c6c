import { describe, expect, it } from "vitest";
import { compareResults, comparisonSection, formatChange, summarise } from "../../src/report/compare.js";
import type { SuiteRecord, Value } from "../../src/results.js";
import { resultsOf, sizeRow, sizesSuite } from "./sample.js";

const run = (samples: Record<string, number[]>, runtime?: string) =>
  resultsOf([sizesSuite([sizeRow("encrypt", 16, samples)])], runtime);

function values(...list: Value[]): SuiteRecord {
  return { row: { bundle: "everything" }, scores: [], verdicts: [], values: list };
}

const bundles = (...list: Value[]) =>
  resultsOf([{ suite: "bundle-size", records: [values(...list)], tables: [], notes: [] }]);

describe("compareResults", () => {
  it("gives the change of speed, and marks only what is beyond both errors", () => {
    const before = run({ a: [100, 105, 110], b: [100, 105, 110], c: [100, 105, 110] });
    const after = run({ a: [50, 51, 52], b: [108, 112, 120], c: [200, 210, 220] });
    const { changes } = compareResults([before], [after]);
    expect(changes.map(({ name, beyond }) => [name, beyond])).toEqual([
      ["a", true],
      ["b", false],
      ["c", true],
    ]);
    expect(changes.map(formatChange)).toEqual(["+105.9 % ▲", "−6.3 %", "−50.0 % ▼"]);
  });

  it("takes intervals that touch for agreement", () => {
    const [change] = compareResults([run({ a: [100, 105, 110] })], [run({ a: [110, 115, 120] })]).changes;
    expect(change.beyond).toBe(false);
  });

  it("agrees with itself everywhere", () => {
    const same = run({ a: [100, 105, 110], b: [1, 2, 3] });
    expect(summarise(compareResults([same], [same]))).toBe("2 of 2 rows agree within their errors");
  });

  it("matches by suite, row and contestant, whatever the order of a row's words", () => {
    const before = run({ a: [100], gone: [100] });
    const [record] = before.suites[0].records;
    const turned = { ...record, row: { keyBits: 128, size: 16, operation: "encrypt" } };
    const after = resultsOf([
      { ...before.suites[0], records: [turned, sizeRow("encrypt", 64, { a: [1], b: [1] })] },
    ]);
    const comparison = compareResults([before], [after]);
    expect(comparison.changes.map(({ row, name }) => [row, name])).toEqual([
      ["AES-128, 16 B, encrypt", "a"],
      ["AES-128, 16 B, encrypt", "gone"],
    ]);
    expect(summarise(comparison)).toBe("2 of 2 rows agree within their errors; 2 only in the newer results");
    expect(summarise(compareResults([after], [before]))).toContain("2 only in the older results");
  });

  it("keeps runtimes apart, but not their versions", () => {
    const before = [run({ a: [100] }), run({ a: [900] }, "Firefox 140.1"), run({ a: [500] }, "Chromium 150")];
    const after = [run({ a: [450] }, "Firefox 141.0")];
    const { changes, onlyBefore } = compareResults(before, after);
    expect(changes.map(({ run: where, change }) => [where, change])).toEqual([["Firefox 141.0", 1]]);
    expect(onlyBefore).toBe(2);
  });

  it("knows that fewer bytes and shorter times are better", () => {
    const before = bundles(
      { name: "gzipped", value: 1000, unit: "bytes" },
      { name: "start", value: 10, low: 9, high: 11, unit: "ms" },
      { name: "sum", value: 100, low: 99, high: 101, unit: "MB/s" },
    );
    const after = bundles(
      { name: "gzipped", value: 990, unit: "bytes" },
      { name: "start", value: 20, low: 18, high: 22, unit: "ms" },
      { name: "sum", value: 200, low: 190, high: 210, unit: "MB/s" },
    );
    expect(compareResults([before], [after]).changes.map(formatChange)).toEqual([
      "−1.0 % ▲",
      "+100.0 % ▼",
      "+100.0 % ▲",
    ]);
  });

  it("leaves out the curve that stands beside scores", () => {
    const record = sizeRow("encrypt", 16, { steady: [100] });
    const curve = [{ name: "call 1", value: 5, unit: "ns" as const }];
    const run = resultsOf([sizesSuite([{ ...record, values: curve }])]);
    expect(compareResults([run], [run]).changes.map(({ name }) => name)).toEqual(["steady"]);
  });

  it("has no percentage of nothing", () => {
    const zero = bundles({ name: "gzipped", value: 0, unit: "bytes" });
    expect(compareResults([zero], [zero]).changes.map(formatChange)).toEqual(["–"]);
  });
});

describe("comparisonSection", () => {
  it("has what changed at once, all rows in a table, and the summary last", () => {
    const section = comparisonSection(
      compareResults([run({ a: [100], b: [100] })], [run({ a: [50], b: [100] })]),
    );
    const [part, summary] = section.parts;
    expect(part.highlights[0].rows).toEqual([["sizes: encrypt, 16 B, AES-128: a", "+100.0 % ▲"]]);
    expect(part.tables).toEqual([
      {
        title: "sizes",
        columns: ["row", "a", "b"],
        rows: [["encrypt, 16 B, AES-128", "+100.0 % ▲", "+0.0 %"]],
      },
    ]);
    expect(summary.notes).toEqual(["1 of 2 rows agree within their errors"]);
  });

  it("has a summary also when nothing can be compared", () => {
    const { parts } = comparisonSection(compareResults([], []));
    expect(parts.map(({ notes }) => notes)).toEqual([["0 of 0 rows agree within their errors"]]);
  });
});
