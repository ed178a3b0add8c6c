/** Which engines this process has, which of them are trusted, and which one runs what. */
import { compileWasm, LOADERS } from "#loaders";
import { environment, warn } from "#platform";
import type { Engine, EngineName, KernelReport } from "./engine.js";
import { proveEngine } from "./self-test.js";
import { SIZE_RULES } from "./thresholds.js";

/** What {@link engines} says of one engine. */
export interface EngineReport {
  readonly name: EngineName;
  /** Loaded, not switched off, and right on the known answers. */
  readonly available: boolean;
  /** A new `AesGcm` uses it for some message size. */
  readonly chosen: boolean;
  readonly kernels: readonly KernelReport[];
  /** Why it is not available, a sentence, and maybe details on lines of their own; absent when it is. */
  readonly reason?: string;
}

/** The engines of a new key. */
export interface EnginePlan {
  readonly small: Engine;
  readonly large: Engine;
  /** First message length in bytes for `large`. */
  readonly threshold: number;
}

type Loaded = { readonly engine: Engine } | { readonly reason: string };

const loaded = new Map<EngineName, Loaded>();
const plans = new Map<string, EnginePlan>();
let environmentSet: ReadonlySet<string> | undefined;

/**
 * Names of engines and kernels that are switched off: `EVARISTE_DISABLE` (comma-separated, read once) and `more`.
 */
export function switchedOff(more: Iterable<string> = []): ReadonlySet<string> {
  // A string is an Iterable<string> too, of its letters.
  if (typeof more === "string") throw new TypeError("disable must be a list of names, not a string");
  environmentSet ??= new Set(
    (environment("EVARISTE_DISABLE") ?? "").split(",").flatMap((name) => name.trim() || []),
  );
  const names = [...more];
  return names.length === 0 ? environmentSet : new Set([...environmentSet, ...names]);
}

function attempt(name: EngineName): Loaded {
  try {
    const load = LOADERS.get(name);
    if (load === undefined) throw new Error("not part of this build");
    const engine = load();
    const fault = proveEngine(engine, switchedOff());
    if (fault === undefined) return { engine };
    const reason = `failed its self-test: ${fault}`;
    warn(`evariste: the ${name} engine ${reason}; it is not used`);
    return { reason };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The engine, loaded and proven on known answers at the first call; or the reason why there is none. */
function loadOnce(name: EngineName, disabled: ReadonlySet<string>): Loaded {
  if (disabled.has(name)) return { reason: "switched off" };
  let result = loaded.get(name);
  if (result === undefined) {
    result = attempt(name);
    loaded.set(name, result);
  }
  return result;
}

/**
 * The engines for a new key.
 *
 * @param only run everything on this engine
 * @throws Error when `only`, or every engine, is not available; its message has the reasons
 */
export function planEngines(only: EngineName | undefined, disabled: ReadonlySet<string>): EnginePlan {
  const cacheable = disabled === environmentSet;
  const cached = cacheable ? plans.get(only ?? "") : undefined;
  if (cached !== undefined) return cached;
  const plan = only === undefined ? firstRule(disabled) : forced(only, disabled);
  if (cacheable) plans.set(only ?? "", plan);
  return plan;
}

function firstRule(disabled: ReadonlySet<string>): EnginePlan {
  const plan = firstPlan(disabled);
  if (plan !== undefined) return plan;
  const reasons = names().map((name) => `${name}: ${sentence(loadOnce(name, disabled))}`);
  throw new Error(`no AES-GCM engine is available (${reasons.join("; ")})`);
}

function firstPlan(disabled: ReadonlySet<string>): EnginePlan | undefined {
  for (const rule of SIZE_RULES) {
    const small = loadOnce(rule.small, disabled);
    const large = loadOnce(rule.large, disabled);
    if ("engine" in small && "engine" in large) {
      return { small: small.engine, large: large.engine, threshold: rule.from };
    }
  }
  return undefined;
}

function forced(name: EngineName, disabled: ReadonlySet<string>): EnginePlan {
  const engine = loadEngine(name, disabled);
  return { small: engine, large: engine, threshold: 0 };
}

/**
 * One engine, loaded and proven.
 *
 * @throws RangeError for a name that is none, Error when the engine is not available; its message has the reason
 */
export function loadEngine(name: EngineName, disabled: ReadonlySet<string> = switchedOff()): Engine {
  if (!LOADERS.has(name)) {
    throw new RangeError(`engine is ${JSON.stringify(name)}; allowed are ${names().join(", ")}`);
  }
  const result = loadOnce(name, disabled);
  if ("engine" in result) return result.engine;
  throw new Error(`the ${name} engine is not available: ${result.reason}`);
}

function names(): EngineName[] {
  return [...LOADERS.keys()];
}

/** A reason without its details. */
function sentence(result: Loaded): string {
  return "reason" in result ? result.reason.split("\n", 1)[0] : "available";
}

/**
 * What can run AES-GCM in this process, and what does: every engine and kernel by name, whether it is available and
 * chosen, and if not, why. Also answers when nothing can run. Warns once of names in `EVARISTE_DISABLE` that are none of
 * these, since a misspelt one switches nothing off.
 *
 * @example
 * engines().find((engine) => engine.chosen)?.kernels
 */
export function engines(): EngineReport[] {
  const disabled = switchedOff();
  const plan = firstPlan(disabled);
  const reports = names().map((name): EngineReport => {
    const result = loadOnce(name, disabled);
    if ("reason" in result) {
      return { name, available: false, chosen: false, kernels: [], reason: result.reason };
    }
    const chosen = plan?.small === result.engine || plan?.large === result.engine;
    const kernels = result.engine.kernels(disabled).map((k) => ({ ...k, chosen: chosen && k.chosen }));
    return { name, available: true, chosen, kernels };
  });
  warnOfStrangers(disabled, reports);
  return reports;
}

let warned = false;

function warnOfStrangers(disabled: ReadonlySet<string>, reports: readonly EngineReport[]): void {
  const known = new Set<string>(
    reports.flatMap((engine) => [engine, ...engine.kernels]).map(({ name }) => name),
  );
  const strangers = [...disabled].filter((name) => !known.has(name)).map((name) => JSON.stringify(name));
  if (warned || strangers.length === 0) return;
  warned = true;
  warn(`evariste: EVARISTE_DISABLE names ${strangers.join(", ")}; no engine or kernel here is called so`);
}

/**
 * Compiles the WebAssembly engine without blocking. Needed only on the main thread of browsers that refuse a synchronous
 * compile of its 16 KB (Chromium before 2023): there the portable engine runs until this has resolved, and new keys
 * use WebAssembly afterwards. Where WebAssembly is not to be had it resolves as well; `engines()` has the reason.
 */
export async function ready(): Promise<void> {
  try {
    await compileWasm();
  } catch {
    return;
  }
  const wasm = loaded.get("wasm");
  if (wasm === undefined || "engine" in wasm) return;
  loaded.delete("wasm");
  plans.clear();
}
