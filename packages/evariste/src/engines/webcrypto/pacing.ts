/** Gives other tasks their turn. */

let channel: MessageChannel | undefined;
let turn: Promise<void> | undefined;

/**
 * Resolves in a later macrotask: timers, input and rendering get their turn. By messages, since timers are clamped to 4 ms in
 * browsers, and `scheduler.yield` comes back before the timers that wait. All who wait at once wait for one message.
 */
export function macrotask(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => setImmediate(resolve));
  turn ??= nextMessage().then(() => {
    turn = undefined;
  });
  return turn;
}

function nextMessage(): Promise<void> {
  channel ??= new MessageChannel();
  const { port1, port2 } = channel;
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(undefined);
  });
}

/** Counts the time since other tasks had their turn. */
export class Pacer {
  readonly #limit: number;
  #since = performance.now();

  /** @param limit milliseconds of work at a stretch */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Call between pieces of work and await what it returns, if anything. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#since < this.#limit ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await macrotask();
    this.#since = performance.now();
  }
}
