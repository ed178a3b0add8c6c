import { AesGcm, type EngineName, engines } from "evariste";
import { evariste } from "../contestants/evariste.js";
import type { KeyBits } from "../contestants/shape.js";
import type { Contestant } from "../harness.js";
import type { SuiteRecord } from "../results.js";
import { formatRatio, type Table } from "../table.js";
import { ladderSteps } from "./ladder-steps.js";
import { closingNotes, formatSpeed, measureRow, type Suite, sizeLabel, usableEngines } from "./suite.js";

const SIZES = [16, 256, 1024, 4096, 16384, 2 ** 20];

/** A step of one engine, made into options of `AesGcm`. */
interface Rung {
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
    const { names, notes } = usableEngines(options.engines);
    const rungs = rungsOf(names);
    if (rungs.length === 0) return { tables: [], records: [], notes };
    const sizes = options.sizes ?? SIZES;
    const records: SuiteRecord[] = [];
    for (const size of sizes) {
      const contestants = rungs.map((rung) => contestant(rung, size, options.keyBits));
      const wanted = rungs.slice(1).map(({ name }) => ({ name, baseline: rungs[0].name }));
      records.push(await measureRow({ operation: "encryptInto", size }, contestants, wanted, options));
    }
    const title = `AES-${options.keyBits}-GCM, encryptInto, kernels switched on step by step`;
    const tables = [ladderTable(title, rungs, records), timesFirst(rungs, records)];
    return { tables, records, notes: [...notes, ...closingNotes(records)] };
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

/** The rung as something to measure. */
export function contestant({ name, engine, disable }: Rung, size: number, keyBits: KeyBits): Contestant {
  return evariste(name, { operation: "encryptInto", size, keyBits }, { engine, disable });
}

function ladderTable(title: string, rungs: readonly Rung[], records: readonly SuiteRecord[]): Table {
  return {
    title,
    columns: ["step", "kernels", ...records.map(sizeLabel)],
    rows: rungs.map(({ name, kernel }, i) => [
      name,
      kernel,
      ...records.map(({ row, scores }) => formatSpeed(scores[i], Number(row.size))),
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
        const found = verdicts.find((one) => one.name === name);
        return found === undefined ? "" : formatRatio(found.ratio.median);
      }),
    ]),
  };
}
