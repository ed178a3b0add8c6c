import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { pattern, run, useFolder } from "./run.js";

const folder = useFolder();
const KEY = ["-k", "key"];
const evariste = (...args: string[]) => run(folder.path, args);
const PLAIN = pattern(40_000);
let chunked: Buffer;
let raw: Buffer;

beforeEach(async () => {
  writeFileSync(folder.at("a"), PLAIN);
  await evariste("encrypt", ...KEY, "a");
  await evariste("encrypt", ...KEY, "--format", "gcm", "a");
  chunked = readFileSync(folder.at("a.evr"));
  raw = readFileSync(folder.at("a.gcm"));
});

/** Decrypts and verifies every content in one run each: each must be refused in one line, and nothing may come out. */
async function refused(ending: string, contents: readonly Uint8Array[], reason: RegExp): Promise<void> {
  const names = contents.map((_, i) => `bad${String(i).padStart(2, "0")}${ending}`);
  for (const [i, name] of names.entries()) writeFileSync(folder.at(name), contents[i]!);
  for (const command of [["decrypt", "-o", "out"], ["verify"]]) {
    const result = await evariste(...command, ...KEY, ...names);
    expect(result.code).toBe(6);
    const lines = result.stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(names.length);
    for (const [i, line] of lines.entries()) {
      expect(line).toMatch(new RegExp(`^evariste: ${names[i]}: .*${reason.source}`));
    }
    expect(result.stdout.length).toBe(0);
  }
  expect(readdirSync(folder.at("out"))).toEqual([]);
}

/** Copies of `bytes` with one bit flipped at each place. */
function flipped(bytes: Buffer, places: readonly number[]): Buffer[] {
  return places.map((at) => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 4;
    return copy;
  });
}

describe("what is not authentic", () => {
  it("a wrong key or context", async () => {
    writeFileSync(folder.at("other"), "00".repeat(32), { mode: 0o600 });
    for (const file of ["a.evr", "a.gcm"]) {
      for (const args of [
        ["-k", "other"],
        [...KEY, "--context", "else"],
      ]) {
        const result = await evariste("decrypt", ...args, file, "-o", "out");
        expect(result.code).toBe(6);
        expect(result.stderr).toMatch(/^evariste: a\.(evr|gcm): wrong key or context/);
      }
    }
    expect(existsSync(folder.at("out"))).toBe(false);
  });

  it("a chunked file cut anywhere", async () => {
    const cuts = [
      0,
      1,
      23,
      24,
      55,
      56,
      57,
      71,
      72,
      16_455,
      16_456,
      16_457,
      16_471,
      16_472,
      32_856,
      chunked.length - 1,
    ];
    await refused(
      ".evr",
      cuts.map((cut) => chunked.subarray(0, cut)),
      /truncated/,
    );
  });

  it("a raw file cut anywhere", async () => {
    const cuts = [0, 1, 11, 12, 13, 27, 28, 20_000, raw.length - 1];
    await refused(
      ".gcm",
      cuts.map((cut) => raw.subarray(0, cut)),
      /truncated/,
    );
  });

  it("a file with a flipped bit, a swapped chunk, or something behind its end", async () => {
    const swapped = Buffer.concat([
      chunked.subarray(0, 56),
      chunked.subarray(16_456, 32_856),
      chunked.subarray(56, 16_456),
      chunked.subarray(32_856),
    ]);
    const longer = Buffer.concat([chunked, Buffer.alloc(1)]);
    const places = [0, 30, 56, 16_455, 20_000, chunked.length - 1];
    await refused(".evr", [...flipped(chunked, places), swapped, longer], /altered/);
    await refused(".gcm", flipped(raw, [0, 12, 20_000, raw.length - 1]), /altered/);
  });

  it("leaves an existing output alone, also with --force", async () => {
    writeFileSync(folder.at("out"), "precious");
    writeFileSync(folder.at("cut.evr"), chunked.subarray(0, -1));
    expect((await evariste("decrypt", ...KEY, "--force", "cut.evr", "-o", "out")).code).toBe(6);
    expect(readFileSync(folder.at("out"), "utf8")).toBe("precious");
  });
});

describe("release into pipes", () => {
  it("the raw format gives nothing away before its tag: from a file, and from a pipe", async () => {
    const altered = Buffer.from(raw);
    altered[altered.length - 1]! ^= 1;
    writeFileSync(folder.at("bad.gcm"), altered);
    for (const command of ["decrypt", "cat"]) {
      const output = command === "decrypt" ? ["-o", "-"] : [];
      const fromFile = await evariste(command, ...KEY, "bad.gcm", ...output);
      expect(fromFile).toMatchObject({ code: 6 });
      expect(fromFile.stdout.length).toBe(0);
      const fromPipe = await run(folder.path, [command, ...KEY, "--format", "gcm"], { input: altered });
      expect(fromPipe).toMatchObject({ code: 6 });
      expect(fromPipe.stdout.length).toBe(0);
      const right = await run(folder.path, [command, ...KEY, "--format", "gcm"], { input: raw });
      expect(right.code).toBe(0);
      expect(right.stdout.equals(PLAIN)).toBe(true);
    }
  });

  it("the chunked format gives verified chunks as they come, and fails in the end", async () => {
    const result = await run(folder.path, ["decrypt", ...KEY], { input: chunked.subarray(0, 16_456 + 20) });
    expect(result).toMatchObject({
      code: 6,
      stderr: "evariste: standard input: truncated, or altered near its end\n",
    });
    expect(result.stdout.equals(PLAIN.subarray(0, 16_384))).toBe(true);
  });

  it("a file on standard output gets no unverified byte either", async () => {
    const fd = openSync(folder.at("standing-in"), "w");
    const altered = Buffer.from(raw);
    altered[100]! ^= 1;
    writeFileSync(folder.at("bad.gcm"), altered);
    const result = await run(folder.path, ["decrypt", ...KEY, "bad.gcm", "-o", "-"], { stdout: fd });
    closeSync(fd);
    expect(result.code).toBe(6);
    expect(readFileSync(folder.at("standing-in")).length).toBe(0);
  });
});
