import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { CliError } from "../src/errors.js";
import { parseRange, resolveRange } from "../src/ranges.js";
import { pattern, run, useFolder } from "./run.js";

describe("ranges", () => {
  const range = (text: string, size: number) => Object.values(resolveRange(parseRange(text), size, "f"));

  it("counts as HTTP does", () => {
    expect(range("0-0", 10)).toEqual([0, 1]);
    expect(range("2-5", 10)).toEqual([2, 6]);
    expect(range("2-", 10)).toEqual([2, 10]);
    expect(range("-3", 10)).toEqual([7, 10]);
    expect(range("8-99", 10)).toEqual([8, 10]);
    expect(range("-99", 10)).toEqual([0, 10]);
    expect(range("-5", 0)).toEqual([0, 0]);
  });

  it("refuses what is no range, or begins outside", () => {
    for (const text of ["", "-", "5", "5-4", "a-b", "1-2-3", " 1-2", "0x1-2", `0-${"9".repeat(20)}`]) {
      expect(() => parseRange(text), text).toThrow(CliError);
    }
    expect(() => range("10-", 10)).toThrow("the range begins at byte 10, but there are only 10 bytes");
    expect(() => range("0-", 0)).toThrow(CliError);
  });
});

describe("evariste cat", () => {
  const folder = useFolder();
  const PLAIN = pattern(2_200_000);
  const cat = (...args: string[]) => run(folder.path, ["cat", "-k", "key", ...args]);

  beforeEach(async () => {
    writeFileSync(folder.at("a"), PLAIN);
    await run(folder.path, ["encrypt", "-k", "key", "a"]);
    await run(folder.path, ["encrypt", "-k", "key", "--format", "gcm", "a"]);
  });

  it("joins several files", async () => {
    const result = await cat("a.evr", "a.gcm");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout.equals(Buffer.concat([PLAIN, PLAIN]))).toBe(true);
  });

  it("gives ranges of both formats, from files and pipes", async () => {
    for (const [text, start, end] of [
      ["0-0", 0, 1],
      ["16380-16390", 16_380, 16_391],
      ["1000000-2100000", 1_000_000, 2_100_001],
      ["2199999-", 2_199_999, 2_200_000],
      ["-70000", 2_130_000, 2_200_000],
    ] as const) {
      for (const file of ["a.evr", "a.gcm"]) {
        const result = await cat("--range", text, file);
        expect(result.code, text).toBe(0);
        expect(result.stdout.equals(PLAIN.subarray(start, end)), text).toBe(true);
      }
    }
    const input = readFileSync(folder.at("a.evr"));
    const piped = await run(folder.path, ["cat", "-k", "key", "--range", "-7"], { input });
    expect(piped.stdout.equals(PLAIN.subarray(-7))).toBe(true);
  });

  it("opens only the chunks of the range, and the last one for the length", async () => {
    const sealed = readFileSync(folder.at("a.evr"));
    sealed[56 + 5 * 16_400]! ^= 1;
    writeFileSync(folder.at("a.evr"), sealed);
    expect((await cat("--range", "0-81919", "a.evr")).code).toBe(0);
    const touched = await cat("--range", "81920-81920", "a.evr");
    expect(touched).toMatchObject({ code: 6, stderr: "evariste: a.evr: altered\n" });
    expect(touched.stdout.length).toBe(0);
    writeFileSync(folder.at("a.evr"), sealed.subarray(0, -1));
    const cut = await cat("--range", "0-0", "a.evr");
    expect(cut).toMatchObject({ code: 6 });
    expect(cut.stdout.length).toBe(0);
  });

  it("refuses ranges outside, and of several files", async () => {
    expect(await cat("--range", "2200000-", "a.evr")).toMatchObject({
      code: 2,
      stderr: "evariste: a.evr: the range begins at byte 2200000, but there are only 2200000 bytes\n",
    });
    expect((await cat("--range", "0-1", "a.evr", "a.evr")).code).toBe(2);
    expect((await cat("--range", "x", "a.evr")).code).toBe(2);
  });
});
