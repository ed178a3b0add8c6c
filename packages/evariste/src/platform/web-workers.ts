/** Workers by the browser's own API. `node-workers.ts` exports the same names. */
import type { Answer, WorkerHandle } from "./worker-handle.js";

export type { WorkerHandle } from "./worker-handle.js";

/** Workers at work. One that only its own handlers refer to may be collected before it answers (seen in Firefox 153). */
const busy = new Set<Worker>();

/** Starts `parallel/worker.ts`. */
export function startWorker(): WorkerHandle {
  // Bundlers find the worker's file by exactly this expression.
  const worker = new Worker(new URL("../parallel/worker.js", import.meta.url), { type: "module" });
  let alive = true;
  let fail: (reason: Error) => void = () => {};
  worker.onerror = (event) => {
    alive = false;
    fail(new Error(event.message || "the worker could not start"));
  };
  return {
    get alive() {
      return alive;
    },
    async ask(request, transfer) {
      if (!alive) throw new Error("the worker ended");
      busy.add(worker);
      try {
        return await new Promise((resolve, reject) => {
          fail = reject;
          worker.onmessage = (event) => resolve(event.data);
          worker.postMessage(request, transfer);
        });
      } finally {
        busy.delete(worker);
      }
    },
  };
}

/** What a worker's global scope has and a window's type has not. */
interface WorkerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

/** The worker's side: answers every request. */
export function answerRequests(answer: Answer): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.onmessage = (event) => {
    const { answer: message, transfer } = answer(event.data);
    scope.postMessage(message, transfer);
  };
}
