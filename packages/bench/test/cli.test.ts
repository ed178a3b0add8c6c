import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeCommand, parseSizes } from "../src/cli.js";
import type { ResultsFile } from "../src/results.js";

afterEach(() => vi.restoreAllMocks());

async function refused(...args: string[]): Promise<string> {
  let complaint = "";
  const command = makeCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (complaint += text) });
  await expect(command.parseAsync(args, { from: "user" })).rejects.toThrow();
  return complaint;
}

describe("arguments that are refused", () => {
  it.each([
    [[], /missing required argument 'suite'/],
    [["fast"], /Allowed choices are sizes, peers, openssl-by-hand/],
    [["sizes", "--key-bits", "64"], /Allowed choices are 128, 192, 256/],
    [["sizes", "--sizes", "16,x"], /x is not a size like 16, 1k or 8m/],
    [["sizes", "--sizes", "-1"], /not a size/],
    [["sizes", "--engines", "fpga"], /fpga is not an engine; there are native, openssl, wasm, portable/],
    [["sizes", "--rounds", "0"], /A whole number from 1 on/],
    [["sizes", "--clock", "sun"], /Allowed choices are wall, cpu/],
    [["sizes", "--colour"], /unknown option '--colour'/],
  ])("%j", async (args, message) => expect(await refused(...args)).toMatch(message));
});

it("sizes have units, an order, and no repetition", () => {
  expect(parseSizes("8M, 16,1k,1024,2g")).toEqual([16, 1024, 8 * 2 ** 20, 2 * 2 ** 30]);
});

it("the help lists every suite with what it is", () => {
  let help = "";
  makeCommand()
    .configureOutput({ writeOut: (text) => (help += text) })
    .outputHelp();
  for (const name of ["sizes", "ladder", "java", "first-call", "file"])
    expect(help).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
});

it("a run prints tables and writes all samples with the machine", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-test-"));
  const json = join(folder, "results.json");
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  try {
    const timing = ["--rounds", "2", "--round-ms", "1", "--warmup-ms", "1"];
    const args = ["peers", "--sizes", "16", "--engines", "portable", ...timing, "--markdown", "--json", json];
    await makeCommand().parseAsync(args, { from: "user" });
    const results = JSON.parse(readFileSync(json, "utf8")) as ResultsFile;
    expect(results.version).toBe(1);
    expect(results.machine.node).toBe(process.version);
    expect(results.suites.map(({ suite }) => suite)).toEqual(["peers"]);
    const [record] = results.suites[0].records;
    expect(record.row).toEqual({ operation: "encryptInto", size: 16 });
    expect(record.scores.map(({ name }) => name)).toEqual(["portable", "noble"]);
    expect(record.scores[0].samples).toHaveLength(2);
    expect(printed.join("\n")).toContain("| size | portable | noble | portable / noble |");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
