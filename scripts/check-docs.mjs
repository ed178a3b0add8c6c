/**
 * Fails on an exported name without a docstring. A docstring stands right above its declaration, or above the first of
 * several declarations of one line each that follow each other, or above the first signature of an overloaded function.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FOLDERS = ["packages/evariste/src", "packages/cli/src", "packages/bench/src", "conformance/src"];
const DECLARATION =
  /^export (?:abstract |async )*(?:function\*?|class|interface|type|enum|const|let) (?<name>\w+)(?<rest>.*)$/;

/**
 * @param {string} source text of a module, formatted
 * @returns {string[]} the exported names that nothing is said of
 */
export function undocumented(source) {
  const lines = source.split("\n");
  const documented = new Set();
  return lines.flatMap((line, i) => {
    const name = DECLARATION.exec(line)?.groups?.name;
    if (name === undefined) return [];
    const above = DECLARATION.exec(lines[i - 1] ?? "")?.groups;
    const said =
      lines[i - 1]?.trimEnd().endsWith("*/") ||
      documented.has(name) ||
      (above?.rest.endsWith(";") && documented.has(above.name));
    if (!said) return [name];
    documented.add(name);
    return [];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(folder, path)),
  );
  const faults = paths.flatMap((path) =>
    undocumented(readFileSync(path, "utf8")).map((name) => `${path}: ${name} has no docstring`),
  );
  for (const fault of faults) console.error(fault);
  console.log(`docstrings: ${paths.length} files, ${faults.length} exported names without one`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
