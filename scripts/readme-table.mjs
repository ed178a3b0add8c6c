/**
 * Renews README's table of speeds from docs/benchmarks.md, whose figures come from `npm run bench -- sizes --into`:
 * node scripts/readme-table.mjs
 */
import { readFileSync, writeFileSync } from "node:fs";

const ROWS = ["16 B", "256 B", "1 KiB", "16 KiB", "1 MiB"];
const COLUMNS = ["size", "native", "wasm", "openssl", "portable", "createCipheriv", "noble"];
const OPEN = "<!-- bench:readme -->";
const CLOSE = "<!-- /bench:readme -->";

function cells(line) {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const benchmarks = readFileSync("docs/benchmarks.md", "utf8");
const section = benchmarks.slice(benchmarks.indexOf("<!-- bench:sizes -->"));
const machine = section.split("```text\n")[1].split("\n");
const lines = section.split("**AES-128-GCM, encryptInto**\n\n")[1].split("\n\n")[0].split("\n");
const [header, , ...body] = lines.map(cells);
const places = COLUMNS.map((name) => header.indexOf(name));
if (places.includes(-1)) throw new Error(`docs/benchmarks.md lacks one of the columns ${COLUMNS.join(", ")}`);

const row = (values) => `| ${values.join(" | ")} |`;
const table = [
  row(COLUMNS),
  row(COLUMNS.map((_, i) => (i === 0 ? "---" : "---:"))),
  ...body
    .filter((values) => ROWS.includes(values[0]))
    .map((values) => row(places.map((place) => values[place].replace(/ ±.*/, "")))),
];
const caption = [
  "AES-128-GCM, messages or bytes per second into the caller's memory, a new IV each time, medians, on",
  `${machine[0]}; ${machine[2].replace(/, commit.*/, "")}. A shared machine: the ratios are what counts.`,
];
const readme = readFileSync("README.md", "utf8");
const before = readme.slice(0, readme.indexOf(OPEN) + OPEN.length);
const after = readme.slice(readme.indexOf(CLOSE));
writeFileSync("README.md", `${before}\n${caption.join("\n")}\n\n${table.join("\n")}\n${after}`);
