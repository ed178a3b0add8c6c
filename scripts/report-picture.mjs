/**
 * Renews docs/report.png and docs/report-dark.png from stored results, with Chromium:
 * node scripts/report-picture.mjs results.json… (as `npm run bench -- … --json` writes them; after `npm run build`)
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BROWSERS, findCommand } from "../packages/bench/dist/browser/browsers.js";
import { runBench } from "../packages/bench/dist/command.js";

/** Pixels: the head of the report and its first pictures. */
const WIDTH = 1280;
const HEIGHT = 1340;

/** Blink's numbers of the reader's preference. */
const PICTURES = [
  { file: "docs/report.png", scheme: 1 },
  { file: "docs/report-dark.png", scheme: 0 },
];

const [chromium] = BROWSERS;
const command = findCommand(chromium.commands);
const results = process.argv.slice(2);
if (command === undefined) throw new Error(`none of ${chromium.commands.join(", ")} is installed`);
if (results.length === 0) throw new Error("results files are needed, as --json writes them");

const folder = mkdtempSync(join(tmpdir(), "evariste-picture-"));
try {
  const page = join(folder, "report.html");
  process.exitCode = await runBench(["report", ...results, "--html", page]);
  for (const { file, scheme } of process.exitCode === 0 ? PICTURES : []) {
    const looks = [
      "--hide-scrollbars",
      `--window-size=${WIDTH},${HEIGHT}`,
      `--blink-settings=preferredColorScheme=${scheme}`,
      `--screenshot=${resolve(file)}`,
    ];
    const args = [...looks, ...chromium.launch(join(folder, "profile"), pathToFileURL(page).href)];
    execFileSync(command, args, { stdio: "ignore", timeout: 60_000 });
    console.log(`${file}: ${statSync(file).size} bytes`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
