import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runBench } from "../../src/command.js";
import { CURVE, resultsOf, sizesSuite } from "./sample.js";

let folder: string;
let printed: string;
let complaints: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "evariste-bench-"));
  printed = "";
  complaints = "";
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    printed += `${line}\n`;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    complaints += text;
    return true;
  });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const node = resultsOf([sizesSuite(CURVE)]);
const firefox = resultsOf([sizesSuite(CURVE)], "Firefox 140.1");

/** Writes a file, as JSON unless it is text. */
function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("bench report", () => {
  it("prints what a run prints, and compares two files", async () => {
    const path = file("new.json", node);
    expect(await runBench(["report", path, "--baseline", path])).toBe(0);
    expect(printed).toContain("By message size");
    expect(printed).toMatch(/- 8 of 8 rows agree within their errors\n$/);
  });

  it("takes files of one run and of several, and writes a page instead of printing", async () => {
    const page = join(folder, "report.html");
    const paths = [file("node.json", node), file("browsers.json", [firefox])];
    expect(await runBench(["report", ...paths, "--html", page])).toBe(0);
    expect(printed).toBe("");
    expect(readFileSync(page, "utf8")).toContain("<h3>Firefox 140.1</h3>");
  });

  it("writes sections of a document, those of browsers under their name", async () => {
    const markers = ["sizes", "sizes-firefox"].map(
      (name) => `<!-- bench:${name} -->\n<!-- /bench:${name} -->`,
    );
    const document = file("doc.md", markers.join("\n"));
    expect(await runBench(["report", file("all.json", [node, firefox]), "--into", document])).toBe(0);
    const [first, second] = readFileSync(document, "utf8").split("<!-- bench:sizes-firefox -->");
    expect(first).toContain("Node 20.0.0, OpenSSL 3.0.0");
    expect(second).toContain("Firefox 140.1, commit");
    for (const part of [first, second]) expect(part).toContain("| 1 KiB | ");
  });

  it.each([
    ["missing.json", undefined, "cannot be read (ENOENT)"],
    ["text.json", "no JSON", "is not JSON"],
    ["other.json", { name: "x" }, "is not a results file, as --json writes them"],
    ["null.json", [null], "is not a results file, as --json writes them"],
    ["future.json", { ...node, version: 2 }, "is of version 2; this program reads version 1"],
  ])("refuses %s in one line", async (name, content, reason) => {
    const path = content === undefined ? join(folder, name) : file(name, content);
    expect(await runBench(["report", path])).toBe(1);
    expect(complaints).toContain(`${path} ${reason}`);
    expect(complaints.trim().split("\n")).toHaveLength(1);
  });

  it("refuses targets that cannot be written before anything is done", async () => {
    const results = file("node.json", node);
    expect(await runBench(["report", results, "--html", folder])).toBe(1);
    expect(complaints).toContain("It is a folder.");
    expect(await runBench(["report", results, "--html", join(folder, "no", "report.html")])).toBe(1);
    expect(complaints).toContain(`There is no folder ${join(folder, "no")}.`);
    expect(printed).toBe("");
  });
});
