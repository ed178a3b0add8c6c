/** `evariste cat`: verified plaintext to standard output, whole or a range of it. */
import { CliError } from "../errors.js";
import { DASH, forEachItem, staysSilent, withSource } from "../messages.js";
import { type CipherArguments, openingOptions, withKey } from "../options.js";
import { checkStandardInput } from "../plan.js";
import { progressFor } from "../progress.js";
import { pump } from "../pump.js";
import { openRandomAccess } from "../random-access.js";
import { type ByteRange, parseRange, resolveRange } from "../ranges.js";
import { type Sink, standardOutput } from "../sinks.js";
import type { Source } from "../sources.js";
import { type CipherOptions, OPEN_PIECE, opening } from "../transforms.js";
import { openVerified, spool } from "../verified.js";

/** What `cat` takes. */
export interface CatArguments extends CipherArguments {
  readonly range?: string;
}

/** Plaintext per read of a range, in bytes. */
const RANGE_STEP = 1024 * 1024;

/**
 * Writes the plaintext of every input to standard output, one after the other.
 *
 * @returns exit code
 */
export async function cat(given: readonly string[], options: CatArguments): Promise<number> {
  const inputs = given.length === 0 ? [DASH] : given;
  checkStandardInput(inputs);
  const range = options.range === undefined ? undefined : parseRange(options.range);
  if (range !== undefined && inputs.length > 1) throw new CliError("usage", "--range takes one input");
  return withKey(options, async (key) => {
    const sink = await standardOutput();
    const code = await forEachItem(inputs, (input) =>
      withSource(input, OPEN_PIECE, (source) =>
        catOne(source, openingOptions(key, options, input), range, sink, staysSilent(options, DASH)),
      ),
    );
    await sink.commit();
    return code;
  });
}

async function catOne(
  source: Source,
  cipher: CipherOptions,
  range: ByteRange | undefined,
  sink: Sink,
  quiet: boolean,
): Promise<void> {
  if (range !== undefined && cipher.format !== "gcm") return catRange(source, cipher, range, sink);
  const progress = progressFor(source.name, source.size, quiet);
  try {
    if (cipher.format === "gcm") {
      await openVerified(source, cipher, (length) => part(sink, range, length, source.name), progress);
    } else await pump(source, await opening(source, cipher), sink, progress);
  } finally {
    progress.stop();
  }
}

async function catRange(source: Source, cipher: CipherOptions, range: ByteRange, sink: Sink): Promise<void> {
  if (source.seekable === undefined) {
    const spooled = await spool(source);
    await catRange(spooled, cipher, range, sink).finally(() => spooled.close());
    return;
  }
  const reader = await openRandomAccess(source, cipher);
  try {
    const { start, end } = resolveRange(range, reader.size, source.name);
    for (let at = start; at < end; at += RANGE_STEP) {
      await sink.write(await reader.read(at, Math.min(end, at + RANGE_STEP)));
    }
  } finally {
    reader.destroy();
  }
}

/** A sink that lets only a range of what it gets through: the raw format has no chunks to choose from. */
function part(sink: Sink, range: ByteRange | undefined, length: number, name: string): Sink {
  if (range === undefined) return sink;
  const { start, end } = resolveRange(range, length, name);
  let position = 0;
  return {
    name: sink.name,
    revocable: sink.revocable,
    commit: () => sink.commit(),
    abort: () => sink.abort(),
    write: async (bytes) => {
      const inside = bytes.subarray(Math.max(0, start - position), Math.max(0, end - position));
      position += bytes.length;
      if (inside.length > 0) await sink.write(inside);
    },
  };
}
