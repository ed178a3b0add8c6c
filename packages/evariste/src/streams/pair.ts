/**
 * A pair of streams with work in between, as TransformStream is, which also tells when its readable side is cancelled, on
 * platforms older than that part of the standard too, and waits for the reader within one long piece.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** What happens between the two sides. Calls come one after the other. */
export interface PairWork {
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
export function streamPair(work: PairWork): TransformStream<Uint8Array, Bytes> {
  const pair = new Pair(work);
  const writable = new WritableStream<Uint8Array>(pair.sink());
  return { writable, readable: new ReadableStream<Bytes>(pair.source(), { highWaterMark: 0 }) };
}

/** What both sides share. */
class Pair {
  readonly #work: PairWork;
  readonly #demand = new Demand();
  #readable!: ReadableStreamDefaultController<Bytes>;
  #writable!: WritableStreamDefaultController;
  #running: Promise<void> = Promise.resolve();
  #wiped = false;

  constructor(work: PairWork) {
    this.#work = work;
  }

  sink(): UnderlyingSink<Uint8Array> {
    return {
      start: (controller) => {
        this.#writable = controller;
        // An abort waits for the write under way, which may wait for a reader.
        controller.signal?.addEventListener("abort", () => this.#demand.end(controller.signal.reason));
      },
      write: (piece) => this.#run(() => this.#work.write(piece, this.#emit)),
      close: () =>
        this.#run(async () => {
          await this.#work.close(this.#emit);
          await this.#wipe();
          this.#readable.close();
        }),
      abort: async (reason) => {
        this.#demand.end(reason);
        await this.#wipe(reason);
        this.#readable.error(reason);
      },
    };
  }

  source(): UnderlyingDefaultSource<Bytes> {
    return {
      start: (controller) => {
        this.#readable = controller;
      },
      pull: () => this.#demand.raise(),
      cancel: async (reason) => {
        this.#demand.end(reason);
        this.#writable.error(reason);
        await this.#running.catch(() => {});
        await this.#wipe(reason);
      },
    };
  }

  readonly #emit: Emit = async (output) => {
    await this.#demand.wait();
    this.#readable.enqueue(output);
  };

  /** Runs one call of the work; its failure ends both sides. */
  #run(call: () => Promise<void>): Promise<void> {
    this.#running = call().catch(async (error) => {
      await this.#wipe(error);
      // A cancelled side needs no error.
      if (!this.#demand.ended) this.#readable.error(error);
      throw error;
    });
    return this.#running;
  }

  async #wipe(reason?: unknown): Promise<void> {
    if (this.#wiped) return;
    this.#wiped = true;
    await this.#work.wipe(reason);
  }
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
