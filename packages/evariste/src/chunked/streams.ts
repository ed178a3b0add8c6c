/** Chunked encryption as Web streams. */
import { checkBytes } from "../checks.js";
import { Pacer } from "../engines/webcrypto/pacing.js";
import { runtimeProfile } from "../engines/webcrypto/runtimes.js";
import { AuthenticationError } from "../errors.js";
import { HEADER_LENGTH } from "./format.js";
import { type ChunkedOptions, inputKey } from "./keys.js";
import { ChunkOpener } from "./opener.js";
import { ChunkSealer } from "./sealer.js";

/** Longest part of a piece that is worked on at once, in bytes: it becomes one output. */
const STEP = 1024 * 1024;

/**
 * A stream that takes a message and gives its file. A piece of up to 1 MiB becomes at most one piece of output; less
 * than one chunk is held back. Other tasks get their turn within longer ones, which must not change meanwhile. Cancelling or aborting it wipes what it holds.
 *
 * @param key uniformly random; 16 bytes for Cobblestone-128, 32 for Cobblestone-256; copied
 * @throws TypeError, RangeError for a key or context that is not allowed
 * @example
 * await blob.stream().pipeThrough(sealStream(key)).pipeTo(destination);
 */
export function sealStream(
  key: Uint8Array,
  options?: ChunkedOptions,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  const input = inputKey(key, options);
  const core = new Core<ChunkSealer>(input.key);
  return transformStream({
    start: (controller) =>
      core.guard(async () => {
        const sealer = core.hold(await ChunkSealer.create(input.key, input));
        controller.enqueue(sealer.header);
      }),
    transform: (piece, controller) => core.guard(() => core.feed(piece, controller)),
    flush: (controller) => core.guard(() => enqueue(controller, core.held!.finish())),
    cancel: () => core.drop(),
  });
}

/**
 * A stream that takes a file and gives its message, verified chunk by chunk: a piece is released only after the tags of
 * all its chunks. The message is whole when the stream ends; one that was altered or cut makes it fail with an
 * {@link AuthenticationError}, which reads, `pipeTo` and `for await` report. Cancelling or aborting it wipes what it holds.
 *
 * @param key the 16 or 32 bytes that the message was sealed with; copied
 * @throws TypeError, RangeError for a key or context that is not allowed
 */
export function openStream(
  key: Uint8Array,
  options?: ChunkedOptions,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  const input = inputKey(key, options);
  const core = new Core<ChunkOpener>(input.key);
  const header = new Uint8Array(HEADER_LENGTH);
  let headerLength = 0;
  return transformStream({
    transform: (piece, controller) =>
      core.guard(async () => {
        checkBytes("piece", piece);
        const taken = Math.min(HEADER_LENGTH - headerLength, piece.length);
        header.set(piece.subarray(0, taken), headerLength);
        headerLength += taken;
        if (headerLength < HEADER_LENGTH) return;
        if (core.held === undefined) core.hold(await ChunkOpener.create(input.key, header, input));
        await core.feed(piece.subarray(taken), controller);
      }),
    flush: (controller) =>
      core.guard(() => {
        if (core.held === undefined) {
          throw new AuthenticationError(
            `the message was cut: it has ${headerLength} bytes, a header ${HEADER_LENGTH}`,
          );
        }
        enqueue(controller, core.held.finish());
      }),
    cancel: () => core.drop(),
  });
}

/** The sealer or opener of a stream, which is wiped however the stream ends, and the key until it exists. */
class Core<T extends ChunkSealer | ChunkOpener> {
  held: T | undefined;
  readonly #key: Uint8Array;
  readonly #pacer = new Pacer(runtimeProfile().yieldAfter);
  #dropped = false;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  hold(core: T): T {
    this.held = core;
    this.#key.fill(0);
    // The stream may have been cancelled while the key was derived.
    if (this.#dropped) core.destroy();
    return core;
  }

  /** Takes a piece, step by step. */
  async feed(piece: Uint8Array, controller: Controller): Promise<void> {
    checkBytes("piece", piece);
    const { length } = piece;
    for (let at = 0; at < length; at += STEP) {
      enqueue(controller, this.held!.update(piece.subarray(at, at + STEP)));
      await this.#pacer.pause();
      if (piece.length !== length) throw new TypeError("the piece was transferred while it was worked on");
    }
  }

  drop(): void {
    this.#dropped = true;
    this.held?.destroy();
    this.#key.fill(0);
  }

  async guard(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.drop();
      throw error;
    }
  }
}

type Controller = TransformStreamDefaultController<Uint8Array<ArrayBuffer>>;

/** With `cancel`, which the Streams Standard gained in 2023: where a platform lacks it, garbage collection has to do. */
interface CancellableTransformer extends Transformer<Uint8Array, Uint8Array<ArrayBuffer>> {
  cancel(): void;
}

function transformStream(
  transformer: CancellableTransformer,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  return new TransformStream(transformer);
}

function enqueue(controller: Controller, output: Uint8Array<ArrayBuffer>): void {
  if (output.length > 0) controller.enqueue(output);
}
