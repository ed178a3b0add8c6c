/** Runs the suite without a test framework, on any runtime, and says what came of it. */
import { type EngineReport, engines } from "evariste";
import { asyncCases, thisPlatform } from "./async/index.js";
import { affords, type Target } from "./case.js";
import { fromDigits, type MessageDigits, runDifferential } from "./differential.js";
import { entryCases } from "./entries/index.js";
import { cases } from "./index.js";
import { targets } from "./targets.js";
import { parseWycheproof, runWycheproof, type WycheproofFile } from "./wycheproof.js";

/** What is run, and what must be there. All of it travels as JSON. */
export interface RunOptions {
  /** `engine/kernel` for each kernel that this runtime must offer: a missing one fails the run. */
  readonly expected: readonly string[];
  /** Engines that this runtime must refuse: text of a regular expression that the reason must match. */
  readonly refused: Readonly<Record<string, string>>;
  /** Also the cases for fast engines, hundreds of megabytes each. */
  readonly heavy: boolean;
  readonly wycheproof: readonly WycheproofFile[];
  /** Random messages, sealed by another implementation. */
  readonly messages: readonly MessageDigits[];
}

/** One target, or one group of cases without target. */
export interface Outcome {
  readonly name: string;
  passed: number;
  failed: number;
  skipped: number;
  readonly seconds: number;
}

/** What is wrong, in words. */
export interface Failure {
  readonly group: string;
  readonly name: string;
  readonly message: string;
}

/** The whole run. */
export interface Summary {
  readonly runtime: string;
  readonly version: string;
  readonly outcomes: readonly Outcome[];
  readonly failures: readonly Failure[];
  readonly engines: readonly EngineReport[];
}

/** Evidence as the runner sees it; without `run` it is skipped. */
interface Step {
  readonly name: string;
  readonly run?: () => unknown;
}

/** Milliseconds of work after which a page gets a macrotask to stay alive. */
const LONGEST_STRETCH = 50;

/** Runs everything. Of the native engine only the kernels that it chooses: the others differ in C, not in the runtime. */
export async function runSuite(options: RunOptions): Promise<Summary> {
  const reports = engines();
  const failures: Failure[] = [];
  const outcomes: Outcome[] = [];
  const group = async (name: string, steps: readonly Step[]) => {
    outcomes.push(await runGroup(name, steps, failures));
  };
  await group("engines", engineSteps(reports, options));
  for (const target of targets()) {
    if (target.engine !== "native" || target.chosen) await group(target.name, targetSteps(target, options));
  }
  await group("entry points", entryCases);
  const platform = thisPlatform(describeRuntime().runtime);
  const onWebCrypto = asyncCases.map(({ name, run }) => ({ name, run: () => run(platform) }));
  await group("WebCrypto, streams, ranges, parts", onWebCrypto);
  return { ...describeRuntime(), outcomes, failures, engines: reports };
}

async function runGroup(name: string, steps: readonly Step[], failures: Failure[]): Promise<Outcome> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const started = performance.now();
  let yielded = started;
  for (const step of steps) {
    if (performance.now() - yielded > LONGEST_STRETCH) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      yielded = performance.now();
    }
    if (step.run === undefined) {
      counts.skipped++;
      continue;
    }
    try {
      await step.run();
      counts.passed++;
    } catch (error) {
      counts.failed++;
      failures.push({ group: name, name: step.name, message: String(error) });
    }
  }
  return { name, ...counts, seconds: (performance.now() - started) / 1000 };
}

function targetSteps(target: Target, { heavy, wycheproof, messages }: RunOptions): Step[] {
  const own = cases.map((each): Step => {
    const run = affords(target, each) && (heavy || each.weight === undefined);
    return run ? { name: each.name, run: () => each.run(target) } : { name: each.name };
  });
  const published = wycheproof.flatMap(parseWycheproof).map((test) => ({
    name: `Wycheproof ${test.name}`,
    run: () => runWycheproof(target, test),
  }));
  const random = {
    name: `${messages.length} random messages`,
    run: () => runDifferential(target, messages.map(fromDigits), 0),
  };
  return [...own, ...published, random];
}

/** That the engines and kernels are there which the runtime is known to have, so that none goes untested in silence. */
function engineSteps(reports: readonly EngineReport[], { expected, refused }: RunOptions): Step[] {
  const found = reports.flatMap((engine) =>
    engine.kernels.filter((kernel) => kernel.available).map((kernel) => `${engine.name}/${kernel.name}`),
  );
  const reasonOf = (name: string) => reports.find((engine) => engine.name === name)?.reason ?? "available";
  return [
    ...expected.map((name) => ({
      name: `${name} is available`,
      run: () => {
        if (!found.includes(name)) throw new Error(reasonOf(name.split("/")[0]));
      },
    })),
    ...Object.entries(refused).map(([name, reason]) => ({
      name: `${name} is refused with its reason`,
      run: () => {
        if (!new RegExp(reason).test(reasonOf(name))) throw new Error(`its reason: ${reasonOf(name)}`);
      },
    })),
  ];
}

/** Globals that tell runtimes apart. */
interface RuntimeGlobals {
  readonly Deno?: { readonly version: { readonly deno: string } };
  readonly Bun?: { readonly version: string };
  readonly process?: { readonly version: string };
  readonly navigator?: { readonly userAgent: string };
}

function describeRuntime(): { runtime: string; version: string } {
  const { Deno, Bun, process, navigator } = globalThis as unknown as RuntimeGlobals;
  if (Deno) return { runtime: "Deno", version: Deno.version.deno };
  if (Bun) return { runtime: "Bun", version: Bun.version };
  if (process) return { runtime: "Node", version: process.version.slice(1) };
  const [, runtime, version] = /(Firefox|Chrome|Version)\/([\d.]+)/.exec(navigator?.userAgent ?? "") ?? [];
  return { runtime: runtime ?? "unknown", version: version ?? "unknown" };
}
