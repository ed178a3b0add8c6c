import { describe, expect, it } from "vitest";
import { chosenRuns, runtimeOf } from "../src/suites/test-aes-main.js";
import { inParts, propertiesLine, testAesProperties } from "../src/test-aes/properties.js";
import { runTestAes } from "../src/test-aes/run.js";

const defined = (...pairs: [string, string][]) => testAesProperties(new Map(pairs));

describe("properties", () => {
  it("are the original's by default", () => {
    expect(propertiesLine(testAesProperties())).toBe(
      "algorithm=AES, mode=GCM, paddingStr=NoPadding, msgSize=646, keySize=128, noReinit=false, checkOutput=false, " +
        "encInputOffset=0, encOutputOffset=0, decOutputOffset=0, lastChunkSize=32",
    );
    expect(testAesProperties()).toMatchObject({ iterations: 100_000, warmupIterations: 20_000 });
  });

  it("are read from texts", () => {
    const properties = defined(["msgSize", "10000"], ["keySize", "256"], ["checkOutput", "true"]);
    expect(properties).toMatchObject({ msgSize: 10_000, keySize: 256, checkOutput: true });
    expect(inParts(properties)).toBe(false);
    expect(inParts(defined(["decOutputOffset", "1"]))).toBe(true);
  });

  it.each<[string, string, RegExp]>([
    ["mode", "CBC", /mode is CBC; allowed: GCM/],
    ["msgSize", "-1", /msgSize is -1; allowed: a number of bytes/],
    ["keySize", "64", /allowed: 128, 192 and 256/],
    ["noReinit", "maybe", /allowed: true and false/],
    ["iterations", "0", /iterations is 0/],
  ])("%s=%s is refused", (name, value, message) => expect(() => defined([name, value])).toThrow(message));

  it("refuses a last part that is longer than the message", () => {
    expect(() => defined(["msgSize", "31"], ["encInputOffset", "1"])).toThrow(/lastChunkSize is 32/);
    expect(defined(["msgSize", "31"]).lastChunkSize).toBe(32);
  });
});

describe("the run", () => {
  const few: [string, string][] = [
    ["iterations", "3"],
    ["warmupIterations", "2"],
  ];

  /** Two calls of the clock per half: 5 ms the first, 7 ms the second. */
  function run(...pairs: [string, string][]): { lines: string[]; times: object } {
    const clock = [100, 105, 200, 207];
    const lines: string[] = [];
    const times = runTestAes(
      defined(...few, ...pairs),
      { engine: "portable" },
      (line) => lines.push(line),
      () => clock.shift()!,
    );
    return { lines, times };
  }

  it("prints the original's lines in order", () => {
    const { lines, times } = run();
    const about = [propertiesLine(testAesProperties()), "Algorithm: AES(128bit)"];
    const kernel = "portable, gctr_bitsliced+ghash_ctmul";
    expect(lines).toEqual([
      "3 iterations",
      "",
      ...about,
      `Encryption cipher provider: evariste ${kernel}`,
      "Encryption cipher algorithm: AES/GCM/NoPadding",
      "Starting encryption warm-up",
      "Finished encryption warm-up",
      "TestAESEncode runtime was 5 ms",
      "",
      ...about,
      `Decryption cipher provider: evariste ${kernel}`,
      "Decryption cipher algorithm: AES/GCM/NoPadding",
      "Starting decryption warm-up",
      "Finished decryption warm-up",
      "TestAESDecode runtime was 7 ms",
    ]);
    expect(times).toEqual({ encode: 5, decode: 7 });
    expect(runtimeOf(lines, "TestAESDecode")).toBe(7);
  });

  it("gives the same ciphertext in one part and in two, wherever it lies", () => {
    const shown = (lines: string[]) => lines.filter((line) => /^(encode|decode)/.test(line));
    const whole = shown(run(["checkOutput", "true"]).lines);
    const parts = shown(run(["checkOutput", "true"], ["encInputOffset", "3"]).lines);
    expect(whole).toHaveLength(4);
    expect(parts).toEqual(whole);
    expect(whole[0]).toMatch(/^encode: {2}\[658\]: ([0-9a-f]{2} ){31}[0-9a-f]{2}$/);
    expect(whole[1]).toMatch(/^decode: {2}\[646\]: 00 01 02 03/);
    const moved = shown(
      run(["checkOutput", "true"], ["encOutputOffset", "1"], ["decOutputOffset", "2"]).lines,
    );
    expect(moved[1]).toMatch(/^decode: {2}\[648\]: 00 00 00 01 02 03/);
  });

  it.each(["0", "11", "12", "13", "646"])("takes a last part of %s bytes", (length) => {
    expect(() =>
      run(["checkOutput", "true"], ["encInputOffset", "1"], ["lastChunkSize", length]),
    ).not.toThrow();
  });
});

it("runs with the GHASH kernel off, on, and everything combined", () => {
  const rung = (engine: "native" | "wasm", step: string) => ({
    name: `${engine}: ${step}`,
    engine,
    disable: [],
    kernel: step,
  });
  const native = ["everything off", "GHASH kernel only", "GCTR kernel only", "both apart", "slow", "fast"];
  const rungs = [rung("wasm", "everything off"), ...native.map((step) => rung("native", step))];
  expect(chosenRuns(rungs).map(({ name }) => name)).toEqual([
    "wasm: everything off",
    "native: GCTR kernel only",
    "native: both apart",
    "native: fast",
  ]);
});
