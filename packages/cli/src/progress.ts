/** Progress on a terminal: a bar with rate and time left; silent everywhere else. */
import type { Options, Params, SingleBar } from "cli-progress";
import { humanBytes } from "./console.js";
import { printable } from "./errors.js";

/** Watches a message go by. */
export interface Progress {
  /** So many more input bytes are done. */
  advance(bytes: number): void;
  /** Removes the bar. */
  stop(): void;
}

/** For pipes and `--quiet`. */
export const SILENT: Progress = { advance: () => {}, stop: () => {} };

/** Work that ends sooner shows no bar, and does not load the code that draws one. */
const PATIENCE_MS = 300;
const BAR_WIDTH = 24;
const NAME_WIDTH = 28;

/**
 * Progress for one message, on standard error if that is a terminal.
 *
 * @param name of the input
 * @param total input bytes, where known
 * @param quiet show nothing: the person wants it so, or the output goes to the same terminal
 */
export function progressFor(name: string, total: number | undefined, quiet: boolean): Progress {
  return quiet || !process.stderr.isTTY ? SILENT : new Bar(name, total);
}

class Bar implements Progress {
  readonly #start = performance.now();
  #bar: SingleBar | "loading" | undefined;
  #done = 0;
  #stopped = false;

  constructor(
    private readonly name: string,
    private readonly total: number | undefined,
  ) {}

  advance(bytes: number): void {
    this.#done += bytes;
    if (typeof this.#bar === "object") this.#bar.update(this.#done);
    else if (this.#bar === undefined && performance.now() - this.#start > PATIENCE_MS) void this.#show();
  }

  async #show(): Promise<void> {
    this.#bar = "loading";
    const { default: cliProgress } = await import("cli-progress");
    if (this.#stopped) return;
    const format = (_options: Options, params: Params) =>
      progressLine(this.name, params.value, this.total, (performance.now() - this.#start) / 1000);
    const bar = new cliProgress.SingleBar({ format, stream: process.stderr, clearOnComplete: true, fps: 8 });
    bar.start(this.total ?? 0, this.#done);
    this.#bar = bar;
  }

  stop(): void {
    this.#stopped = true;
    if (typeof this.#bar === "object") this.#bar.stop();
  }
}

/** One line of progress. The rate is the mean since the start, which is what the time left is worked out from. */
export function progressLine(name: string, done: number, total: number | undefined, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const clean = printable(name);
  const label = clean.length > NAME_WIDTH ? `…${clean.slice(1 - NAME_WIDTH)}` : clean;
  const speed = `${humanBytes(Math.round(rate))}/s`;
  if (total === undefined || total === 0) return `${label}  ${humanBytes(done)}  ${speed}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const left = rate > 0 ? clock((total - done) / rate) : "--:--";
  return `${label}  ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${speed}  ${left} left`;
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = String(Math.floor(whole / 60) % 60).padStart(2, "0");
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${minutes}:${rest}` : `${minutes}:${rest}`;
}
