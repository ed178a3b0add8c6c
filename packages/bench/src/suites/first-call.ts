import { engineSpecs, type Found, installed, type Spec } from "../contestants/table.js";
import { score } from "../harness.js";
import type { FirstCalls } from "../processes/first-call-child.js";
import { firstCalls } from "../processes/first-calls.js";
import type { CallLimits } from "../processes/time-calls.js";
import type { Score, SuiteRecord, Value } from "../results.js";
import { estimate, pairedRatio } from "../statistics.js";
import { formatRatio, formatSize, formatTime, type Table } from "../table.js";
import { closingNotes, type Suite, type SuiteOptions, sizeLabel, usableEngines, verdict } from "./suite.js";

const SIZES = [16384, 2 ** 20];
const CALLS = [1, 2, 10, 100];
const CURVE = 100;
const STEADY_CALLS = 400;
const QUICK_STEADY_CALLS = 100;

/** Time of the calls of one process, in milliseconds. */
const LIMIT_MS = 10_000;
const QUICK_LIMIT_MS = 1000;

/** From the second call on, at least this part of the steady speed; the native engine's, at 1 MiB. */
const SECOND_CALL = 1 / 1.1;
const NATIVE_TARGET_SIZE = 2 ** 20;
const NATIVE_FIRST_CALL = 1e6;

/** A new process per sample: how soon calls are as fast as the last. */
export const firstCall: Suite = {
  summary:
    "a new process per sample: call 1, 2, 10 and 100 against steady state, and the curve of calls 1 to 100",
  run: async (options) => {
    const engines = usableEngines(options.engines);
    const others: Spec[] = [{ name: "createCipheriv", kind: "createCipheriv" }];
    const field = await installed([...engineSpecs(engines.names), ...(options.quick ? [] : others)]);
    const records: SuiteRecord[] = [];
    for (const size of options.sizes ?? SIZES) records.push(...(await oneSize(field, size, options)));
    const notes = [...engines.notes, ...field.notes, ...records.flatMap(limits), ...closingNotes(records)];
    return { tables: [callTable(records)], records, notes };
  },
};

async function oneSize({ found }: Found<Spec>, size: number, options: SuiteOptions): Promise<SuiteRecord[]> {
  const samples = found.map((): FirstCalls[] => []);
  const rounds = options.timing.rounds ?? 15;
  const request = { size, ...callLimits(options) };
  for (let round = 0; round < rounds; round++) {
    options.progress(`${formatSize(size)}, process ${round + 1} of ${rounds} each`);
    // The order turns by one each round.
    for (let i = 0; i < found.length; i++) {
      const n = (i + round) % found.length;
      samples[n].push(await firstCalls(found[n], request));
    }
  }
  return found.map(({ name }, n) => record(name, size, samples[n]));
}

/** How many calls each process makes. */
export function callLimits({ quick }: Pick<SuiteOptions, "quick">): CallLimits {
  return {
    calls: CURVE,
    steadyCalls: quick ? QUICK_STEADY_CALLS : STEADY_CALLS,
    limitMs: quick ? QUICK_LIMIT_MS : LIMIT_MS,
  };
}

/** The samples of one contestant and size: each step, some calls and the steady state as scores, the curve as values. */
export function record(engine: string, size: number, samples: readonly FirstCalls[]): SuiteRecord {
  const of = (name: string, choose: (one: FirstCalls) => number): Score =>
    score({ name, bytes: size }, samples.map(choose));
  const reached = Math.min(...samples.map((one) => one.calls.length));
  const calls = CALLS.filter((n) => n <= reached).map((n) => of(`call ${n}`, (one) => one.calls[n - 1]));
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
  const values = Array.from({ length: reached }, (_, i): Value => {
    const { median, low, high } = estimate(samples.map((one) => one.calls[i]));
    return { name: `call ${i + 1}`, value: median, low, high, unit: "ns" };
  });
  return { row: { engine, operation: "encryptInto", size }, scores, verdicts, values };
}

/** Targets that are times and not ratios, and calls that there was no time for. */
function limits({ row, scores, values = [] }: SuiteRecord): string[] {
  const what = `${row.engine}, ${sizeLabel({ row })}`;
  const notes: string[] = [];
  if (values.length < CURVE) {
    notes.push(`${what}: there was time for ${values.length} calls, not for ${CURVE}`);
  }
  if (row.engine === "native" && row.size === NATIVE_TARGET_SIZE) {
    const found = scores.find(({ name }) => name === "call 1")!.nanoseconds.median;
    const word = found < NATIVE_FIRST_CALL ? "reached" : "missed";
    notes.push(
      `target ${word}: ${what}: the first call takes ${formatTime(found)}, target ${formatTime(NATIVE_FIRST_CALL)}`,
    );
  }
  return notes;
}

/** A line for each engine and size. */
export function callTable(records: readonly SuiteRecord[]): Table {
  const names = ["import", "key", "to first ciphertext", ...CALLS.map((n) => `call ${n}`), "steady"];
  return {
    title: "AES-128-GCM, encryptInto in a new process: time, and for calls the part of steady speed",
    columns: ["contestant", "size", ...names],
    rows: records.map(({ row, scores, verdicts }) => [
      String(row.engine),
      sizeLabel({ row }),
      ...names.map((name) => {
        const found = scores.find((one) => one.name === name);
        const part = verdicts.find((one) => one.name === name);
        if (found === undefined) return "";
        const share = part === undefined ? "" : ` (${formatRatio(part.ratio.median)})`;
        return formatTime(found.nanoseconds.median) + share;
      }),
    ]),
  };
}
