/** Workers by the browser's own API. `node-workers.ts` exports the same names. */
import type { Answer, WorkerHandle } from "./worker-handle.js";

export function startWorker(url: URL): WorkerHandle {
  const worker = new Worker(url, { type: "module" });
  return {
    ask: (request, transfer) =>
      new Promise((resolve, reject) => {
        worker.onmessage = (event) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message || "the worker could not start"));
        worker.postMessage(request, transfer);
      }),
  };
}

/** What a worker's global scope has and a window's type has not. */
interface WorkerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

export function answerRequests(answer: Answer): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.onmessage = (event) => {
    const { answer: message, transfer } = answer(event.data);
    scope.postMessage(message, transfer);
  };
}
