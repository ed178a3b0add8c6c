import { expect, it } from "vitest";
import { score } from "../src/harness.js";
import { formatQuickSizes, quickSizes } from "../src/quick-sizes.js";

it("quickSizes has a row for each size, within a small budget", async () => {
  const rows = await quickSizes({ budgetMs: 100 });
  expect(rows.map(({ size }) => size)).toEqual([16, 64, 256, 1024, 4096, 16384, 65536, 1048576]);
  for (const row of rows) {
    expect(row.encryptInto.opsPerSecond).toBeGreaterThan(0);
    expect(row.ratioInto).toBeGreaterThan(0);
  }
});

it("quickSizes refuses a budget that measures nothing", async () => {
  await expect(quickSizes({ budgetMs: 5 })).rejects.toThrow(RangeError);
  await expect(quickSizes({ budgetMs: Number.NaN })).rejects.toThrow(RangeError);
});

it("formatQuickSizes prints rates, throughput and ratios, in at most 100 columns", () => {
  const row = {
    size: 1024,
    encryptInto: score({ name: "encryptInto", bytes: 1024 }, [200]),
    encrypt: score({ name: "encrypt", bytes: 1024 }, [400]),
    nodeCrypto: score({ name: "node:crypto", bytes: 1024 }, [10_000]),
    ratioInto: 50,
    ratio: 25,
  };
  const lines = formatQuickSizes([row]).split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[3].split(/ {2,}/)).toEqual([
    "1 KiB",
    "5.00 M",
    "5120",
    "50.0×",
    "2.50 M",
    "2560",
    "25.0×",
    "100 k",
    "102",
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
});
