import { describe, expect, it } from "vitest";
import type { Contender } from "../src/contestants/table.js";
import { type ForkRow, type ForkTiming, measureForks } from "../src/forks.js";
import { LineProcess } from "../src/processes/line-process.js";
import { forkRow } from "../src/suites/forked.js";
import { benchRows, byteBufferRows } from "../src/suites/jmh.js";

const timing: ForkTiming = { forks: 2, warmups: 2, warmupMs: 1, iterations: 3, iterationMs: 1, limitMs: 100 };
const quietly = { progress: () => {}, random: () => 0.5 };

/** A process that answers with this many nanoseconds per byte; `none` for decryption, and dies when it is asked that often. */
function fake(name: string, perByte: number, deathAt = Number.POSITIVE_INFINITY): Contender {
  const program = `let asked = 0; require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    if (line !== "hello" && ++asked > ${deathAt}) { console.error("tired"); process.exit(3); }
    const [operation, , size] = line.split(" ");
    console.log(line === "hello" ? "ready" : operation === "decryptInto" ? "none" : Number(size) * ${perByte});
  });`;
  return { name, start: () => new LineProcess(name, process.execPath, ["-e", program]) };
}

function row(operation: "encryptInto" | "decryptInto", size: number, only?: ReadonlySet<string>): ForkRow {
  return forkRow({ operation, size, keyBits: 128 }, [{ name: "fast", baseline: "slow" }], {}, only);
}

describe("measureForks", () => {
  it("takes forks times iterations samples of every contestant, and their ratio", async () => {
    const rows = [row("encryptInto", 1000), row("encryptInto", 2000)];
    const { records, notes } = await measureForks(rows, [fake("fast", 1), fake("slow", 3)], timing, quietly);
    expect(notes).toEqual([]);
    expect(records.map((one) => one.row)).toEqual([
      { operation: "encryptInto", size: 1000, keyBits: 128 },
      { operation: "encryptInto", size: 2000, keyBits: 128 },
    ]);
    expect(records[1].scores.map(({ samples }) => samples)).toEqual([
      Array(6).fill(2000),
      Array(6).fill(6000),
    ]);
    expect(records[1].scores[0]).toMatchObject({ mean: 500_000, error: 0, outliers: 0 });
    expect(records[1].verdicts[0].ratio.median).toBe(3);
  });

  it("leaves out operations that a contestant lacks, and contestants that a row does not want", async () => {
    const rows = [row("decryptInto", 1000), row("encryptInto", 1000, new Set(["slow"]))];
    const { records, notes } = await measureForks(rows, [fake("fast", 1), fake("slow", 3)], timing, quietly);
    expect(records.map(({ scores }) => scores.map(({ name }) => name))).toEqual([[], ["slow"]]);
    expect(notes).toEqual([]);
  });

  it("drops a contestant that fails, with the reason", async () => {
    const missing = { name: "gone", start: () => new LineProcess("gone", "/no/such/program", []) };
    const field = [fake("fast", 1), fake("slow", 1, 4), missing];
    const { records, notes } = await measureForks([row("encryptInto", 1000)], field, timing, quietly);
    expect(records[0].scores.map(({ name }) => name)).toEqual(["fast"]);
    expect(notes).toContainEqual(expect.stringMatching(/^gone is missing: gone cannot be started/));
    expect(notes).toContainEqual("slow is missing: slow ended with code 3: tired");
  });

  it("gives a slow operation fewer samples, and leaves out what would take far too long", async () => {
    // 40, 80 and 160 ms of 100 that a row may take, then 320.
    const rows = [1000, 2000, 4000, 8000].map((size) => row("encryptInto", size));
    const { records, notes } = await measureForks(rows, [fake("slow", 40_000)], timing, quietly);
    expect(records.map(({ scores }) => scores[0]?.samples.length)).toEqual([2, 2, 2, undefined]);
    expect(notes).toEqual([
      "slow, encryptInto, 1000 B, 128: 2 samples instead of 6, one operation takes 40.0 ms",
      "slow, encryptInto, 2000 B, 128: 2 samples instead of 6, one operation takes 80.0 ms",
      "slow, encryptInto, 4000 B, 128: 2 samples instead of 6, one operation takes 160 ms",
      "slow, encryptInto, 8000 B, 128: left out, one operation would take about 320 ms",
    ]);
  });
});

describe("rows of OpenJDK's benchmarks", () => {
  it("AESGCMByteBuffer has 40, each once", () => {
    const rows = byteBufferRows();
    expect(rows).toHaveLength(40);
    expect(new Set(rows.map((one) => JSON.stringify(one.row))).size).toBe(40);
    expect(byteBufferRows(["full"])).toHaveLength(32);
    expect(byteBufferRows(["small"]).map((one) => one.row.size)).toEqual(Array(8).fill(1024));
    expect(rows.find(({ row: { operation } }) => operation === "encrypt")).toMatchObject({
      row: { set: "full", operation: "encrypt", size: 1024, keyBits: 128, memory: "direct" },
      request: "encryptInto 128 1024 direct",
    });
  });

  it("AESGCMBench has 28, on arrays", () => {
    const rows = benchRows();
    expect(rows).toHaveLength(28);
    expect(rows[0]).toMatchObject({
      row: { operation: "decrypt", size: 128, keyBits: 128 },
      request: "decryptInto 128 128 array",
    });
  });
});
