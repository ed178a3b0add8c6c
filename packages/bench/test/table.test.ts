import { describe, expect, it } from "vitest";
import {
  formatMarkdown,
  formatOps,
  formatPercent,
  formatRatio,
  formatSize,
  formatText,
  formatTime,
} from "../src/table.js";

const table = {
  title: "Speeds",
  columns: ["size", "a|b", "c"],
  rows: [
    ["16 B", "1.00 M/s", "2"],
    ["1 MiB", "3", ""],
  ],
};

it("aligns the first column left and the others right", () => {
  expect(formatText(table).split("\n")).toEqual([
    "Speeds",
    "size        a|b  c",
    "-----  --------  -",
    "16 B   1.00 M/s  2",
    "1 MiB         3",
  ]);
});

it("writes Markdown with bars escaped", () => {
  expect(formatMarkdown(table).split("\n")).toEqual([
    "**Speeds**",
    "",
    "| size | a\\|b | c |",
    "| --- | ---: | ---: |",
    "| 16 B | 1.00 M/s | 2 |",
    "| 1 MiB | 3 |  |",
  ]);
});

describe("figures", () => {
  it.each([
    [16, "16 B"],
    [1024, "1 KiB"],
    [1500, "1500 B"],
    [1536, "1536 B"],
    [8 * 2 ** 20, "8 MiB"],
    [2 ** 31, "2 GiB"],
  ])("size %d", (bytes, text) => expect(formatSize(bytes)).toBe(text));

  it.each([
    [6.254e6, "6.25 M"],
    [91_449, "91.4 k"],
    [12.34, "12.3"],
    [216e6, "216 M"],
  ])("rate %d", (rate, text) => expect(formatOps(rate)).toBe(text));

  it.each([
    [159.7, "160 ns"],
    [3100, "3.10 µs"],
    [12.34e6, "12.3 ms"],
    [2.5e9, "2.50 s"],
  ])("time %d", (nanoseconds, text) => expect(formatTime(nanoseconds)).toBe(text));

  it("ratios and parts", () => {
    expect(formatRatio(0.949)).toBe("0.95×");
    expect(formatRatio(41.49)).toBe("41.5×");
    expect(formatRatio(Number.NaN)).toBe("–×");
    expect(formatPercent(0.0213)).toBe("±2 %");
  });
});
