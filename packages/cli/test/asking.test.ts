import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { enginesText } from "../src/commands/info.js";
import { EXIT_CODES } from "../src/errors.js";
import { run, useFolder } from "./run.js";

const folder = useFolder();
const evariste = (...args: string[]) => run(folder.path, args);

describe("info", () => {
  it("tells which engines there are, for people and in JSON", async () => {
    const text = await evariste("info");
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout.toString()).toMatch(/^[* ] openssl +(in use|available)$/m);
    const json = JSON.parse((await evariste("info", "--json")).stdout.toString());
    expect(json.node).toBe(process.version);
    expect(json.engines.map((engine: { name: string }) => engine.name)).toContain("openssl");
    const disabled = await run(folder.path, ["info"], { env: { EVARISTE_DISABLE: "openssl" } });
    expect(disabled.stdout.toString()).toMatch(/^ {2}openssl +not available: switched off$/m);
  });

  it("puts the details of a reason on lines of their own", () => {
    const reason = "no addon is installed\na: not installed\nb: not installed";
    const native = { name: "native", available: false, chosen: false, kernels: [], reason } as const;
    expect(enginesText([native]).join("\n")).toBe(
      `  ${"native".padEnd(26)} not available: no addon is installed\n      a: not installed\n      b: not installed`,
    );
  });

  it("tells what files are, without and with a key", async () => {
    writeFileSync(folder.at("a"), Buffer.alloc(40_000));
    await evariste("encrypt", "-k", "key", "a");
    await evariste("encrypt", "-k", "key", "--format", "gcm", "a");
    const ask = async (...args: string[]) =>
      JSON.parse((await evariste("info", "--json", ...args)).stdout.toString());
    const size = 56 + 40_000 + 3 * 16;
    expect(await ask("a.evr", "a.gcm", "a")).toEqual([
      { file: "a.evr", size, format: "cobblestone", plaintext: 40_000, chunks: 3, authenticated: false },
      { file: "a.gcm", size: 40_028, format: "gcm", plaintext: 40_000, authenticated: false },
      { file: "a", size: 40_000, format: "unknown", authenticated: false },
    ]);
    expect(await ask("-k", "key", "a.evr")).toEqual([
      { file: "a.evr", size, format: "cobblestone-256", plaintext: 40_000, chunks: 3, authenticated: true },
    ]);
    expect((await evariste("info", "a.evr")).stdout.toString()).toContain(
      "40000 bytes, by the file's length",
    );
  });

  it("tells of a file that cannot be one, and of a wrong key", async () => {
    writeFileSync(folder.at("bad.evr"), Buffer.alloc(60));
    expect(await evariste("info", "bad.evr", "missing")).toMatchObject({
      code: 6,
      stderr:
        "evariste: bad.evr: truncated, or no Cobblestone file: none has 60 bytes\n" +
        "evariste: missing: no such file or folder\n",
    });
    writeFileSync(folder.at("bad.evr"), Buffer.alloc(72));
    expect((await evariste("info", "-k", "key", "bad.evr")).code).toBe(6);
  });
});

describe("selftest", () => {
  it("runs the known answers of every engine, and says so", async () => {
    const result = await evariste("selftest");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const text = result.stdout.toString();
    expect(text).toContain("ok    openssl: GCM test case 16 (AES-256)");
    expect(text).toContain("ok    Cobblestone-128");
    expect(text.trimEnd().endsWith("all known answers are right")).toBe(true);
    expect(text).not.toContain("FAIL");
  });
});

describe("help and arguments", () => {
  it("shows the exit codes in --help and in the README", async () => {
    const help = await evariste("--help");
    expect(help.code).toBe(0);
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    for (const { code, meaning } of EXIT_CODES) {
      expect(help.stdout.toString()).toContain(`${code}  ${meaning}`);
      expect(readme.replaceAll(/ +/g, " ")).toContain(`| ${code} | ${meaning} |`);
    }
  });

  it("refuses wrong arguments in one line with exit code 2", async () => {
    for (const args of [
      ["nonsense"],
      ["encrypt", "--key", "00"],
      ["encrypt", "--format", "zip", "a"],
      ["decrypt", "-o"],
    ]) {
      const result = await evariste(...args);
      expect(result.code, args.join(" ")).toBe(2);
      expect(result.stderr).toMatch(/^evariste: .*\n\(evariste --help explains\)\n$/);
    }
  });

  it("tells its version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect((await evariste("--version")).stdout.toString()).toBe(`${version}\n`);
  });

  it("keeps a hostile file name on one line", async () => {
    const result = await evariste("encrypt", "-k", "key", "a\n\u001b[31mb");
    expect(result.stderr).toBe("evariste: a\\x0a\\x1b[31mb: no such file or folder\n");
  });
});

describe("without an engine", () => {
  it("says so in one line", async () => {
    writeFileSync(folder.at("a"), "text");
    const names = JSON.parse((await evariste("info", "--json")).stdout.toString()).engines;
    const EVARISTE_DISABLE = names.map((engine: { name: string }) => engine.name).join();
    for (const args of [
      ["selftest"],
      ["encrypt", "-k", "key", "a"],
      ["encrypt", "-k", "key", "--format", "gcm", "a"],
    ]) {
      const result = await run(folder.path, args, { env: { EVARISTE_DISABLE } });
      expect(result.code, args.join(" ")).toBe(7);
      expect(result.stderr).toMatch(/^evariste: no AES-GCM engine is available.*\n$/);
    }
    expect(folder.names()).toEqual(["a", "key"]);
  });
});
