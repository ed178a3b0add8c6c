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

/** What each browser runs. Pages under `/strict/` come with the policy above. */
export const PAGES = [
  { name: "page", path: "/", where: "page", expected: RELAXED, refused: WEB },
  { name: "worker", path: "/", where: "worker", expected: RELAXED, refused: WEB },
  { name: "page, strict CSP", path: "/strict/", where: "page", expected: PORTABLE, refused: STRICT },
  { name: "worker, strict CSP", path: "/strict/", where: "worker", expected: PORTABLE, refused: STRICT },
];

/** Flags for a browser that talks to this machine only and leaves nothing behind. */
const CHROMIUM = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Preferences that keep a new Firefox profile from opening pages and connections of its own. */
const FIREFOX = {
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** `command` is looked for in PATH; `launch` gives its arguments for a new profile folder. */
export const BROWSERS = [
  {
    name: "Chromium",
    commands: ["chromium", "chromium-browser", "google-chrome"],
    launch: (profile, url) => [...CHROMIUM, `--user-data-dir=${profile}`, url],
    preferences: {},
  },
  {
    name: "Firefox",
    commands: ["firefox-esr", "firefox"],
    launch: (profile, url) => ["--headless", "--no-remote", "--profile", profile, url],
    preferences: FIREFOX,
  },
];
