import { readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliError } from "../src/errors.js";
import { type KeyEncoding, parseKey } from "../src/keys.js";
import { run, useFolder } from "./run.js";

const folder = useFolder();
const evariste = (...args: string[]) => run(folder.path, args);

function parsed(content: string | Uint8Array, encoding: KeyEncoding = "auto"): string {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  return Buffer.from(parseKey(bytes, encoding, "FILE")).toString("hex");
}

describe("parseKey", () => {
  const RAW = Uint8Array.from({ length: 32 }, (_, i) => 255 - i * 3);

  it("reads hex, base64, base64url and raw, with white space at the end", () => {
    for (const size of [16, 24, 32]) {
      const key = Buffer.from(RAW.subarray(0, size));
      const hex = key.toString("hex");
      for (const end of ["", "\n", "\r\n", " \n\n"]) {
        expect(parsed(hex + end)).toBe(hex);
        expect(parsed(hex.toUpperCase() + end)).toBe(hex);
        expect(parsed(key.toString("base64") + end)).toBe(hex);
        expect(parsed(key.toString("base64url") + end)).toBe(hex);
      }
      expect(parsed(key)).toBe(hex);
    }
  });

  it("prefers hex to base64 to raw, and obeys an encoding that is named", () => {
    const text = "0123456789abcdef0123456789abcdef";
    expect(parsed(text)).toBe(text);
    expect(parsed(text, "base64")).toBe(Buffer.from(text, "base64").toString("hex"));
    expect(parsed(text, "raw")).toBe(Buffer.from(text).toString("hex"));
    const letters = "zyxwvutsrqponmlkzyxwvutsrqponmlk";
    expect(parsed(letters)).toBe(Buffer.from(letters, "base64").toString("hex"));
  });

  it("refuses everything else without showing it", () => {
    const bad = [
      "",
      "secret",
      "0".repeat(31),
      "0".repeat(66),
      `${"A".repeat(43)}*`,
      "AAAA=",
      `${"A".repeat(42)}B`,
    ];
    for (const content of bad) {
      expect(() => parsed(content), content).toThrow(CliError);
      expect(() => parsed(content)).toThrow(/^FILE: is not a key: \d+ bytes; allowed are/);
    }
    expect(() => parsed(RAW, "hex")).toThrow(/hexadecimal digits/);
    expect(() => parsed(Buffer.concat([RAW, Buffer.from("\n")]), "raw")).toThrow(
      /exactly 16, 24 or 32 bytes/,
    );
  });
});

describe("keygen", () => {
  it("makes a key of mode 0600 that the other commands take", async () => {
    expect(await evariste("keygen", "-o", "k")).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(folder.at("k")).mode & 0o777).toBe(0o600);
    expect(readFileSync(folder.at("k"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    writeFileSync(folder.at("a"), "text");
    expect(await evariste("encrypt", "-k", "k", "a")).toMatchObject({ code: 0, stderr: "" });
  });

  it("replaces no key without --force", async () => {
    const before = readFileSync(folder.at("key"), "utf8");
    expect(await evariste("keygen", "-o", "key")).toMatchObject({ code: 5 });
    expect(readFileSync(folder.at("key"), "utf8")).toBe(before);
    expect(await evariste("keygen", "-o", "key", "--force")).toMatchObject({ code: 0 });
    expect(readFileSync(folder.at("key"), "utf8")).not.toBe(before);
  });

  it("prints without -o, in three sizes, different each time", async () => {
    const keys = new Set<string>();
    for (const bits of ["128", "192", "256", "256"]) {
      const { stdout } = await evariste("keygen", "--bits", bits);
      expect(stdout.toString()).toMatch(new RegExp(`^[0-9a-f]{${Number(bits) / 4}}\n$`));
      keys.add(stdout.toString());
    }
    expect(keys.size).toBe(4);
    expect((await evariste("keygen", "--bits", "512")).code).toBe(2);
  });
});

describe("where keys come from", () => {
  it("warns of a key that others can read, unless quiet", async () => {
    writeFileSync(folder.at("open"), "0f".repeat(32), { mode: 0o644 });
    writeFileSync(folder.at("a"), "text");
    const warned = await evariste("encrypt", "-k", "open", "a");
    expect(warned.code).toBe(0);
    expect(warned.stderr).toBe(
      "evariste: warning: open: others can read this key (mode 0644); run chmod 600 on it\n",
    );
    expect((await evariste("encrypt", "-q", "--force", "-k", "open", "a")).stderr).toBe("");
    expect((await evariste("encrypt", "--force", "-k", "key", "a")).stderr).toBe("");
  });

  it("takes EVARISTE_KEY as hex or base64, and a key file before it", async () => {
    writeFileSync(folder.at("a"), "text");
    await evariste("encrypt", "-k", "key", "a");
    const right = Buffer.alloc(32, 0x0f);
    const verify = (EVARISTE_KEY: string, ...args: string[]) =>
      run(folder.path, ["verify", "a.evr", ...args], { env: { EVARISTE_KEY } });
    expect((await verify(right.toString("hex"))).code).toBe(0);
    expect((await verify(right.toString("base64"))).code).toBe(0);
    expect((await verify("00".repeat(32))).code).toBe(6);
    expect((await verify("00".repeat(32), "-k", "key")).code).toBe(0);
    const bad = await verify("secret words");
    expect(bad).toMatchObject({ code: 3 });
    expect(bad.stderr).not.toContain("secret words");
  });

  it("says what to do without a key, and why a key file cannot be read", async () => {
    const none = await evariste("encrypt", "a");
    expect(none).toMatchObject({ code: 3 });
    expect(none.stderr).toMatch(/^evariste: no key: use --key-file/);
    expect(await evariste("encrypt", "-k", "nope", "a")).toMatchObject({
      code: 3,
      stderr: "evariste: nope: no such file or folder\n",
    });
    expect((await evariste("encrypt", "-k", ".", "a")).code).toBe(3);
    for (const content of ["x".repeat(10_000), `${"0f".repeat(32)}${" ".repeat(4096)}x`]) {
      writeFileSync(folder.at("long"), content, { mode: 0o600 });
      expect(await evariste("encrypt", "-k", "long", "a")).toMatchObject({
        code: 3,
        stderr:
          "evariste: long: is not a key: more than 4096 bytes; allowed are 16, 24 or 32 raw bytes, or their hex or base64 text\n",
      });
    }
  });
});
