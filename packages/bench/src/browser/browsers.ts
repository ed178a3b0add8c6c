/** The browsers that can be driven from here, without a driver: a command line is all that is needed. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A browser and how it is started. */
export interface Browser {
  readonly name: string;
  /** Looked for in PATH, in this order. */
  readonly commands: readonly string[];
  /** Arguments for a new profile folder. */
  readonly launch: (profile: string, url: string) => string[];
  /** Preferences that the profile begins with. */
  readonly preferences: Readonly<Record<string, boolean | string>>;
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
  // Lets the harness collect garbage between the timed parts.
  "--js-flags=--expose-gc",
];

/** Preferences that keep a new Firefox profile from opening pages and connections of its own, and its clock exact. */
const FIREFOX = {
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "privacy.reduceTimerPrecision": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** All of them. */
export const BROWSERS: readonly Browser[] = [
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

/** The path of the first of these commands that PATH has. */
export function findCommand(commands: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return commands.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}
