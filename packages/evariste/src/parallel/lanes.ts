/** Where segments run: on the engine's own threads, or in workers. */
import { startWorker, type WorkerHandle } from "#workers";
import type { Direction, EngineKey } from "../engines/engine.js";

/** Runs segments of one message, several at once. */
export interface Lanes {
  /** As `EngineKey.segment`. */
  run(direction: Direction, icb: Uint8Array, input: Uint8Array, out: Uint8Array): Promise<Uint8Array>;
  /** Releases what the lanes hold; nothing may be under way. */
  close(): void;
}

/** What a worker is asked; see `worker.ts`. The input's memory is transferred. */
export interface SegmentRequest {
  readonly rawKey: Uint8Array;
  readonly engine: string;
  readonly direction: Direction;
  readonly icb: Uint8Array;
  readonly input: Uint8Array<ArrayBuffer>;
}

/** What a worker answers: the request's memory, now holding the output; or an error in words. */
export type SegmentAnswer =
  | { readonly output: Uint8Array<ArrayBuffer>; readonly ghash: Uint8Array }
  | { readonly error: string };

/** Lanes on the engine's threads, or undefined where the engine has none. */
export function addonLanes(key: EngineKey): Lanes | undefined {
  if (key.segment === undefined) return undefined;
  return { run: key.segment.bind(key), close: () => {} };
}

/** Workers that are idle now. They do not keep the process alive, and live as long as it does. */
const idle: WorkerHandle[] = [];

/** An idle worker that has not died meanwhile, or a new one. */
function takeWorker(): WorkerHandle {
  let worker = idle.pop();
  while (worker?.alive === false) worker = idle.pop();
  return worker ?? startWorker();
}

/** Lanes in workers: each segment is copied to a worker and back, so memory stays at a few segments per thread. */
export function workerLanes(rawKey: Uint8Array, engine: string): Lanes {
  const ownKey = new Uint8Array(rawKey);
  return {
    async run(direction, icb, input, out) {
      const worker = takeWorker();
      const copy = new Uint8Array(input);
      const request: SegmentRequest = { rawKey: ownKey, engine, direction, icb, input: copy };
      const answer = (await worker.ask(request, [copy.buffer]).catch((error) => {
        // Where it did not get as far as being transferred.
        copy.fill(0);
        throw error;
      })) as SegmentAnswer;
      idle.push(worker);
      if ("error" in answer) throw new Error(answer.error);
      out.set(answer.output);
      answer.output.fill(0);
      return answer.ghash;
    },
    close: () => ownKey.fill(0),
  };
}
