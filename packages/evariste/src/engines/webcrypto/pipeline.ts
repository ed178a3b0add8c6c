/** Work that runs several at once and is delivered in order. */
import { Pacer } from "./pacing.js";

/** Starts tasks in order, keeps a number of them under way, and delivers their results in order. */
export class Pipeline<T> {
  readonly #width: number;
  readonly #deliver: (result: T) => void | Promise<void>;
  readonly #pacer: Pacer;
  readonly #running: Promise<T>[] = [];

  /**
   * @param width most tasks under way at once
   * @param yieldAfter milliseconds after which other tasks of the thread get a turn
   * @param deliver takes one result after the other; the pipeline waits for what it returns
   */
  constructor(width: number, yieldAfter: number, deliver: (result: T) => void | Promise<void>) {
    this.#width = width;
    this.#deliver = deliver;
    this.#pacer = new Pacer(yieldAfter);
  }

  /** Starts a task at once, and when as many as may be are under way, waits for the oldest. */
  async add(start: () => Promise<T>): Promise<void> {
    const task = start();
    // Whoever awaits the oldest task first must not leave the failures of later ones unhandled.
    task.catch(() => {});
    this.#running.push(task);
    if (this.#running.length >= this.#width) await this.#deliverOldest();
    await this.#pacer.pause();
  }

  /** Waits for all tasks. */
  async drain(): Promise<void> {
    while (this.#running.length > 0) await this.#deliverOldest();
  }

  /**
   * Waits until nothing is under way and throws the results away.
   *
   * @param drop takes results that are not delivered, to clear them
   */
  async abandon(drop: (result: T) => void): Promise<void> {
    for (const outcome of await Promise.allSettled(this.#running.splice(0))) {
      if (outcome.status === "fulfilled") drop(outcome.value);
    }
  }

  async #deliverOldest(): Promise<void> {
    await this.#deliver(await this.#running[0]);
    this.#running.shift();
  }
}
