import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { makeCommand } from "../../dist/cli.js";
import type { ResultsFile } from "../../src/results.js";

afterEach(() => vi.restoreAllMocks());

const TINY = "--forks 1 --iterations 2 --iteration-ms 1 --rounds 2 --round-ms 1 --warmup-ms 1".split(" ");

/** A run of the command with all times as short as can be: what it printed, and its results. */
async function run(...args: string[]): Promise<{ printed: string; results: ResultsFile }> {
  const folder = mkdtempSync(join(tmpdir(), "bench-test-"));
  const json = join(folder, "results.json");
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  try {
    await makeCommand().parseAsync([...args, ...TINY, "--json", json], { from: "user" });
    const results = JSON.parse(readFileSync(json, "utf8")) as ResultsFile;
    return { printed: printed.join("\n"), results };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("a run prints tables and writes all samples with the machine", async () => {
  const { printed, results } = await run("peers", "--sizes", "16", "--engines", "portable", "--markdown");
  expect(results.version).toBe(1);
  expect(results.machine.node).toBe(process.version);
  expect(results.suites.map(({ suite }) => suite)).toEqual(["peers"]);
  const [record] = results.suites[0].records;
  expect(record.row).toEqual({ operation: "encryptInto", size: 16, keyBits: 128 });
  expect(record.scores.map(({ name }) => name)).toContain("noble");
  for (const { samples } of record.scores) expect(samples).toHaveLength(2);
  expect(printed).toContain("| size | portable | noble |");
});

it("OpenJDK's 40 rows are measured on everything off and accelerated, as far as there are such", async () => {
  const { results } = await run("aesgcm-bytebuffer", "-Dset=small", "--engines", "portable,wasm");
  const { records } = results.suites[0];
  expect(records).toHaveLength(8);
  for (const { scores } of records) expect(scores.map(({ name }) => name)).toContain("evariste");
});

it("TestAESMain prints its lines from a process of its own", async () => {
  const properties = ["-D", "iterations=3", "-DwarmupIterations=1", "-DmsgSize=100"];
  const { printed, results } = await run("test-aes-main", "--engines", "wasm", ...properties);
  const lines = printed.split("\n");
  const order = [
    "3 iterations",
    "Algorithm: AES(128bit)",
    "Starting encryption warm-up",
    "Finished decryption warm-up",
  ];
  const places = order.map((line) => lines.indexOf(line));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(results.suites[0].records.map(({ row, values }) => [row.operation, values?.[0].unit])).toEqual([
    ["TestAESEncode", "ms"],
    ["TestAESDecode", "ms"],
  ]);
});

it("threads start together and each is measured", async () => {
  const { results } = await run("threads", "--quick", "--sizes", "1k", "--engines", "wasm");
  const wasm = results.suites[0].records.filter(({ row }) => row.engine === "wasm");
  expect(wasm.map(({ row }) => row.threads)).toEqual([1, 2, 4, 8]);
  for (const { values = [] } of wasm) {
    expect(values.map(({ name, unit }) => [name, unit])).toEqual([
      ["each", "MB/s"],
      ["sum", "MB/s"],
    ]);
    expect(Math.min(...values.map(({ value }) => value))).toBeGreaterThan(0);
  }
});

it("first calls and cold starts come from new processes", async () => {
  const { results } = await run(
    "first-call",
    "cold-start",
    "--quick",
    "--sizes",
    "1k",
    "--engines",
    "portable",
  );
  const [first, cold] = results.suites;
  expect(first.records[0].values?.[0]).toMatchObject({ name: "call 1", unit: "ns" });
  expect(cold.records.map(({ row }) => row.engine)).toEqual(
    expect.arrayContaining(["portable", "noble", "sjcl"]),
  );
});
