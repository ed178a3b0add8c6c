/** The suites that run in browsers, started from here: one run for each browser. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describeMachine, type Machine } from "../machine.js";
import type { ResultsFile, SuiteResults } from "../results.js";
import type { SuiteOptions } from "../suites/suite.js";
import { versions } from "../versions.js";
import { BROWSERS, type Browser, findBrowser } from "./browsers.js";
import { openScreen } from "./screen.js";
import { BROWSER_SUITES, type Opened } from "./suites.js";
import type { AboutTask, Answers, Task } from "./tasks.js";
import { type VisitOptions, visitPages } from "./visit.js";

/** Where the page is after `npm run build`. */
const PAGE = fileURLToPath(new URL("../../dist/page/", import.meta.url));

/** Most milliseconds for one page. */
const PAGE_TIME = 180_000;

/** What {@link runInBrowsers} found. */
export interface BrowserRuns {
  readonly runs: readonly ResultsFile[];
  /** Browsers that are missing, and why. */
  readonly notes: readonly string[];
}

/**
 * Runs suites in each browser that is installed.
 *
 * @param names of suites, and of browsers in any case
 * @param onSuite told of each suite that is done
 */
export async function runInBrowsers(
  names: { readonly suites: readonly string[]; readonly browsers?: readonly string[] | undefined },
  options: SuiteOptions,
  onSuite: (machine: Machine, result: SuiteResults) => void,
): Promise<BrowserRuns> {
  const runs: ResultsFile[] = [];
  const notes: string[] = [];
  const wanted = BROWSERS.filter(({ name }) => names.browsers?.includes(name.toLowerCase()) ?? true);
  for (const browser of wanted) {
    const found = findBrowser(browser);
    if ("missing" in found) {
      notes.push(`${browser.name} is missing: ${found.missing}`);
      continue;
    }
    try {
      runs.push(await runInOne(browser, found.command, names.suites, options, onSuite));
    } catch (error) {
      notes.push(`${browser.name} is missing: ${(error as Error).message}`);
    }
  }
  return { runs, notes };
}

async function runInOne(
  browser: Browser,
  command: string,
  names: readonly string[],
  options: SuiteOptions,
  onSuite: (machine: Machine, result: SuiteResults) => void,
): Promise<ResultsFile> {
  const runtime = `${browser.name} ${await versionOf(browser, command)}`;
  const visit = visitor(browser, command);
  const [about] = await visit<AboutTask>([{ task: "about" }]);
  if ("error" in about) throw new Error(`its page failed: ${about.error}`);
  const { engines } = about.summary;
  const machine: Machine = { ...describeMachine(), runtime, engines };
  const suites: SuiteResults[] = [];
  for (const name of names) {
    const progress = (what: string) => options.progress(`${browser.name}: ${name}: ${what}`);
    const result = await BROWSER_SUITES.get(name)!.run({ engines, visit }, { ...options, progress });
    options.progress("");
    suites.push({ suite: name, ...result });
    onSuite(machine, { suite: name, ...result });
  }
  return {
    version: 1,
    machine,
    versions: versions(),
    quick: options.quick,
    clock: "wall",
    timing: options.timing,
    suites,
  };
}

function visitor(browser: Browser, command: string): Opened["visit"] {
  return <T extends Task>(tasks: readonly T[], onResult?: (done: number) => void) => {
    const plan = tasks.map((task) => ({ path: "/", options: task }));
    const settings: VisitOptions<Answers[T["task"]]> = {
      timeout: tasks.length * PAGE_TIME,
      measuring: true,
      onResult: (place) => onResult?.(place + 1),
    };
    return visitPages(browser, command, PAGE, plan, settings);
  };
}

/** `150.0.7871.181` of `Chromium 150.0.7871.181 built on Debian`. */
async function versionOf({ window }: Browser, command: string): Promise<string> {
  const screen = window ? await openScreen() : undefined;
  try {
    const env = { ...process.env, ...screen?.environment };
    const { stdout } = await promisify(execFile)(command, ["--version"], { env });
    return /\d+(?:\.\w+)*/.exec(stdout)?.[0] ?? "of an unknown version";
  } finally {
    screen?.close();
  }
}
