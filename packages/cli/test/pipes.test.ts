import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BIN, finished, pattern, run, start, useFolder } from "./run.js";

const folder = useFolder();
const KEY = ["-k", "key"];
const LARGE = pattern(3_000_001);

function shell(command: string) {
  const { EVARISTE_KEY: _key, ...env } = process.env;
  const script = `evariste() { "${process.execPath}" "${BIN}" "$@"; }\n${command}`;
  return spawnSync("bash", ["-c", script], { cwd: folder.path, env, maxBuffer: 2 ** 26 });
}

describe("pipes", () => {
  for (const format of ["cobblestone-256", "gcm"]) {
    it(`standard input to standard output, without inputs and with "-": ${format}`, async () => {
      const sealed = await run(folder.path, ["encrypt", ...KEY, "--format", format], { input: LARGE });
      expect(sealed).toMatchObject({ code: 0, stderr: "" });
      const opened = await run(folder.path, ["decrypt", ...KEY, "--format", format, "-"], {
        input: sealed.stdout,
      });
      expect(opened).toMatchObject({ code: 0, stderr: "" });
      expect(opened.stdout.equals(LARGE)).toBe(true);
    });
  }

  it("standard input to a file, and a file to standard output", async () => {
    expect((await run(folder.path, ["encrypt", ...KEY, "-o", "a.evr"], { input: LARGE })).code).toBe(0);
    const opened = await run(folder.path, ["decrypt", ...KEY, "a.evr", "-o", "-"]);
    expect(opened.stdout.equals(LARGE)).toBe(true);
    expect(
      (await run(folder.path, ["verify", ...KEY], { input: readFileSync(folder.at("a.evr")) })).code,
    ).toBe(0);
  });

  it("files redirected to standard input and from standard output", () => {
    writeFileSync(folder.at("a"), LARGE);
    expect(
      shell("evariste encrypt -k key < a > b && evariste decrypt -k key < b > c && cmp a c").status,
    ).toBe(0);
  });

  it("FIFOs on both sides", () => {
    writeFileSync(folder.at("a"), LARGE);
    const script = `mkfifo in out
      cat a > in & cat out > sealed &
      evariste encrypt -k key in -o out && wait && evariste decrypt -k key sealed -o b && cmp a b`;
    expect(shell(script).status).toBe(0);
  });

  it("ends without a word when the reader goes away", () => {
    writeFileSync(folder.at("a"), LARGE);
    expect(shell("evariste encrypt -k key a").status).toBe(0);
    for (const command of ["cat -k key a.evr", "decrypt -k key a.evr -o -", "encrypt -k key a -o -"]) {
      const result = shell(`evariste ${command} | head -c 1 > /dev/null; exit \${PIPESTATUS[0]}`);
      expect(result.status, command).toBe(141);
      expect(result.stderr.toString()).toBe("");
    }
    for (const command of ["info", "--help", "help cat", "--version"]) {
      // Started only when the reader is gone for certain.
      const result = shell(`{ sleep 0.2; evariste ${command}; exit $?; } | true; exit \${PIPESTATUS[0]}`);
      expect(result.status, command).toBe(141);
      expect(result.stderr.toString(), command).toBe("");
    }
  });

  it("reads standard input once, whatever the command", async () => {
    for (const args of [["encrypt"], ["decrypt"], ["verify"], ["cat"]]) {
      expect(await run(folder.path, [...args, ...KEY, "-", "-"])).toMatchObject({
        code: 2,
        stderr: "evariste: standard input can be read only once\n",
      });
    }
  });

  it("does not wait for standard input when the output has failed", async () => {
    const child = start(folder.path, ["encrypt", ...KEY, "-o", "no/such/folder"]);
    const result = await finished(child);
    expect(result).toMatchObject({ code: 5, stderr: "evariste: no/such/folder: no such file or folder\n" });
  });
});

describe("disk full", () => {
  it("on a device and on standard output", async () => {
    writeFileSync(folder.at("a"), LARGE);
    const named = await run(folder.path, ["encrypt", ...KEY, "a", "-o", "/dev/full"]);
    expect(named).toMatchObject({ code: 5, stderr: "evariste: /dev/full: no space left on device\n" });
    const fd = openSync("/dev/full", "w");
    const help = await run(folder.path, ["--help"], { stdout: fd });
    expect(help).toMatchObject({ code: 5, stderr: "evariste: standard output: no space left on device\n" });
    const standard = await run(folder.path, ["encrypt", ...KEY, "a", "-o", "-"], { stdout: fd });
    closeSync(fd);
    expect(standard).toMatchObject({
      code: 5,
      stderr: "evariste: standard output: no space left on device\n",
    });
  });

  it("in the middle of a file: the limit that the shell sets on a file's size stands in for a full disk", () => {
    writeFileSync(folder.at("a"), LARGE);
    const result = shell("trap '' XFSZ; ulimit -f 1000; evariste encrypt -k key a");
    expect(result.status).toBe(5);
    expect(result.stderr.toString()).toBe("evariste: a.evr: file too large for the file system\n");
    expect(folder.names()).toEqual(["a", "key"]);
  });
});

describe("signals", () => {
  /** Feeds a FIFO's first half, waits for the temporary file, sends the signal. */
  async function interrupted(signal: NodeJS.Signals) {
    const child = start(folder.path, ["encrypt", ...KEY, "-", "-o", "out.evr"]);
    child.stdin!.on("error", () => {});
    child.stdin!.write(LARGE);
    const end = finished(child);
    while (!folder.names().some((name) => name.endsWith(".evariste-tmp"))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill(signal);
    return end;
  }

  for (const [signal, code, line] of [
    ["SIGINT", 130, "evariste: interrupted\n"],
    ["SIGTERM", 143, "evariste: ended by SIGTERM\n"],
    ["SIGHUP", 129, "evariste: ended by SIGHUP\n"],
  ] as const) {
    it(`${signal} removes the temporary file and exits with ${code}`, async () => {
      expect(await interrupted(signal)).toMatchObject({ code, stderr: line });
      expect(folder.names()).toEqual(["key"]);
    });
  }

  it("ends also while it waits for somebody to open a FIFO", async () => {
    expect(shell("mkfifo fifo").status).toBe(0);
    const child = start(folder.path, ["encrypt", ...KEY, "fifo", "-o", "out"]);
    const end = finished(child);
    // Nothing shows from outside that it waits; a signal before its handlers are there ends it as well.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill("SIGTERM");
    expect((await end).signal).toBe("SIGTERM");
    expect(existsSync(folder.at("out"))).toBe(false);
  });
});
