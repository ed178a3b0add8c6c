/** The runtimes: where each comes from, and which engines and kernels it is known to have. */

const PORTABLE = ["portable/gctr_bitsliced", "portable/ghash_ctmul"];
const STANDARD = [...PORTABLE, "wasm/gcm_swizzle"];
const RELAXED = [...STANDARD, "wasm/gcm_swizzle_relaxed"];
const OPENSSL = ["openssl/gcm_openssl"];

/** npm's name of this platform's Node binary. */
function nodePackage() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const prefix = platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform}-${process.arch}`;
}

function denoPackage() {
  return `@deno/${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`;
}

function bunPackage() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return `@oven/bun-${platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;
}

function node(major, expected) {
  return {
    name: `Node ${major}`,
    package: nodePackage(),
    range: String(major),
    binary: process.platform === "win32" ? "bin/node.exe" : "bin/node",
    arguments: [],
    expected: [...expected, ...OPENSSL],
    refused: {},
  };
}

const exe = process.platform === "win32" ? ".exe" : "";

/**
 * Runtimes with processes. `package` is the npm package that holds `binary`; `expected` kernels must be there, `refused`
 * engines must be absent for a reason that matches.
 */
export const PROCESSES = [
  node(20, STANDARD),
  node(22, RELAXED),
  node(24, RELAXED),
  node(26, RELAXED),
  {
    name: "Deno",
    package: denoPackage(),
    range: "2",
    binary: `deno${exe}`,
    arguments: ["run", "--allow-all", "--no-lock", "--no-remote"],
    // Its node:crypto has had no AES-192-GCM so far.
    expected: RELAXED,
    refused: {},
  },
  {
    name: "Bun",
    package: bunPackage(),
    range: "1",
    binary: `bin/bun${exe}`,
    arguments: [],
    expected: [...RELAXED, ...OPENSSL],
    refused: {},
  },
  {
    ...node(22, []),
    name: "Node 22, condition evariste-portable",
    arguments: ["--conditions=evariste-portable"],
    expected: PORTABLE,
    refused: { native: "left out", openssl: "left out", wasm: "left out" },
  },
];

/** No Node-API and no node:crypto: the `imports` map of the package must have chosen `platform/web.js`. */
const WEB = { native: "Node-API", openssl: "node:crypto" };

/**
 * A policy without 'wasm-unsafe-eval' forbids to compile WebAssembly; the reason that `engines()` gives must say so, in
 * the browser's words.
 */
const STRICT = { ...WEB, wasm: "CSP|Content Security Policy" };

/** What browsers have, where it is not the same in all. */
const BROWSER = { expected: RELAXED, runsExamples: true };
const DIFFERENCES = {
  // No relaxed SIMD so far (2.50), and no navigator.storage, where the examples' tests keep their files; and what it plays is
  // up to GStreamer's plugins, packages of their own.
  WebKitGTK: { expected: STANDARD, runsExamples: false },
};

/**
 * What a browser runs of the suite, by its name, and whether it runs the examples. Pages under `/strict/` come with the policy
 * above.
 */
export function inBrowser(name) {
  const { expected, runsExamples } = { ...BROWSER, ...DIFFERENCES[name] };
  const free = { path: "/", expected, refused: WEB };
  const strict = { path: "/strict/", expected: PORTABLE, refused: STRICT };
  const pages = [
    { ...free, name: "page", where: "page" },
    { ...free, name: "worker", where: "worker" },
    { ...strict, name: "page, strict CSP", where: "page" },
    { ...strict, name: "worker, strict CSP", where: "worker" },
  ];
  return { pages, runsExamples };
}
