/** A worker that answers one request at a time. */
export interface WorkerHandle {
  /** False once the worker has ended, as far as the platform tells: browsers say nothing of one that closed itself. */
  readonly alive: boolean;
  /**
   * Sends a request and waits for its answer.
   *
   * @param transfer memory that moves to the worker instead of being copied
   * @throws Error when the worker cannot start or dies; then the handle is spent
   */
  ask(request: unknown, transfer: ArrayBuffer[]): Promise<unknown>;
}

/** What a worker makes of a request: its answer, and the memory that moves back with it. */
export type Answer = (request: unknown) => { answer: unknown; transfer: ArrayBuffer[] };
