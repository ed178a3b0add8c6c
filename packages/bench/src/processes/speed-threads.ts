import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SpeedWorkerData } from "./speed-worker.js";

const PROGRAM = new URL("./speed-worker.js", import.meta.url);

/** Threads that measure the same contestant at the same time. */
export class SpeedThreads {
  readonly #workers: readonly Worker[];
  readonly #starts: Int32Array;

  private constructor(workers: readonly Worker[], starts: Int32Array) {
    this.#workers = workers;
    this.#starts = starts;
  }

  /** Starts that many threads and waits until all are warm. @throws Error what a thread failed with */
  static async start(count: number, data: Omit<SpeedWorkerData, "gate">): Promise<SpeedThreads> {
    const gate = new SharedArrayBuffer(4);
    const workerData: SpeedWorkerData = { ...data, gate };
    const workers = Array.from({ length: count }, () => new Worker(PROGRAM, { workerData }));
    const threads = new SpeedThreads(workers, new Int32Array(gate));
    try {
      await threads.#answers();
    } catch (error) {
      await threads.close();
      throw error;
    }
    return threads;
  }

  /** One round: nanoseconds per operation of each thread. */
  async measure(milliseconds: number): Promise<number[]> {
    const waiting = this.#answers();
    for (const worker of this.#workers) worker.postMessage(milliseconds);
    await waiting;
    const answers = this.#answers();
    Atomics.add(this.#starts, 0, 1);
    Atomics.notify(this.#starts, 0);
    return (await answers) as number[];
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #answers(): Promise<unknown[]> {
    return Promise.all(this.#workers.map(async (worker) => (await once(worker, "message"))[0]));
  }
}
