/** What `parallel/` takes from node:worker_threads, as `#workers`. `web-workers.ts` exports the same names. */
import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";
import type { Answer, WorkerHandle } from "./worker-handle.js";

export type { WorkerHandle } from "./worker-handle.js";

/** Starts `parallel/worker.ts`. It does not keep the process alive unless somebody waits for its answer. */
export function startWorker(): WorkerHandle {
  const worker = new Worker(new URL("../parallel/worker.js", import.meta.url));
  worker.unref();
  return {
    async ask(request, transfer) {
      worker.ref();
      const died = new AbortController();
      const onExit = () => died.abort(new Error("the worker ended"));
      worker.once("exit", onExit);
      try {
        const answer = once(worker, "message", { signal: died.signal });
        worker.postMessage(request, transfer);
        return (await answer)[0];
      } finally {
        worker.off("exit", onExit);
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
