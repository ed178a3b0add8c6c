/** `sizes` and `first-call`, as browsers run them. */
import type { EngineName, EngineReport } from "evariste";
import { OPERATIONS } from "../contestants/shape.js";
import type { FirstCalls } from "../processes/first-call-child.js";
import type { SuiteRecord } from "../results.js";
import { callLimits, callTable, record } from "../suites/first-call.js";
import {
  closingNotes,
  judge,
  type SuiteOptions,
  type SuiteResult,
  sizeLabel,
  speedTable,
} from "../suites/suite.js";
import type { Answers, FirstCallTask, RowTask, Task } from "./tasks.js";
import type { Visited } from "./visit.js";

/** A browser that is there. */
export interface Opened {
  readonly engines: readonly EngineReport[];
  /**
   * Runs tasks, each in a new page, in one new instance of the browser.
   *
   * @param onResult told how many are done
   */
  readonly visit: <T extends Task>(
    tasks: readonly T[],
    onResult?: (done: number) => void,
  ) => Promise<Visited<Answers[T["task"]]>[]>;
}

/** A suite for browsers. */
export interface BrowserSuite {
  /** One line for the list of suites. */
  readonly summary: string;
  readonly run: (browser: Opened, options: SuiteOptions) => Promise<SuiteResult>;
}

/** By name, which is that of the same suite in Node. */
export const BROWSER_SUITES: ReadonlyMap<string, BrowserSuite> = new Map([
  [
    "sizes",
    {
      summary: "wasm, portable and StitchedGcm beside WebCrypto and noble; a new page for each row",
      run: sizes,
    },
  ],
  [
    "first-call",
    {
      summary: "a new browser per sample: import, call 1, 2, 10 and 100 against steady state",
      run: firstCall,
    },
  ],
]);

const SIZES = {
  quick: [16, 256, 1024, 16384, 2 ** 20],
  full: [16, 64, 256, 1024, 4096, 16384, 65536, 2 ** 20, 2 ** 23],
} as const;

const WANTED = [
  { name: "wasm", baseline: "WebCrypto" },
  { name: "wasm", baseline: "noble" },
  { name: "StitchedGcm", baseline: "WebCrypto" },
] as const;

async function sizes(browser: Opened, options: SuiteOptions): Promise<SuiteResult> {
  const { keyBits, progress, quick } = options;
  const { names: engines, notes } = enginesIn(browser.engines, options.engines);
  const { rounds, roundMs, warmupMs } = options.timing;
  const timing = { rounds, roundMs, warmupMs } as RowTask["timing"];
  const rows = OPERATIONS.flatMap((operation) =>
    (options.sizes ?? (quick ? SIZES.quick : SIZES.full)).map((size) => ({ operation, size, keyBits })),
  );
  const tasks = rows.map((row): RowTask => ({ task: "row", ...row, engines, timing }));
  progress(`row 1 of ${rows.length}`);
  const answers = await browser.visit(tasks, (done) => progress(`row ${done + 1} of ${rows.length}`));
  const records: SuiteRecord[] = [];
  const said = new Set(notes);
  for (const [i, answer] of answers.entries()) {
    if ("error" in answer) {
      said.add(`${rows[i].operation}, ${sizeLabel({ row: rows[i] })}: ${answer.error}`);
      continue;
    }
    for (const note of answer.summary.notes) said.add(note);
    records.push(judge(rows[i], answer.summary.scores, WANTED));
  }
  const tables = OPERATIONS.map((operation) => {
    const mine = records.filter(({ row }) => row.operation === operation);
    return speedTable(`AES-${keyBits}-GCM, ${operation}`, "size", mine, sizeLabel);
  });
  return { tables, records, notes: [...said, ...closingNotes(records)] };
}

const FIRST_SIZES = [16384, 2 ** 20];
/** Starting a browser takes a second or more. */
const FIRST_ROUNDS = { quick: 5, full: 15 } as const;

async function firstCall(browser: Opened, options: SuiteOptions): Promise<SuiteResult> {
  const { names, notes } = enginesIn(browser.engines, options.engines);
  const kinds = (options.sizes ?? FIRST_SIZES).flatMap((size) => names.map((engine) => ({ size, engine })));
  const samples = kinds.map((): FirstCalls[] => []);
  const rounds = Math.min(
    options.timing.rounds ?? FIRST_ROUNDS.full,
    FIRST_ROUNDS[options.quick ? "quick" : "full"],
  );
  for (let round = 0; round < rounds; round++) {
    options.progress(`browser ${round + 1} of ${rounds} per engine and size`);
    // The order turns by one each round.
    for (let i = 0; i < kinds.length; i++) {
      const n = (i + round) % kinds.length;
      const task: FirstCallTask = { task: "first-call", ...kinds[n], ...callLimits(options) };
      const [answer] = await browser.visit([task]);
      if ("error" in answer)
        notes.push(`${kinds[n].engine}, ${sizeLabel({ row: kinds[n] })}: ${answer.error}`);
      else samples[n].push(answer.summary);
    }
  }
  const records = kinds.flatMap(({ engine, size }, n) =>
    samples[n].length === 0 ? [] : [record(engine, size, samples[n])],
  );
  return { tables: [callTable(records)], records, notes: [...notes, ...closingNotes(records)] };
}

/** The engines that a suite is to force in a browser, and a note on each that it cannot. */
export function enginesIn(
  reports: readonly EngineReport[],
  only: readonly EngineName[] = ["wasm", "portable"],
): { names: EngineName[]; notes: string[] } {
  const names: EngineName[] = [];
  const notes: string[] = [];
  for (const name of only) {
    const report = reports.find((each) => each.name === name);
    if (report?.available) names.push(name);
    else notes.push(`${name} is missing: ${report?.reason ?? "not part of this build"}`);
  }
  return { names, notes };
}
