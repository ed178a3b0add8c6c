/** What `parallel/` takes from node:worker_threads, as `#workers`. `web-workers.ts` exports the same names. */
import { parentPort, Worker } from "node:worker_threads";
import type { Answer, WorkerHandle } from "./worker-handle.js";

export type { WorkerHandle } from "./worker-handle.js";

/** Starts `parallel/worker.ts`. It does not keep the process alive unless somebody waits for its answer. */
export function startWorker(): WorkerHandle {
  const worker = new Worker(new URL("../parallel/worker.js", import.meta.url));
  worker.unref();
  let alive = true;
  let fail: (reason: Error) => void = () => {};
  const end = (reason: Error): void => {
    alive = false;
    fail(reason);
  };
  // Also while nobody asks: an error that nobody listens for ends the process.
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the worker ended")));
  return {
    get alive() {
      return alive;
    },
    async ask(request, transfer) {
      if (!alive) throw new Error("the worker ended");
      worker.ref();
      try {
        return await new Promise((resolve, reject) => {
          fail = reject;
          worker.once("message", resolve);
          worker.postMessage(request, transfer);
        });
      } finally {
        worker.unref();
      }
    },
  };
}

/** The worker's side: answers every request. */
export function answerRequests(answer: Answer): void {
  parentPort?.on("message", (request: unknown) => {
    const { answer: message, transfer } = answer(request);
    parentPort?.postMessage(message, transfer);
  });
}
