import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BROWSERS, findCommand } from "../../src/browser/browsers.js";
import { makeReport } from "../../src/report/build.js";
import { reportHtml } from "../../src/report/html.js";
import { CURVE, resultsOf, sizesSuite } from "./sample.js";

const [chromium] = BROWSERS;
const command = findCommand(chromium.commands);
const reason = `none of ${chromium.commands.join(", ")} is installed`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "evariste-report-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a page without a window; gives the page as it then is, and what it wrote to the console. */
async function open(html: string): Promise<{ page: string; messages: string[] }> {
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  const args = ["--enable-logging=stderr", "--dump-dom"];
  const run = promisify(execFile);
  const { stdout, stderr } = await run(
    command!,
    [...args, ...chromium.launch(join(folder, "profile"), pathToFileURL(file).href)],
    { maxBuffer: 2 ** 26, timeout: 60_000 },
  );
  return { page: stdout, messages: stderr.split("\n").filter((line) => line.includes(":CONSOLE")) };
}

it.skipIf(command === undefined)(
  `Chromium opens the report without a word (skipped when ${reason})`,
  async () => {
    const results = resultsOf([sizesSuite(CURVE)]);
    const { page, messages } = await open(reportHtml(makeReport([results])));
    expect(messages).toEqual([]);
    expect(page.match(/<svg role="img"/g)).toHaveLength(1);
    expect(page).toContain("<title>native, 1 MiB: ");
    // That silence means something: a page with a fault does say so.
    const faulty = await open("<script>console.error('a fault')</script>");
    expect(faulty.messages.join()).toContain("a fault");
  },
);
