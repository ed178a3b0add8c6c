import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { EngineName } from "evariste";
import { score } from "../harness.js";
import type { FirstCalls } from "../processes/first-call-child.js";
import type { Score, SuiteRecord } from "../results.js";
import { pairedRatio } from "../statistics.js";
import { formatRatio, formatSize, formatTime, type Table } from "../table.js";
import { closingNotes, type Suite, type SuiteOptions, sizeLabel, usableEngines, verdict } from "./suite.js";

const SIZES = [1024, 16384, 2 ** 20];
const CALLS = [1, 2, 10, 100];
const CHILD = fileURLToPath(new URL("../processes/first-call-child.js", import.meta.url));
const run = promisify(execFile);

/** From the second call on, at least this part of the steady speed; the native engine's, at 1 MiB. */
const SECOND_CALL = 1 / 1.1;
const NATIVE_TARGET_SIZE = 2 ** 20;
const NATIVE_FIRST_CALL = 1e6;

/** From the start of the import to the first ciphertext of 1 KiB with wasm, in nanoseconds. */
const WASM_START = 12e6;

/** A new process per sample: how long until the first ciphertext, and how soon calls are as fast as the last. */
export const firstCall: Suite = {
  summary: "a new process per sample: import, call 1, 2, 10 and 100 against steady state",
  run: async (options) => {
    const { names, notes } = usableEngines(options.engines);
    const records: SuiteRecord[] = [];
    for (const size of options.sizes ?? SIZES) records.push(...(await oneSize(names, size, options)));
    notes.push(...records.flatMap(limits));
    return { tables: [callTable(records)], records, notes: [...notes, ...closingNotes(records)] };
  },
};

async function oneSize(names: readonly EngineName[], size: number, options: SuiteOptions) {
  const samples = names.map((): FirstCalls[] => []);
  const rounds = options.timing.rounds ?? 15;
  for (let round = 0; round < rounds; round++) {
    options.progress(`${formatSize(size)}, process ${round + 1} of ${rounds} per engine`);
    // The order turns by one each round.
    for (let i = 0; i < names.length; i++) {
      const n = (i + round) % names.length;
      const { stdout } = await run(process.execPath, [CHILD, `${size}`, names[n]]);
      samples[n].push(JSON.parse(stdout) as FirstCalls);
    }
  }
  return names.map((engine, n) => record(engine, size, samples[n]));
}

/** The samples of one engine and size as scores: each step, some calls, and the steady state. */
export function record(engine: EngineName, size: number, samples: readonly FirstCalls[]): SuiteRecord {
  const of = (name: string, choose: (one: FirstCalls) => number): Score =>
    score({ name, bytes: size }, samples.map(choose));
  const calls = CALLS.map((n) => of(`call ${n}`, (one) => one.calls[n - 1]));
  const steady = of("steady", (one) => one.steady);
  const scores = [
    of("import", (one) => one.importing),
    of("key", (one) => one.creating),
    of("to first ciphertext", (one) => one.importing + one.creating + one.calls[0]),
    ...calls,
    steady,
  ];
  const isJudged = engine === "native" && size === NATIVE_TARGET_SIZE;
  const verdicts = calls.map((call) => {
    const target = isJudged && call.name !== "call 1" ? SECOND_CALL : undefined;
    return verdict(call.name, "steady", pairedRatio(call.samples, steady.samples), target);
  });
  return { row: { engine, size }, scores, verdicts };
}

/** Targets that are times and not ratios. */
function limits({ row, scores }: SuiteRecord): string[] {
  const time = (name: string) => scores.find((one) => one.name === name)!.nanoseconds.median;
  const judge = (what: string, found: number, limit: number) =>
    `target ${found < limit ? "reached" : "missed"}: ${row.engine}, ${sizeLabel({ row })}: ${what} takes ${formatTime(found)}, target ${formatTime(limit)}`;
  if (row.engine === "native" && row.size === NATIVE_TARGET_SIZE) {
    return [judge("the first call", time("call 1"), NATIVE_FIRST_CALL)];
  }
  if (row.engine === "wasm" && row.size === 1024) {
    return [judge("import to first ciphertext", time("to first ciphertext"), WASM_START)];
  }
  return [];
}

function callTable(records: readonly SuiteRecord[]): Table {
  const names = records[0]?.scores.map(({ name }) => name) ?? [];
  return {
    title: "AES-128-GCM, encryptInto in a new process: time, and for calls the part of steady speed",
    columns: ["engine", "size", ...names],
    rows: records.map(({ row, scores, verdicts }) => [
      String(row.engine),
      sizeLabel({ row }),
      ...scores.map(({ name, nanoseconds }) => {
        const found = verdicts.find((one) => one.name === name);
        const part = found === undefined ? "" : ` (${formatRatio(found.ratio.median)})`;
        return formatTime(nanoseconds.median) + part;
      }),
    ]),
  };
}
