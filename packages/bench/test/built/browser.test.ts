// With the built page: what browsers run is a bundle.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResultsFile } from "@evariste/bench";
import { runBench } from "@evariste/bench/command";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BROWSERS, findCommand } from "../../src/browser/browsers.js";

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "evariste-bench-"));
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const TIMES = ["--rounds", "2", "--round-ms", "5", "--warmup-ms", "5", "--quick"];

for (const { name, commands } of BROWSERS) {
  const isMissing = findCommand(commands) === undefined;
  const reason = `none of ${commands.join(", ")} is installed`;
  it.skipIf(isMissing)(`${name} measures both suites (skipped when ${reason})`, async () => {
    const json = join(folder, "results.json");
    const args = ["browser", "--browsers", name.toLowerCase(), "--sizes", "1k", "--engines", "wasm"];
    expect(await runBench([...args, ...TIMES, "--json", json])).toBe(0);
    const [run] = JSON.parse(readFileSync(json, "utf8")) as ResultsFile[];
    expect(run.machine.runtime).toMatch(new RegExp(`^${name} \\d`));
    expect(run.suites.map(({ suite }) => suite)).toEqual(["sizes", "first-call"]);
    const [sizes, firstCall] = run.suites;
    expect(sizes.records.map(({ row }) => row.operation)).toEqual([
      "encryptInto",
      "decryptInto",
      "encrypt",
      "decrypt",
    ]);
    for (const { scores } of sizes.records) {
      expect(scores.map((score) => score.name)).toEqual([
        "wasm",
        "StitchedGcm",
        "WebCrypto",
        "WebCrypto ×16",
        "noble",
      ]);
      for (const { nanoseconds } of scores) expect(nanoseconds.median).toBeGreaterThan(0);
    }
    expect(firstCall.records.map(({ row }) => row.engine)).toEqual(["wasm"]);
    expect(firstCall.records[0].values).toHaveLength(100);
  });
}

it("says which browsers are missing", async () => {
  vi.stubEnv("PATH", folder);
  expect(await runBench(["browser", ...TIMES])).toBe(0);
  expect(printed.join("\n")).toContain(
    "Chromium is missing: none of chromium, chromium-browser, google-chrome is installed",
  );
  expect(printed.join("\n")).toContain("Firefox is missing: none of firefox-esr, firefox is installed");
});
