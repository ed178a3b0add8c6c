/** Workers by node:worker_threads. `web-workers.ts` exports the same names. */
import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";
import type { Answer, WorkerHandle } from "./worker-handle.js";

/** Starts a worker that does not keep the process alive unless somebody waits for its answer. */
export function startWorker(url: URL): WorkerHandle {
  const worker = new Worker(url);
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
