import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseWycheproof, runWycheproof, targets, type WycheproofFile } from "../src/index.js";

const folder = process.env.EVARISTE_VECTORS ?? join(import.meta.dirname, "../../../shared/vectors");
const FILES = [
  { file: "aes_gcm_test.json", count: 316 },
  { file: "aes_gmac_test.json", count: 414 },
] as const;

describe.each(FILES)("Wycheproof $file", ({ file, count }) => {
  const path = join(folder, file);
  if (!existsSync(path)) {
    it.skip(`needs ${file} in ../shared/vectors or in the folder of EVARISTE_VECTORS`, () => {});
    return;
  }
  const tests = parseWycheproof(JSON.parse(readFileSync(path, "utf8")) as WycheproofFile);
  it(`has ${count} tests`, () => expect(tests.length).toBe(count));
  for (const target of targets()) {
    it(`${target.name}: ${count} of ${count}`, () => {
      for (const test of tests) runWycheproof(target, test);
    });
  }
});

describe("the parser", () => {
  it("refuses other files and truncated ones", () => {
    const file: WycheproofFile = { algorithm: "AES-GCM", numberOfTests: 1, testGroups: [] };
    expect(() => parseWycheproof(file)).toThrow("0 tests instead of 1");
    expect(() => parseWycheproof({ ...file, algorithm: "AES-SIV" as "AES-GCM" })).toThrow("AES-SIV");
  });
});
