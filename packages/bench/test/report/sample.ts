/** Results that nobody measured, for tests of reports. */
import { score } from "../../src/harness.js";
import type { ResultsFile, SuiteRecord, SuiteResults } from "../../src/results.js";
import { judge, sizeLabel, speedTable } from "../../src/suites/suite.js";

/** A row of `sizes`: by contestant, its samples in nanoseconds. */
export function sizeRow(
  operation: string,
  size: number,
  samples: Readonly<Record<string, readonly number[]>>,
): SuiteRecord {
  const scores = Object.entries(samples).map(([name, times]) => score({ name, bytes: size }, times));
  const [first, ...rest] = Object.keys(samples);
  const wanted = rest.map((baseline) => ({ name: first, baseline }));
  return judge({ operation, size, keyBits: 128 }, scores, wanted);
}

/** Those rows as the suite gives them back. */
export function sizesSuite(records: readonly SuiteRecord[], notes: readonly string[] = []): SuiteResults {
  return { suite: "sizes", records, tables: [speedTable("encrypt", "size", records, sizeLabel)], notes };
}

/** A run of these suites. */
export function resultsOf(suites: readonly SuiteResults[], runtime?: string): ResultsFile {
  return {
    version: 1,
    machine: {
      cpu: "Test CPU",
      features: ["aes"],
      cores: 2,
      memory: 2 ** 33,
      platform: "linux-x64",
      ...(runtime === undefined ? {} : { runtime }),
      node: "v20.0.0",
      openssl: "3.0.0",
      engines: [],
      date: "2026-01-02T03:04:05.678Z",
    },
    quick: true,
    clock: "wall",
    timing: { rounds: 3, roundMs: 10, warmupMs: 100 },
    suites,
  };
}

/** Rows of one operation, enough for a curve. */
export const CURVE = [16, 1024, 16384, 2 ** 20].map((size) =>
  sizeRow("encrypt", size, {
    native: [size + 90, size + 100, size + 110],
    noble: [40 * size + 900, 40 * size + 1000, 40 * size + 1100],
  }),
);
