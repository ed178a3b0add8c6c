import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { readCobblestone } from "../src/demo/reference.js";
import { pattern, run, useFolder } from "./run.js";

const folder = useFolder();
const KEY = ["-k", "key"];
const evariste = (...args: string[]) => run(folder.path, args);
const LENGTHS = [0, 1, 16_383, 16_384, 16_385, 1_048_575, 1_048_576, 1_048_577, 2_500_000];

describe("encrypt and decrypt on files", () => {
  for (const format of ["cobblestone-256", "gcm"]) {
    it(`round-trips every length at a boundary: ${format}`, async () => {
      for (const length of LENGTHS) writeFileSync(folder.at(`f${length}`), pattern(length));
      const names = LENGTHS.map((length) => `f${length}`);
      const ending = format === "gcm" ? ".gcm" : ".evr";
      expect(await evariste("encrypt", ...KEY, "--format", format, ...names)).toMatchObject({
        code: 0,
        stderr: "",
      });
      const sealed = names.map((name) => name + ending);
      expect(await evariste("decrypt", ...KEY, ...sealed, "-o", "out")).toMatchObject({
        code: 0,
        stderr: "",
      });
      for (const [i, name] of names.entries()) {
        expect(readFileSync(folder.at(`out/${name}`)).equals(pattern(LENGTHS[i]!)), name).toBe(true);
      }
    });
  }

  it("writes what an independent reading of the format opens", async () => {
    writeFileSync(folder.at("a"), pattern(50_000));
    await evariste("encrypt", ...KEY, "--context", "Grüße", "a");
    const chunks = readCobblestone(
      folder.at("a.evr"),
      Buffer.alloc(32, 0x0f),
      new TextEncoder().encode("Grüße"),
    );
    expect(Buffer.concat([...chunks]).equals(pattern(50_000))).toBe(true);
  });

  it("uses Cobblestone-128 for a 16-byte key, and says which formats a 24-byte key fits", async () => {
    writeFileSync(folder.at("k16"), "ab".repeat(16), { mode: 0o600 });
    writeFileSync(folder.at("k24"), "ab".repeat(24), { mode: 0o600 });
    writeFileSync(folder.at("a"), "text");
    expect((await evariste("encrypt", "-k", "k16", "a")).code).toBe(0);
    const chunks = readCobblestone(folder.at("a.evr"), Buffer.alloc(16, 0xab));
    expect(Buffer.concat([...chunks]).toString()).toBe("text");
    const refused = await evariste("encrypt", "-k", "k24", "--force", "a");
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.stderr).toBe(
      "evariste: a 24-byte key fits only --format gcm; Cobblestone takes 16 or 32 bytes\n",
    );
    expect((await evariste("encrypt", "-k", "k24", "--format", "gcm", "a")).code).toBe(0);
    expect((await evariste("encrypt", "-k", "k16", "--format", "cobblestone-256", "--force", "a")).code).toBe(
      3,
    );
  });

  it("keeps existing files without --force, and replaces them with it", async () => {
    writeFileSync(folder.at("a"), "new");
    writeFileSync(folder.at("a.evr"), "precious");
    const kept = await evariste("encrypt", ...KEY, "a");
    expect(kept).toMatchObject({ code: 5, stderr: "evariste: a.evr: exists already; --force replaces it\n" });
    expect(readFileSync(folder.at("a.evr"), "utf8")).toBe("precious");
    expect((await evariste("encrypt", ...KEY, "--force", "a")).code).toBe(0);
    expect(statSync(folder.at("a.evr")).size).toBe(56 + 3 + 16);
    expect(folder.names()).toEqual(["a", "a.evr", "key"]);
  });

  it("keeps the input's permissions both ways", async () => {
    writeFileSync(folder.at("a"), "x");
    chmodSync(folder.at("a"), 0o640);
    await evariste("encrypt", ...KEY, "a");
    expect(statSync(folder.at("a.evr")).mode & 0o777).toBe(0o640);
    chmodSync(folder.at("a.evr"), 0o604);
    await evariste("decrypt", ...KEY, "a.evr", "-o", "b");
    expect(statSync(folder.at("b")).mode & 0o777).toBe(0o604);
  });

  it("refuses an output that is the input, also by another name", async () => {
    writeFileSync(folder.at("a"), "text");
    linkSync(folder.at("a"), folder.at("b"));
    for (const output of ["a", "./a", "b"]) {
      const result = await evariste("encrypt", ...KEY, "--force", "a", "-o", output);
      expect(result).toMatchObject({ code: 2 });
      expect(result.stderr).toContain("is input and output at once");
    }
    expect(readFileSync(folder.at("a"), "utf8")).toBe("text");
  });

  it("refuses to append to the file that it reads", async () => {
    await evariste("encrypt", ...KEY, "key", "-o", "sealed");
    for (const [command, name] of [
      ["encrypt", "key"],
      ["cat", "sealed"],
      ["decrypt", "sealed"],
    ] as const) {
      const before = readFileSync(folder.at(name));
      const fd = openSync(folder.at(name), "a");
      const output = command === "cat" ? [] : ["-o", "-"];
      const result = await run(folder.path, [command, ...KEY, name, ...output], { stdout: fd });
      closeSync(fd);
      expect(result, command).toMatchObject({
        code: 2,
        stderr: `evariste: ${name}: is input and output at once\n`,
      });
      expect(readFileSync(folder.at(name)).equals(before), command).toBe(true);
    }
  });

  it("follows a symbolic link as input, and does not write through one", async () => {
    writeFileSync(folder.at("real"), "text");
    symlinkSync("real", folder.at("link"));
    expect((await evariste("encrypt", ...KEY, "link")).code).toBe(0);
    writeFileSync(folder.at("target"), "precious");
    symlinkSync("target", folder.at("out"));
    const result = await evariste("decrypt", ...KEY, "--force", "link.evr", "-o", "out");
    expect(result).toMatchObject({ code: 5 });
    expect(result.stderr).toContain("symbolic link");
    expect(readFileSync(folder.at("target"), "utf8")).toBe("precious");
  });

  it("refuses an output that is another input, which it would destroy before it is read", async () => {
    writeFileSync(folder.at("a"), "text");
    writeFileSync(folder.at("a.evr"), "precious");
    const result = await evariste("encrypt", ...KEY, "--force", "a", "a.evr");
    expect(result).toMatchObject({
      code: 2,
      stderr: "evariste: a.evr: is the output of one input, and an input itself\n",
    });
    expect(readFileSync(folder.at("a.evr"), "utf8")).toBe("precious");
  });

  it("refuses what is too long for the raw format before it reads it", async () => {
    writeFileSync(folder.at("a"), "");
    truncateSync(folder.at("a"), 2 ** 36 - 31);
    const result = await evariste("encrypt", ...KEY, "--format", "gcm", "a");
    expect(result).toMatchObject({ code: 4 });
    expect(result.stderr).toContain("longer than 64 GiB");
    expect(folder.names()).toEqual(["a", "key"]);
  });

  it("needs an ending to strip, or a name", async () => {
    writeFileSync(folder.at("a"), "text");
    await evariste("encrypt", ...KEY, "a", "-o", "sealed");
    const result = await evariste("decrypt", ...KEY, "sealed");
    expect(result).toMatchObject({ code: 2 });
    expect(result.stderr).toContain("sealed: has no .evr or .gcm ending to strip");
    expect((await evariste("decrypt", ...KEY, "sealed", "-o", "b")).code).toBe(0);
    expect(readFileSync(folder.at("b"), "utf8")).toBe("text");
  });

  it("goes on after a bad input, and exits with the first failure's code", async () => {
    for (const name of ["a", "b", "c"]) writeFileSync(folder.at(name), name);
    await evariste("encrypt", ...KEY, "a", "b", "c");
    const altered = readFileSync(folder.at("b.evr"));
    altered[60]! ^= 1;
    writeFileSync(folder.at("b.evr"), altered);
    const result = await evariste("decrypt", ...KEY, "-o", "out", "a.evr", "b.evr", "missing.evr", "c.evr");
    expect(result.code).toBe(6);
    expect(result.stderr.trimEnd().split("\n")).toEqual([
      "evariste: b.evr: truncated, or altered near its end",
      "evariste: missing.evr: no such file or folder",
    ]);
    expect(readdirSync(folder.at("out")).sort()).toEqual(["a", "c"]);
  });
});

describe("folders", () => {
  function tree(): void {
    mkdirSync(folder.at("src/deep/er"), { recursive: true });
    writeFileSync(folder.at("src/a"), "A");
    writeFileSync(folder.at("src/deep/b"), "B");
    writeFileSync(folder.at("src/deep/er/c"), "C");
    symlinkSync("../a", folder.at("src/deep/link"));
    symlinkSync("..", folder.at("src/deep/loop"));
  }

  it("walks them, keeps their structure, follows links to files only", async () => {
    tree();
    const sealed = await evariste("encrypt", ...KEY, "src", "-o", "sealed");
    expect(sealed).toMatchObject({ code: 0 });
    expect(sealed.stderr).toBe(
      "evariste: warning: src/deep/loop: skipped: neither a file nor a link to one\n",
    );
    expect((await evariste("decrypt", ...KEY, "sealed", "-o", "opened")).code).toBe(0);
    const content = (name: string) => readFileSync(folder.at(`opened/sealed/src/${name}`), "utf8");
    expect(["a", "deep/b", "deep/er/c", "deep/link"].map(content)).toEqual(["A", "B", "C", "A"]);
  });

  it("encrypts in place beside the files, and does not encrypt its own outputs a second time", async () => {
    tree();
    expect((await evariste("encrypt", ...KEY, "-q", "src")).code).toBe(0);
    expect((await evariste("encrypt", ...KEY, "-q", "--force", "src")).code).toBe(0);
    expect(
      readdirSync(folder.at("src"), { recursive: true }).filter((name) => String(name).endsWith(".evr.evr")),
    ).toEqual([]);
    const verified = await evariste("verify", ...KEY, "src");
    expect(verified.code).toBe(0);
    expect(verified.stdout.toString().trimEnd().split("\n")).toHaveLength(4);
  });

  it("refuses two inputs that would become one file, and several inputs for one file", async () => {
    mkdirSync(folder.at("x"));
    mkdirSync(folder.at("y"));
    writeFileSync(folder.at("x/a"), "1");
    writeFileSync(folder.at("y/a"), "2");
    const clash = await evariste("encrypt", ...KEY, "x/a", "y/a", "-o", "out", "--force");
    expect(clash).toMatchObject({
      code: 2,
      stderr: "evariste: out/a.evr: two inputs would become this file\n",
    });
    const single = await evariste("encrypt", ...KEY, "x/a", "y/a", "-o", "key");
    expect(single).toMatchObject({ code: 2 });
    expect((await evariste("encrypt", ...KEY, "x/a", "y/a", "-o", "-")).code).toBe(2);
  });
});
