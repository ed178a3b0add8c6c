import { describe, expect, it } from "vitest";
import type { FirstCalls } from "../src/processes/first-call-child.js";
import { LineProcess } from "../src/processes/line-process.js";
import { measuredRun } from "../src/processes/measured-run.js";
import { record } from "../src/suites/first-call.js";

const ECHO = `process.stdin.setEncoding("utf8").on("data", (text) => {
  for (const line of text.trim().split("\\n")) {
    if (line === "die") { console.error("tired"); process.exit(3); }
    console.log(line.toUpperCase());
  }
});`;

describe("LineProcess", () => {
  it("gets a line for a line, and lets the process end", async () => {
    const child = new LineProcess("echo", process.execPath, ["-e", ECHO]);
    expect(await child.ask("one")).toBe("ONE");
    expect(await child.ask("two")).toBe("TWO");
    child.close();
  });

  it("says how the process ended and why", async () => {
    const child = new LineProcess("echo", process.execPath, ["-e", ECHO]);
    await expect(child.ask("die")).rejects.toThrow("echo ended with code 3: tired");
    await expect(child.ask("one")).rejects.toThrow("echo ended with code 3");
  });

  it("says what cannot be started", async () => {
    const child = new LineProcess("nothing", "/no/such/program", []);
    await expect(child.ask("x")).rejects.toThrow(/nothing cannot be started/);
  });
});

describe("measuredRun", () => {
  it("gives the time and the peak memory of a program, held to its exit too", async () => {
    const small = await measuredRun(["-e", ""]);
    const large = await measuredRun(["-e", "Buffer.alloc(200e6, 1); process.exit(0)"]);
    expect(small.nanoseconds).toBeGreaterThan(0);
    expect(large.peakMemory - small.peakMemory).toBeGreaterThan(150e6);
  });

  it("fails with what the program said", async () => {
    await expect(measuredRun(["-e", "console.error('no disk'); process.exit(2)"])).rejects.toThrow(
      /code 2: no disk/,
    );
  });
});

it("first calls become scores of each step and ratios to the steady state", () => {
  const one = (scale: number): FirstCalls => ({
    importing: 5e6 * scale,
    creating: 1e6 * scale,
    calls: Array.from({ length: 100 }, (_, i) => (i === 0 ? 4000 : 1000) * scale),
    steady: 1000 * scale,
  });
  const { row, scores, verdicts, values } = record("native", 2 ** 20, [1, 2, 3].map(one));
  expect(row).toEqual({ engine: "native", operation: "encryptInto", size: 2 ** 20 });
  expect(scores.find(({ name }) => name === "to first ciphertext")?.nanoseconds.median).toBe(12_008_000);
  expect(verdicts.map(({ name, ratio }) => [name, ratio.median])).toEqual([
    ["call 1", 0.25],
    ["call 2", 1],
    ["call 10", 1],
    ["call 100", 1],
  ]);
  expect(values).toHaveLength(100);
  expect(values?.[0]).toEqual({ name: "call 1", value: 8000, low: 4000, high: 12000, unit: "ns" });
  expect(verdicts.map(({ met }) => met)).toEqual([undefined, true, true, true]);
});

it("calls that there was no time for are left out", () => {
  const samples: FirstCalls[] = [{ importing: 1, creating: 1, calls: [3, 2, 1], steady: 1 }];
  const { scores, verdicts, values } = record("portable", 16384, samples);
  expect(scores.map(({ name }) => name)).toEqual([
    "import",
    "key",
    "to first ciphertext",
    "call 1",
    "call 2",
    "steady",
  ]);
  expect(verdicts).toHaveLength(2);
  expect(values?.map(({ value }) => value)).toEqual([3, 2, 1]);
});
