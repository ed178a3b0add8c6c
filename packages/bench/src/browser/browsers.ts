/** The browsers that can be driven from here, without a driver: a command line is all that is needed. */
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { SCREEN_COMMAND } from "./screen.js";

/** A browser and how it is started. */
export interface Browser {
  readonly name: string;
  /** Looked for in PATH unless they are paths, in this order. */
  readonly commands: readonly string[];
  /** Arguments for a new profile folder. */
  readonly launch: (profile: string, url: string) => string[];
  /** Variables for a new profile folder. */
  readonly environment?: (profile: string) => Readonly<Record<string, string>>;
  /** It has no headless mode and needs a screen. */
  readonly window?: true;
  /** Preferences that the profile begins with. */
  readonly preferences: Readonly<Record<string, boolean | string>>;
  /** More of both, for exact times. */
  readonly measuring: {
    readonly arguments: readonly string[];
    readonly preferences: Readonly<Record<string, boolean | string>>;
  };
}

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

/** Where distributions keep WebKitGTK's own small browser; it is not meant for PATH. */
const WEBKITGTK = [
  ...["x86_64", "aarch64"].map((machine) => `/usr/lib/${machine}-linux-gnu`),
  "/usr/libexec",
  "/usr/lib64",
  "/usr/lib",
].map((folder) => `${folder}/webkit2gtk-4.1/MiniBrowser`);

/** All of them. */
export const BROWSERS: readonly Browser[] = [
  {
    name: "Chromium",
    commands: ["chromium", "chromium-browser", "google-chrome"],
    launch: (profile, url) => [...CHROMIUM, `--user-data-dir=${profile}`, url],
    preferences: {},
    // Lets the harness collect garbage between the timed parts.
    measuring: { arguments: ["--js-flags=--expose-gc"], preferences: {} },
  },
  {
    name: "Firefox",
    commands: ["firefox-esr", "firefox"],
    launch: (profile, url) => ["--headless", "--no-remote", "--profile", profile, url],
    preferences: FIREFOX,
    // Its clock ticks every 20 µs otherwise.
    measuring: { arguments: [], preferences: { "privacy.reduceTimerPrecision": false } },
  },
  {
    name: "WebKitGTK",
    commands: WEBKITGTK,
    launch: (_, url) => [url],
    environment: (profile) =>
      Object.fromEntries(["DATA", "CACHE", "CONFIG"].map((kind) => [`XDG_${kind}_HOME`, profile])),
    window: true,
    preferences: {},
    measuring: { arguments: [], preferences: {} },
  },
];

/** The path of the first of these commands that is there: in PATH, or by itself a path. */
export function findCommand(commands: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = (name: string) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)));
  return commands.flatMap(places).find(existsSync);
}

/** The browser's program, or what is missing. */
export function findBrowser({ commands, window }: Browser): { command: string } | { missing: string } {
  const command = findCommand(commands);
  if (command === undefined) return { missing: `none of ${commands.join(", ")} is installed` };
  if (window && findCommand([SCREEN_COMMAND]) === undefined)
    return { missing: `${SCREEN_COMMAND} is not installed, and it needs a screen` };
  return { command };
}
