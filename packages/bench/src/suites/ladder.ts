import { AesGcm, type EngineName, engines } from "evariste";
import type { Spec } from "../contestants/table.js";
import type { SuiteRecord } from "../results.js";
import { formatRatio, type Table } from "../table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { BOTH_APART, GCTR_ONLY, ladderSteps } from "./ladder-steps.js";
import { formatSpeed, type Suite, sizeLabel, usableEngines, type Wanted } from "./suite.js";

const SIZES = [16, 256, 1024, 4096, 16384, 2 ** 20];

/** How much the GHASH kernel alone must give, with a GCTR kernel beside it, and from which size on. */
const GHASH_TARGET = 4;
const GHASH_TARGET_FROM = 4096;

/** A step of one engine, made into options of `AesGcm`. */
export interface Rung {
  readonly name: string;
  readonly engine: EngineName;
  readonly disable: readonly string[];
  /** What really ran. */
  readonly kernel: string;
}

/** The portable engine in TypeScript, then every engine with more than one step, kernel by kernel. */
export const ladder: Suite = {
  summary: "kernels switched on one after another: none, GHASH, GCTR, both apart, combined",
  run: async (options) => {
    const usable = usableEngines(options.engines);
    const rungs = rungsOf(usable.names);
    if (rungs.length === 0) return { tables: [], records: [], notes: usable.notes };
    const field = await contenders({ specs: rungs.map(rungSpec) });
    const rows = (options.sizes ?? SIZES).map((size) =>
      forkRow({ operation: "encryptInto", size, keyBits: options.keyBits }, wanted(rungs, size)),
    );
    const { records, notes } = await measureField(rows, field, options);
    const title = `AES-${options.keyBits}-GCM, encryptInto, kernels switched on step by step`;
    const tables = [ladderTable(title, rungs, records), timesFirst(rungs, records)];
    return { tables, records, notes: [...usable.notes, ...notes] };
  },
};

/** The steps of all these engines, slowest engine first. Steps that run the same kernels as an earlier one are dropped. */
export function rungsOf(names: readonly EngineName[]): Rung[] {
  const rungs: Rung[] = [];
  for (const { name: engine, kernels } of engines().reverse()) {
    if (!names.includes(engine)) continue;
    const seen = new Set<string>();
    for (const step of ladderSteps(kernels)) {
      const { kernel } = new AesGcm(new Uint8Array(16), { engine, disable: step.disable });
      if (seen.has(kernel)) continue;
      seen.add(kernel);
      rungs.push({ name: `${engine}: ${step.name}`, engine, disable: step.disable, kernel });
    }
  }
  return rungs;
}

/** The rung as a contestant. */
export function rungSpec({ name, engine, disable }: Rung): Spec {
  return { name, kind: "evariste", options: { engine, disable } };
}

function wanted(rungs: readonly Rung[], size: number): Wanted[] {
  const first = rungs.slice(1).map(({ name }) => ({ name, baseline: rungs[0].name }));
  const ghashAlone = ghashPairs(rungs).map((pair) => ({
    ...pair,
    target: size >= GHASH_TARGET_FROM ? GHASH_TARGET : undefined,
  }));
  return [...first, ...ghashAlone];
}

/** Steps between which only the GHASH kernel changes, from the plain one to the fastest, beside a GCTR kernel. */
export function ghashPairs(rungs: readonly Rung[]): { name: string; baseline: string }[] {
  return rungs
    .filter(({ name, engine }) => name === `${engine}: ${BOTH_APART}`)
    .map(({ name, engine }) => ({ name, baseline: `${engine}: ${GCTR_ONLY}` }));
}

function ladderTable(title: string, rungs: readonly Rung[], records: readonly SuiteRecord[]): Table {
  return {
    title,
    columns: ["step", "kernels", ...records.map(sizeLabel)],
    rows: rungs.map(({ name, kernel }) => [
      name,
      kernel,
      ...records.map(({ row, scores }) => {
        const found = scores.find((one) => one.name === name);
        return found === undefined ? "" : formatSpeed(found, Number(row.size));
      }),
    ]),
  };
}

function timesFirst(rungs: readonly Rung[], records: readonly SuiteRecord[]): Table {
  return {
    title: `Times the first line (${rungs[0].kernel})`,
    columns: ["step", ...records.map(sizeLabel)],
    rows: rungs.slice(1).map(({ name }) => [
      name,
      ...records.map(({ verdicts }) => {
        const found = verdicts.find((one) => one.name === name && one.baseline === rungs[0].name);
        return found === undefined ? "" : formatRatio(found.ratio.median);
      }),
    ]),
  };
}
