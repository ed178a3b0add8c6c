/** The loop that reads ahead, transforms, and writes behind, all three at once. */
import type { Progress } from "./progress.js";
import type { Sink } from "./sinks.js";
import type { Source } from "./sources.js";
import type { Transform } from "./transforms.js";

/** Keeps a promise's failure for whoever awaits it later, without Node taking it for a forgotten one. */
function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/**
 * Moves a whole message. Commits nothing and closes nothing.
 *
 * @returns how many bytes went to the sink
 */
export async function pump(
  source: Source,
  transform: Transform,
  sink: Sink,
  progress: Progress,
): Promise<number> {
  let written = 0;
  let reading = later(source.next());
  let writing = later(put(transform.prefix));
  try {
    for (;;) {
      const piece = await reading;
      if (piece === undefined) break;
      reading = later(source.next());
      // In place or not: `piece` stays untouched by the source until its output is written, see Source.
      const length = piece.length;
      const output = transform.update(piece);
      await writing;
      writing = later(put(output));
      progress.advance(length);
    }
    await writing;
    await put(transform.finish());
    return written;
  } catch (error) {
    source.abandon();
    throw error;
  } finally {
    // Nobody may close descriptors or clear memory under a call that is still running.
    await Promise.allSettled([reading, writing]);
    transform.destroy();
  }

  async function put(bytes: Uint8Array): Promise<void> {
    written += bytes.length;
    if (bytes.length > 0) await sink.write(bytes);
  }
}
