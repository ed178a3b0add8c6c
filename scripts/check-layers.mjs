/**
 * Fails on an import that points up the layers (docs/architecture.md), so that what is below never needs what is
 * above, and on an import from one engine's folder into another's. Tests and the conformance suite are exempt.
 */
import { readdirSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** From bottom to top. A file may import from its own layer and from those below. */
const LAYERS = ["gcm", "engines", "aes-gcm", "messages", "formats", "face", "tools"];

/** The layer of a path: the first row that matches. */
const PLACES = [
  { pattern: /^packages\/evariste\/src\/(gcm\/|platform\/|errors\.ts$)/, layer: "gcm" },
  { pattern: /^packages\/evariste\/src\/engines\//, layer: "engines" },
  { pattern: /^packages\/native\//, layer: "engines" },
  { pattern: /^packages\/evariste\/src\/(webcrypto|parallel)\//, layer: "messages" },
  { pattern: /^packages\/evariste\/src\/[^/]+\//, layer: "formats" },
  { pattern: /^packages\/evariste\/src\/(index|testing)\.ts$/, layer: "face" },
  { pattern: /^packages\/evariste\/src\//, layer: "aes-gcm" },
  { pattern: /^packages\/(cli|bench)\//, layer: "tools" },
];

/** What the workspace's package names stand for. */
const PACKAGES = [
  { pattern: /^#(platform|workers)$/, layer: "gcm" },
  { pattern: /^#loaders$/, layer: "engines" },
  { pattern: /^@evariste\/native\b/, layer: "engines" },
  { pattern: /^evariste(\/.*)?$/, layer: "face" },
  { pattern: /^@evariste\/(cli|bench)\b/, layer: "tools" },
];

const ENGINE = /^packages\/evariste\/src\/engines\/([^/]+)\//;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const IMPORT = /\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g;

function layerOf(text, rows) {
  return rows.find((row) => row.pattern.test(text))?.layer;
}

/** Where a specifier leads: a path in the repository, and a layer; undefined for packages from elsewhere. */
function resolve(from, specifier) {
  if (!specifier.startsWith(".")) return { path: specifier, layer: layerOf(specifier, PACKAGES) };
  const path = posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts");
  return { path, layer: layerOf(path, PLACES) };
}

/**
 * @param {string} path of the importing file, from the repository's root, with slashes
 * @param {string} source its text
 * @returns {string[]} one line for each import that is not allowed
 */
export function faultsOf(path, source) {
  const layer = layerOf(path, PLACES);
  if (layer === undefined) return [];
  const specifiers = [...source.replace(COMMENT, "").matchAll(IMPORT)].map((match) => match[1]);
  return specifiers.flatMap((specifier) => {
    const target = resolve(path, specifier);
    if (LAYERS.indexOf(target.layer) > LAYERS.indexOf(layer))
      return [`${path}: imports "${specifier}", up from ${layer} to ${target.layer}`];
    const [mine, theirs] = [path, target.path].map((each) => ENGINE.exec(each)?.[1]);
    if (mine !== undefined && theirs !== undefined && mine !== theirs)
      return [`${path}: imports "${specifier}", from the ${mine} engine into ${theirs}`];
    return [];
  });
}

function sources() {
  return readdirSync("packages", { recursive: true })
    .map((path) => posix.join("packages", path.split(sep).join("/")))
    .filter((path) => /^packages\/[^/]+\/(src|bin)\/.*\.(ts|js|mjs)$/.test(path));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const paths = sources();
  const faults = paths.flatMap((path) => faultsOf(path, readFileSync(path, "utf8")));
  for (const fault of faults) console.error(fault);
  console.log(`layers: ${paths.length} files, ${faults.length} imports that are not allowed`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
