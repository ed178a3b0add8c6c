import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { progressLine } from "../src/progress.js";
import { BIN, useFolder } from "./run.js";

const folder = useFolder();
/** util-linux's `script` gives a command a terminal. */
const hasTerminal = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") === true;

describe("progress", () => {
  it("shows share, rate and time left", () => {
    const line = progressLine("film.mkv", 256 * 2 ** 20, 2 ** 30, 0.5);
    expect(line).toBe("film.mkv  ██████░░░░░░░░░░░░░░░░░░  25 %  512.0 MiB/s  00:02 left");
    expect(progressLine("standard input", 3 * 2 ** 20, undefined, 2)).toBe(
      "standard input  3.00 MiB  1.50 MiB/s",
    );
    expect(progressLine("x", 0, 7200, 0)).toContain("  0 %  0 B/s  --:-- left");
    expect(progressLine("x", 1, 7201, 1)).toContain("2:00:00 left");
  });

  it.runIf(hasTerminal)("draws a bar on a terminal, and none with --quiet", () => {
    // A pipe that takes its time, because quick work shows no bar.
    const feed = "(head -c 3000000 /dev/zero; sleep 1; head -c 3000000 /dev/zero; sleep 1)";
    const onTerminal = (flags: string) => {
      const command = `${feed} | "${process.execPath}" "${BIN}" encrypt ${flags} -k key -o out --force`;
      return spawnSync("script", ["-qec", command, "/dev/null"], { cwd: folder.path, encoding: "utf8" });
    };
    writeFileSync(folder.at("out"), "");
    const shown = onTerminal("");
    expect(shown.status).toBe(0);
    expect(shown.stdout).toMatch(/standard input {2}[\d.]+ MiB {2}[\d.]+ [KM]iB\/s/);
    expect(onTerminal("-q").stdout).toBe("");
  });
});
