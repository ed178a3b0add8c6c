import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { seal } from "evariste/chunked";
import { describe, expect, it } from "vitest";
import { sameByReference, sameFiles } from "../src/demo/checks.js";
import { readCobblestone } from "../src/demo/reference.js";
import { pattern, useFolder } from "./run.js";

const folder = useFolder();
const DEMO = fileURLToPath(new URL("../dist/demo.js", import.meta.url));

function demonstrate(file: string) {
  const env = { ...process.env, TMPDIR: folder.path };
  return spawnSync(process.execPath, [DEMO, file], { cwd: folder.path, env, encoding: "utf8" });
}

describe("npm start", () => {
  it("works on a file, verifies, shows the table, and leaves nothing behind", () => {
    for (const [name, length] of [
      ["empty", 0],
      ["a", 100_000],
    ] as const) {
      writeFileSync(folder.at(name), pattern(length));
      const result = demonstrate(name);
      expect(result.stderr).toBe("");
      expect(result.status).toBe(0);
      expect(result.stdout.match(/^ {2}ok {4}/gm)).toHaveLength(4);
      expect(result.stdout).toMatch(/^1 MiB /m);
      expect(readFileSync(folder.at(name)).equals(pattern(length))).toBe(true);
    }
    expect(readdirSync(folder.path).sort()).toEqual(["a", "empty", "key"]);
  });

  it("says in one line why a file cannot be read", () => {
    const result = demonstrate("missing");
    expect(result.status).toBe(4);
    expect(result.stderr).toBe("evariste: missing: no such file or folder\n");
  });
});

describe("the independent reading of the format", () => {
  const KEY = new Uint8Array(32).fill(5);
  const PLAIN = pattern(40_000);

  it("notices every kind of damage", async () => {
    const sealed = Buffer.from(await seal(KEY, PLAIN));
    writeFileSync(folder.at("plain"), PLAIN);
    const read = (content: Uint8Array, key = KEY) => {
      writeFileSync(folder.at("sealed"), content);
      return sameByReference(folder.at("plain"), folder.at("sealed"), key);
    };
    expect(read(sealed)).toBeUndefined();
    for (const at of [0, 24, 56, 20_000, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(() => read(altered), String(at)).toThrow();
    }
    for (const cut of [10, 56, 60, 56 + 16_400, sealed.length - 1]) {
      expect(() => read(sealed.subarray(0, cut)), String(cut)).toThrow();
    }
    expect(() => read(sealed, new Uint8Array(32))).toThrow("the commitment differs");
    writeFileSync(folder.at("plain"), PLAIN.subarray(1));
    expect(read(sealed)).toBe("differs from byte 0 on");
    writeFileSync(folder.at("plain"), Buffer.concat([PLAIN, Buffer.from("x")]));
    expect(read(sealed)).toBe("ends at byte 40000");
    expect(sameFiles(folder.at("plain"), folder.at("sealed"))).toBe("differs from byte 0 on");
  });

  it("an exact multiple of a chunk has an empty last one", async () => {
    writeFileSync(folder.at("sealed"), await seal(KEY, PLAIN.subarray(0, 32_768)));
    expect([...readCobblestone(folder.at("sealed"), KEY)].map((chunk) => chunk.length)).toEqual([
      16_384, 16_384, 0,
    ]);
  });
});
