/**
 * A pair of streams with work in between, as TransformStream is, which also tells when its readable side is cancelled, on
 * platforms older than that part of the standard too, and waits for the reader within one long piece.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** What happens between the two sides. Calls come one after the other. */
export interface Worker {
  /** Takes a piece; gives output by `emit`, which waits until somebody wants it. */
  write(piece: Uint8Array, emit: Emit): Promise<void>;
  /** Takes the end. */
  close(emit: Emit): Promise<void>;
  /** Clears everything. Called once, however the streams end, when no other call is under way. */
  wipe(reason?: unknown): void | Promise<void>;
}

/** Gives output to the reader. Rejects when nobody will read any more. */
export type Emit = (output: Bytes) => Promise<void>;

/** Makes the two streams. No output is made before somebody reads. */
export function streamPair(worker: Worker): TransformStream<Uint8Array, Bytes> {
  const demand = new Demand();
  let readable!: ReadableStreamDefaultController<Bytes>;
  let writable!: WritableStreamDefaultController;
  let wiped = false;
  const wipe = async (reason?: unknown) => {
    if (wiped) return;
    wiped = true;
    await worker.wipe(reason);
  };
  const emit: Emit = async (output) => {
    await demand.wait();
    readable.enqueue(output);
  };
  /** Runs one call; its failure ends both sides. */
  const run = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      await wipe(error);
      // A cancelled side needs no error.
      if (!demand.ended) readable.error(error);
      throw error;
    }
  };
  let running: Promise<void> = Promise.resolve();
  return {
    writable: new WritableStream<Uint8Array>({
      start(controller) {
        writable = controller;
        // An abort waits for the write under way, which may wait for a reader.
        controller.signal?.addEventListener("abort", () => demand.end(controller.signal.reason));
      },
      write: (piece) => (running = run(() => worker.write(piece, emit))),
      close: () =>
        (running = run(async () => {
          await worker.close(emit);
          await wipe();
          readable.close();
        })),
      async abort(reason) {
        demand.end(reason);
        await wipe(reason);
        readable.error(reason);
      },
    }),
    readable: new ReadableStream<Bytes>(
      {
        start(controller) {
          readable = controller;
        },
        pull: () => demand.raise(),
        async cancel(reason) {
          demand.end(reason);
          writable.error(reason);
          await running.catch(() => {});
          await wipe(reason);
        },
      },
      { highWaterMark: 0 },
    ),
  };
}

/** Whether the reader wants something. */
class Demand {
  #wanted = false;
  #wake: (() => void) | undefined;
  #end: { readonly reason: unknown } | undefined;

  get ended(): boolean {
    return this.#end !== undefined;
  }

  raise(): void {
    this.#wanted = true;
    this.#wake?.();
  }

  /** Nobody will want anything any more. */
  end(reason: unknown): void {
    this.#end ??= { reason };
    this.#wake?.();
  }

  /** Resolves when the reader wants one piece, which then counts as given; rejects at the end. */
  async wait(): Promise<void> {
    while (!this.#wanted && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#end !== undefined) throw this.#end.reason;
    this.#wanted = false;
  }
}
