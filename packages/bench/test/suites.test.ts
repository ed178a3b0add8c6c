import { describe, expect, it } from "vitest";
import { findRuntimes } from "../src/processes/find-runtimes.js";
import { SUITES } from "../src/suites/index.js";
import { summary } from "../src/suites/threads.js";

describe("threads", () => {
  it("are the median thread and the sum of each round", () => {
    const [each, sum] = summary([
      [100, 200],
      [110, 210],
      [120, 220],
    ]);
    expect(each).toEqual({ name: "each", value: 160, low: 100, high: 220, unit: "MB/s" });
    expect(sum).toEqual({ name: "sum", value: 320, low: 300, high: 340, unit: "MB/s" });
  });
});

describe("other runtimes", () => {
  it("are taken from where a variable says", () => {
    const { runtimes, notes } = findRuntimes({
      EVARISTE_BUN: process.execPath,
      EVARISTE_DENO: "/no/such",
      PATH: "",
    });
    expect(runtimes).toEqual([{ label: "Bun", path: process.execPath, args: [] }]);
    expect(notes).toEqual(["Deno is missing: EVARISTE_DENO names a file that is not there"]);
  });
});

it("every suite says in a line what it is", () => {
  for (const { summary: line } of SUITES.values()) expect(line).toMatch(/^[^\n]{20,140}$/);
});
