import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Answer, WorkerHandle } from "../../src/platform/worker-handle.js";

const workers = vi.hoisted(() => ({
  start: vi.fn<() => WorkerHandle>(),
  answer: undefined as Answer | undefined,
}));

vi.mock("#workers", () => ({
  startWorker: workers.start,
  answerRequests(answer: Answer) {
    workers.answer = answer;
  },
}));

const { workerLanes } = await import("../../src/parallel/lanes.js");
await import("../../src/parallel/worker.js");

const KEY = new Uint8Array(16).fill(7);
const ICB = new Uint8Array(16);
const TEXT = new Uint8Array(100).fill(1);

function run(engine = "portable"): Promise<Uint8Array> {
  return workerLanes(KEY, engine).run("encrypt", ICB, TEXT, new Uint8Array(100));
}

/** A worker of this thread, which answers as `parallel/worker.ts` does. */
function worker(): { alive: boolean; ask: ReturnType<typeof vi.fn<WorkerHandle["ask"]>> } {
  return { alive: true, ask: vi.fn(async (request) => workers.answer!(structuredClone(request)).answer) };
}

describe("lanes in workers", () => {
  beforeEach(() => workers.start.mockReset());

  test("use an idle worker again, and a new one where it died", async () => {
    const [first, second] = [worker(), worker()];
    workers.start.mockReturnValueOnce(first).mockReturnValueOnce(second);
    const ghash = await run();
    expect(await run()).toEqual(ghash);
    expect(first.ask).toHaveBeenCalledTimes(2);
    first.alive = false;
    expect(await run()).toEqual(ghash);
    expect(first.ask).toHaveBeenCalledTimes(2);
    expect(second.ask).toHaveBeenCalledTimes(1);
    second.alive = false;
  });

  test("do not use a worker again that failed, and clear what it was not given", async () => {
    const broken = worker();
    broken.ask.mockRejectedValue(new Error("no memory"));
    workers.start.mockReturnValueOnce(broken).mockReturnValueOnce(worker());
    await expect(run()).rejects.toThrow("no memory");
    const { input } = broken.ask.mock.calls[0][0] as { input: Uint8Array };
    expect(input).toEqual(new Uint8Array(100));
    await run();
    expect(broken.ask).toHaveBeenCalledTimes(1);
  });
});

describe("the worker", () => {
  test.each(["nonsense", "openssl+nonsense"])(
    "answers an error of %s in words, and clears what it was given",
    (engine) => {
      const request = {
        rawKey: KEY.slice(),
        engine,
        direction: "encrypt",
        icb: ICB,
        input: TEXT.slice(),
      };
      expect(workers.answer!(request)).toEqual({
        answer: { error: expect.stringContaining('engine is "nonsense"') },
        transfer: [],
      });
      expect(request.input).toEqual(new Uint8Array(100));
      expect(request.rawKey).toEqual(new Uint8Array(16));
    },
  );
});
