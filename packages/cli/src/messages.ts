/** One message from its source to its sink: what `encrypt`, `decrypt`, `verify` and `cat` share. */
import { isatty } from "node:tty";
import { complain } from "./console.js";
import { BrokenPipeError, CliError } from "./errors.js";
import { progressFor } from "./progress.js";
import { pump } from "./pump.js";
import { fileSink, refuseOwnInput, type Sink, standardOutput } from "./sinks.js";
import { openSource, type Source, standardInput } from "./sources.js";
import { type CipherOptions, OPEN_PIECE, opening, SEAL_PIECE, sealing } from "./transforms.js";
import { openVerified } from "./verified.js";

/** The name that stands for standard input and output. */
export const DASH = "-";

/** One input and where its output goes. */
export interface Job {
  /** Path, or {@link DASH} for standard input. */
  readonly input: string;
  /** Path, or {@link DASH} for standard output. */
  readonly output: string;
  /** Make the output's folder if there is none. */
  readonly makeFolder: boolean;
}

/** How messages are moved. */
export interface MoveOptions {
  readonly force?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** True when progress is not wanted, or would mix with the output on one terminal. */
export function staysSilent({ quiet }: MoveOptions, output: string): boolean {
  return quiet === true || (output === DASH && isatty(1));
}

/** Opens an input for `use`, and closes it on every path. */
export async function withSource<T>(
  input: string,
  pieceSize: number,
  use: (source: Source) => Promise<T>,
): Promise<T> {
  const source = input === DASH ? await standardInput(pieceSize) : await openSource(input, pieceSize);
  try {
    return await use(source);
  } finally {
    await source.close();
  }
}

/** Opens the output of a job for `use`: commits it when that succeeds, withdraws it otherwise. */
async function withSink<T>(
  job: Job,
  source: Source,
  { force }: MoveOptions,
  use: (sink: Sink) => Promise<T>,
): Promise<T> {
  if (job.output === DASH) await refuseOwnInput(source);
  const sink =
    job.output === DASH
      ? await standardOutput()
      : await fileSink(job.output, {
          force: force === true,
          mode: source.mode,
          inputIdentity: source.identity,
        });
  try {
    const result = await use(sink);
    await sink.commit();
    return result;
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/**
 * Seals one input.
 *
 * @returns bytes written
 */
export function sealMessage(job: Job, cipher: CipherOptions, options: MoveOptions): Promise<number> {
  return withSource(job.input, SEAL_PIECE, (source) =>
    withSink(job, source, options, async (sink) => {
      const progress = progressFor(source.name, source.size, staysSilent(options, job.output));
      try {
        return await pump(source, await sealing(source, cipher), sink, progress);
      } finally {
        progress.stop();
      }
    }),
  );
}

/**
 * Opens one input. A sink that cannot take back what it got receives verified bytes only: chunk by chunk in the chunked
 * format, after a first pass in the raw one.
 *
 * @returns bytes written
 */
export function openMessage(job: Job, cipher: CipherOptions, options: MoveOptions): Promise<number> {
  return withSource(job.input, OPEN_PIECE, (source) =>
    withSink(job, source, options, async (sink) => {
      const progress = progressFor(source.name, source.size, staysSilent(options, job.output));
      try {
        if (cipher.format === "gcm" && !sink.revocable) {
          return await openVerified(source, cipher, () => sink, progress);
        }
        return await pump(source, await opening(source, cipher), sink, progress);
      } finally {
        progress.stop();
      }
    }),
  );
}

/**
 * Runs `work` on every item, going on after a failure with one line about it.
 *
 * @returns exit code of the first failure, or 0
 */
export async function forEachItem<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<number> {
  let code = 0;
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      const failure = reportable(error);
      complain(failure.message);
      if (code === 0) code = failure.exitCode;
    }
  }
  return code;
}

function reportable(error: unknown): CliError {
  if (error instanceof BrokenPipeError) throw error;
  if (error instanceof CliError) return error;
  throw error;
}
