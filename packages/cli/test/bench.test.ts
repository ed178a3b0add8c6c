import { describe, expect, it, vi } from "vitest";
import { bench } from "../src/commands/bench.js";
import { run, useFolder } from "./run.js";

const folder = useFolder();
const evariste = (...args: string[]) => run(folder.path, args);

function missing(name: string): Error {
  return Object.assign(new Error(`Cannot find package '${name}' imported from here`), {
    code: "ERR_MODULE_NOT_FOUND",
  });
}

describe("bench", () => {
  it("hands its arguments over as they are, and the exit code back", async () => {
    const runBench = vi.fn(async () => 0);
    const args = ["sizes", "--quick", "--json", "a b.json"];
    expect(await bench(args, async () => ({ runBench }))).toBe(0);
    expect(runBench).toHaveBeenCalledWith(args, "evariste bench");
    runBench.mockResolvedValue(1);
    expect(await bench(args, async () => ({ runBench }))).toBe(2);
  });

  it("says in one line how to get the package where it is missing", async () => {
    const load = () => Promise.reject(missing("@evariste/bench"));
    await expect(bench([], load)).rejects.toMatchObject({
      name: "CliError",
      exitCode: 2,
      message: "bench needs the package @evariste/bench: npm install --global @evariste/bench",
    });
  });

  it("does not blame the package for what the package misses", async () => {
    const error = missing("commander");
    await expect(bench([], () => Promise.reject(error))).rejects.toBe(error);
  });

  it("has the help and the errors of the other command, options and all", async () => {
    const help = await evariste("bench", "report", "--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout.toString()).toContain("Usage: evariste bench report [options] <results...>");
    const wrong = await evariste("bench", "sizes", "--quick", "--rounds", "none");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain("A whole number from 1 on is needed.");
  });
});
