/** Every engine of this process with every kernel that can be chosen. */
import { AesGcm, type EngineName, engines, type KernelReport } from "evariste";
import { type Engine, loadEngine } from "evariste/testing";
import type { Target } from "./case.js";

/** Engines whose kernels encrypt some hundred megabytes per second and more, except those named as here. */
const FAST: readonly EngineName[] = ["openssl", "native"];
const SLOW_KERNEL = /_portable$/;

/** @returns targets that together force every kernel available here, each engine's own choice first */
export function targets(): Target[] {
  return engines()
    .filter((report) => report.available)
    .flatMap((report) => targetsOf(loadEngine(report.name)));
}

function targetsOf(engine: Engine): Target[] {
  const all = engine.kernels(new Set());
  const settings = new Map<string, { disable: string[]; kernels: string[] }>();
  for (const kernel of all) {
    const disable = leadingTo(kernel, all);
    const chosen = engine.kernels(new Set(disable)).find((k) => k.name === kernel.name)?.chosen;
    if (!kernel.available || !chosen) continue;
    const setting = settings.get(disable.join()) ?? { disable, kernels: [] };
    setting.kernels.push(kernel.name);
    settings.set(disable.join(), setting);
  }
  return [...settings.values()].map(({ disable, kernels }) => targetFor(engine, kernels, disable));
}

/**
 * What must go for `wanted` to be chosen: kernels of its role that stand before it, and, since a combined kernel leaves
 * nothing to do for separate ones, every combined kernel when it is a separate one.
 */
function leadingTo(wanted: KernelReport, all: readonly KernelReport[]): string[] {
  const before = all.slice(0, all.indexOf(wanted));
  const rivals = before.filter((kernel) => kernel.role === wanted.role);
  const combined = wanted.role === "gcm" ? [] : all.filter((kernel) => kernel.role === "gcm");
  const able = [...rivals, ...combined].filter((kernel) => kernel.available);
  return [...new Set(able.map((kernel) => kernel.name))];
}

function targetFor(engine: Engine, kernels: readonly string[], disable: readonly string[]): Target {
  const disabled = new Set(disable);
  return {
    name: `${engine.name}/${kernels.join("+")}`,
    engine: engine.name,
    kernels,
    chosen: disable.length === 0,
    disable,
    fast: FAST.includes(engine.name) && !kernels.some((name) => SLOW_KERNEL.test(name)),
    create: (key, options) => new AesGcm(key, { ...options, engine: engine.name, disable }),
    engineKey: (key) => engine.createKey(key, disabled),
    kernelCalls: () => engine.kernelCalls?.() ?? {},
  };
}
