/**
 * JMH's way of measuring: every contestant in a process of its own (a fork), warm-up and measurement iterations, again in new
 * processes. Here the processes of one fork live side by side and take turns, and an iteration goes over all rows before
 * the next begins: so the samples of a row are spread over the whole time, and their scatter, which is what the error is
 * made of, holds what a machine does in that time.
 */
import type { Contender } from "./contestants/table.js";
import { score, shuffled } from "./harness.js";
import type { LineProcess } from "./processes/line-process.js";
import type { SuiteRecord } from "./results.js";
import { judge, type Wanted } from "./suites/suite.js";
import { formatSize, formatTime } from "./table.js";

/** How much is measured; times in milliseconds. */
export interface ForkTiming {
  readonly forks: number;
  readonly warmups: number;
  readonly warmupMs: number;
  readonly iterations: number;
  readonly iterationMs: number;
  /** Most time that one contestant is given for one row in one fork: one whose operation is slow gets fewer iterations. */
  readonly limitMs: number;
}

/** One row, and what its contestants are asked. */
export interface ForkRow {
  readonly row: SuiteRecord["row"];
  /** `OPERATION KEYBITS SIZE MEMORY`, as `processes/speed-child.ts` has it. */
  readonly request: string;
  /** Bytes that one operation works on. */
  readonly bytes: number;
  readonly wanted: readonly Wanted[];
  /** Names of those that take part; default: all. */
  readonly only?: ReadonlySet<string>;
}

/** One contestant in one row. */
interface Cell {
  readonly samples: number[];
  /** Iterations that the limit leaves it in a fork; found anew in each. */
  allowed: number;
  /** The contestant has no such operation. */
  none: boolean;
  /** One operation would take longer than the limit. */
  tooSlow: boolean;
  /** Nanoseconds of one operation as the last warm-up found them, or as they are predicted. */
  expected: number;
}

interface Runner extends Contender {
  /** By row. */
  readonly cells: readonly Cell[];
  process?: LineProcess | undefined;
}

/** What {@link measureForks} found. */
export interface ForkResult {
  readonly records: SuiteRecord[];
  /** Contestants that failed, and those that were slow. */
  readonly notes: string[];
}

/** Contestants and their processes of one fork; who fails is out for good. */
class Runners {
  /** Why contestants are out. */
  readonly notes: string[] = [];
  readonly #random: () => number;
  #runners: readonly Runner[];
  #started: readonly LineProcess[] = [];

  constructor(rows: readonly ForkRow[], contenders: readonly Contender[], random: () => number) {
    this.#random = random;
    this.#runners = contenders.map((one) => ({ ...one, cells: rows.map((row) => newCell(row, one.name)) }));
  }

  get left(): readonly Runner[] {
    return this.#runners;
  }

  /** Starts all processes at once, and waits until they are ready. */
  async start(): Promise<void> {
    for (const runner of this.#runners) runner.process = runner.start();
    this.#started = this.#runners.map(({ process }) => process!);
    await Promise.allSettled(this.#started.map((process) => process.ask("hello")));
    // Asked again, so that one that could not start is left out.
    await this.turns(async (_, process) => void (await process.ask("hello")));
  }

  close(): void {
    for (const process of this.#started) process.close();
  }

  /** Lets all take a turn, in a new order. */
  async turns(take: (runner: Runner, process: LineProcess) => Promise<void>): Promise<void> {
    for (const i of shuffled(this.#runners.length, this.#random)) {
      const runner = this.#runners[i];
      try {
        await take(runner, runner.process!);
      } catch (error) {
        runner.process = undefined;
        this.notes.push(`${runner.name} is missing: ${(error as Error).message}`);
      }
    }
    this.#runners = this.#runners.filter(({ process }) => process !== undefined);
  }
}

/**
 * Measures all contestants in all rows. One that cannot be started, or whose process ends, leaves a note and no scores. The
 * first request of a row in a process is its warm-up; a contestant that uses up its time with it is measured by it.
 */
export async function measureForks(
  rows: readonly ForkRow[],
  contenders: readonly Contender[],
  timing: ForkTiming,
  { progress, random = Math.random }: { progress: (what: string) => void; random?: () => number },
): Promise<ForkResult> {
  const runners = new Runners(rows, contenders, random);
  for (let fork = 1; fork <= timing.forks; fork++) {
    const say = (what: string) => progress(`fork ${fork} of ${timing.forks}, ${what}`);
    try {
      say("starting processes");
      await runners.start();
      await warmUpAll(rows, runners, timing, say);
      for (let n = 0; n < timing.iterations; n++) {
        say(`iteration ${n + 1} of ${timing.iterations}`);
        for (const r of shuffled(rows.length, random)) {
          await runners.turns(({ cells }, process) => iterate(cells[r], process, rows[r].request, n, timing));
        }
      }
    } finally {
      runners.close();
    }
  }
  const records = rows.map(({ row, bytes, wanted }, r) => {
    const measured = runners.left.filter(({ cells }) => cells[r].samples.length > 0);
    const scores = measured.map(({ name, cells }) => score({ name, bytes }, cells[r].samples));
    return judge(row, scores, wanted);
  });
  return { records, notes: [...runners.notes, ...slowNotes(rows, runners.left, timing)] };
}

function newCell({ only }: ForkRow, name: string): Cell {
  const none = only?.has(name) === false;
  return { samples: [], allowed: 0, none, tooSlow: false, expected: Number.NaN };
}

/** Row by row, so that each contestant's speed with short messages tells whether it can be asked for long ones. */
async function warmUpAll(
  rows: readonly ForkRow[],
  runners: Runners,
  timing: ForkTiming,
  say: (what: string) => void,
): Promise<void> {
  for (const [r, { request }] of rows.entries()) {
    say(`warm-up: ${request}`);
    for (const { cells } of runners.left) judgeSlow(rows, cells, r, timing);
    for (let n = 0; n < timing.warmups; n++) {
      await runners.turns(({ cells, leastWarmupMs = 0 }, process) => {
        const warmupMs = Math.max(timing.warmupMs, leastWarmupMs);
        return warmUp(cells[r], process, request, { ...timing, warmupMs });
      });
    }
  }
}

async function warmUp(
  cell: Cell,
  process: LineProcess,
  request: string,
  { warmupMs, iterations, limitMs }: ForkTiming,
): Promise<void> {
  // A slow operation, which takes a good part of the limit, is warm after one.
  if (cell.none || cell.tooSlow || cell.expected * 4 > limitMs * 1e6) return;
  const answer = await process.ask(`${request} ${warmupMs}`);
  if (answer === "none") {
    cell.none = true;
    return;
  }
  cell.expected = Number(answer);
  cell.allowed = Math.min(iterations, Math.max(0, Math.floor((limitMs * 1e6) / cell.expected) - 1));
}

async function iterate(
  cell: Cell,
  process: LineProcess,
  request: string,
  n: number,
  { iterationMs }: ForkTiming,
): Promise<void> {
  if (cell.none || cell.tooSlow) return;
  if (n < cell.allowed) cell.samples.push(Number(await process.ask(`${request} ${iterationMs}`)));
  else if (n === 0) cell.samples.push(cell.expected);
}

/** An operation that is expected to take more than this many limits is left out. */
const HOPELESS = 2;

/** Leaves out what would take far too long; else forgets what another process found. */
function judgeSlow(
  rows: readonly ForkRow[],
  cells: readonly Cell[],
  r: number,
  { limitMs }: ForkTiming,
): void {
  const cell = cells[r];
  const expected = predicted(rows, cells, r);
  cell.tooSlow = expected > HOPELESS * limitMs * 1e6 && cell.samples.length === 0;
  cell.expected = cell.tooSlow ? expected : Number.NaN;
}

/**
 * What the operation will take by the last two rows of the same kind with smaller messages: a fixed part, and one that
 * grows with the message. NaN without two such rows.
 */
function predicted(rows: readonly ForkRow[], cells: readonly Cell[], r: number): number {
  const kind = (request: string) => request.split(" ").toSpliced(2, 1).join(" ");
  const { request, bytes } = rows[r];
  const points = rows
    .map((row, i) => ({
      bytes: row.bytes,
      time: cells[i].expected,
      isEarlier: i < r,
      kind: kind(row.request),
    }))
    .filter((point) => point.isEarlier && point.bytes < bytes && point.kind === kind(request));
  const [first, second] = points.slice(-2);
  if (second === undefined || first.bytes >= second.bytes) return Number.NaN;
  const slope = (second.time - first.time) / (second.bytes - first.bytes);
  return second.time + slope * (bytes - second.bytes);
}

function slowNotes(
  rows: readonly ForkRow[],
  runners: readonly Runner[],
  { forks, iterations }: ForkTiming,
): string[] {
  const most = forks * iterations;
  return runners.flatMap(({ name, cells }) =>
    cells.flatMap(({ samples, none, tooSlow, expected }, r) => {
      const values = Object.entries(rows[r].row).map(([key, value]) =>
        key === "size" ? formatSize(Number(value)) : value,
      );
      const cell = [name, ...values].join(", ");
      if (tooSlow) return [`${cell}: left out, one operation would take about ${formatTime(expected)}`];
      if (none || samples.length >= most) return [];
      return [
        `${cell}: ${samples.length} samples instead of ${most}, one operation takes ${formatTime(expected)}`,
      ];
    }),
  );
}
