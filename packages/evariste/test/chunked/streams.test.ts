import { afterEach, describe, expect, test, vi } from "vitest";
import { ChunkOpener, ChunkSealer, openStream, seal, sealStream } from "../../src/chunked/index.js";
import { AuthenticationError } from "../../src/index.js";
import { flipped, joined, pattern, pieces, same } from "../support/bytes.js";
import { modelOpen } from "../support/chunked-model.js";

const KEY = pattern(32, 8);
const NONE = new Uint8Array(0);

afterEach(() => vi.restoreAllMocks());

/** A source that makes a piece only when asked, and counts. */
function counted(parts: readonly Uint8Array[]) {
  const made = { pieces: 0, cancelled: undefined as unknown };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (made.pieces < parts.length) controller.enqueue(parts[made.pieces++]);
        else controller.close();
      },
      cancel(reason) {
        made.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { made, stream };
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("sealStream and openStream", () => {
  test.each([1, 1000, 16_384, 16_385, 1 << 20])("pieces of %i bytes", async (size) => {
    const message = pattern(Math.min(2_000_000, size * 3000) + 3);
    const file = joined(await collect(counted(pieces(message, size)).stream.pipeThrough(sealStream(KEY))));
    expect(same(modelOpen(KEY, file, NONE), message)).toBe(true);
    const opened = joined(await collect(counted(pieces(file, size)).stream.pipeThrough(openStream(KEY))));
    expect(same(opened, message)).toBe(true);
  });

  test("no pieces, empty pieces", async () => {
    for (const parts of [[], [NONE], [NONE, NONE]]) {
      const file = joined(await collect(counted(parts).stream.pipeThrough(sealStream(KEY))));
      expect(file.length).toBe(72);
      const opened = await collect(counted([NONE, file, NONE]).stream.pipeThrough(openStream(KEY)));
      expect(opened).toEqual([]);
    }
  });

  test("a piece becomes one output, a very long one several", async () => {
    const megabyte = pattern(1 << 20);
    const parts = await collect(counted([megabyte, megabyte]).stream.pipeThrough(sealStream(KEY)));
    expect(parts.map((part) => part.length)).toEqual([56, 64 * 16_400, 64 * 16_400, 16]);
    const long = new Uint8Array(5 << 19);
    const lengths = (await collect(counted([long]).stream.pipeThrough(sealStream(KEY)))).map((p) => p.length);
    expect(lengths).toEqual([56, 64 * 16_400, 64 * 16_400, 32 * 16_400, 16]);
  });

  test("with a context, through a Response and a Blob", async () => {
    const context = new TextEncoder().encode("letters");
    const message = pattern(100_000);
    const file = await bytesOf(new Blob([message]).stream().pipeThrough(sealStream(KEY, { context })));
    expect(same(modelOpen(KEY, file, context), message)).toBe(true);
    const opened = await bytesOf(new Blob([file]).stream().pipeThrough(openStream(KEY, { context })));
    expect(same(opened, message)).toBe(true);
  });

  test("backpressure: nothing is asked of the source before somebody reads", async () => {
    const { made, stream } = counted(pieces(pattern(20 << 14), 1 << 14));
    const reader = stream.pipeThrough(sealStream(KEY)).getReader();
    await idle();
    const before = made.pieces;
    expect(before).toBeLessThanOrEqual(2);
    for (let i = 1; i <= 5; i++) {
      await reader.read();
      await idle();
      expect(made.pieces).toBeLessThanOrEqual(before + i);
    }
    await reader.cancel("enough");
    await idle();
    expect(made.cancelled).toBe("enough");
    expect(made.pieces).toBeLessThanOrEqual(before + 5);
  });

  test("bad arguments throw at once", () => {
    for (const make of [sealStream, openStream]) {
      expect(() => make(new Uint8Array(24))).toThrow(RangeError);
      expect(() => make(undefined as unknown as Uint8Array)).toThrow(TypeError);
      expect(() => make(KEY, { context: 5 as unknown as Uint8Array })).toThrow(TypeError);
    }
  });
});

describe("within one long piece", () => {
  const LONG = 8 << 20;

  /** A clock by which everything takes long. */
  function slowClock(): void {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  }

  async function written(make: typeof sealStream, piece: Uint8Array) {
    const { writable, readable } = make(KEY);
    const writer = writable.getWriter();
    const reader = readable.getReader();
    if (make === sealStream) await reader.read();
    const writing = writer.write(piece);
    writing.catch(() => {});
    writer.closed.catch(() => {});
    reader.closed.catch(() => {});
    return { reader, writing };
  }

  test.each([sealStream, openStream])("others get their turn (%o)", async (make) => {
    slowClock();
    const piece = make === sealStream ? new Uint8Array(LONG) : await seal(KEY, new Uint8Array(LONG));
    const { reader, writing } = await written(make, piece);
    let turns = 0;
    let done = false;
    const count = () => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const reading = reader.read();
    await writing;
    done = true;
    expect(turns).toBeGreaterThanOrEqual(7);
    expect((await reading).value?.length).toBeGreaterThan(1_000_000);
    await reader.cancel();
  });

  test("a piece that is transferred away makes the stream fail", async () => {
    slowClock();
    const piece = new Uint8Array(LONG);
    const { reader, writing } = await written(sealStream, piece);
    await reader.read();
    structuredClone(piece, { transfer: [piece.buffer] });
    await expect(writing).rejects.toThrow("transferred");
    await expect(readAll(reader)).rejects.toThrow("transferred");
  });

  test("cancelling ends the work", async () => {
    slowClock();
    const update = vi.spyOn(ChunkSealer.prototype, "update");
    const { reader, writing } = await written(sealStream, new Uint8Array(LONG));
    await reader.read();
    await reader.cancel();
    await Promise.allSettled([writing]);
    await idle();
    expect(update.mock.calls.length).toBeLessThan(8);
  });
});

describe("errors reach every kind of reader", () => {
  const message = pattern(70_000);

  async function badFiles(): Promise<Record<string, Uint8Array>> {
    const file = await seal(KEY, message);
    return {
      "wrong commitment": flipped(file, 30),
      "first chunk": flipped(file, 60),
      "third chunk": flipped(file, 56 + 2 * 16_400 + 1),
      "last tag": flipped(file, file.length - 1),
      "cut in the last chunk": file.subarray(0, file.length - 1),
      "cut at a chunk": file.subarray(0, 56 + 4 * 16_400),
      "cut in the header": file.subarray(0, 40),
      empty: new Uint8Array(0),
      "one byte more": joined([file, new Uint8Array(1)]),
    };
  }

  test("read, pipeTo and for await", async () => {
    for (const [name, file] of Object.entries(await badFiles())) {
      const opened = () => counted(pieces(file, 10_000)).stream.pipeThrough(openStream(KEY));
      await expect(collect(opened()), name).rejects.toThrow(AuthenticationError);
      const written: Uint8Array[] = [];
      const abort = vi.fn();
      const sink = new WritableStream<Uint8Array>({ write: (part) => void written.push(part), abort });
      await expect(opened().pipeTo(sink), name).rejects.toThrow(AuthenticationError);
      expect(abort, name).toHaveBeenCalledOnce();
      const released = joined(written);
      expect(same(released, message.subarray(0, released.length)), name).toBe(true);
      expect(released.length % 16_384, name).toBe(0);
      const reader = opened().getReader();
      await expect(readAll(reader), name).rejects.toThrow(AuthenticationError);
      await expect(reader.read(), name).rejects.toThrow(AuthenticationError);
      await expect(reader.closed, name).rejects.toThrow(AuthenticationError);
    }
  });

  test("the writer of a stream hears of it", async () => {
    const { writable, readable } = openStream(KEY);
    const writer = writable.getWriter();
    const reading = collect(readable);
    reading.catch(() => {});
    await expect(writer.write(pattern(20_000))).rejects.toThrow(AuthenticationError);
    await expect(writer.closed).rejects.toThrow(AuthenticationError);
    await expect(reading).rejects.toThrow(AuthenticationError);
  });

  test("pieces that are not bytes", async () => {
    for (const make of [sealStream, openStream]) {
      const texts = new ReadableStream({
        start(controller) {
          controller.enqueue("text");
          controller.close();
        },
      });
      await expect(collect(texts.pipeThrough(make(KEY)))).rejects.toThrow("piece must be a Uint8Array");
    }
  });

  test("an error of the source comes through", async () => {
    for (const make of [sealStream, openStream]) {
      const broken = new ReadableStream<Uint8Array>({
        pull() {
          throw new Error("disk on fire");
        },
      });
      await expect(collect(broken.pipeThrough(make(KEY)))).rejects.toThrow("disk on fire");
    }
  });
});

describe("cancel and abort wipe", () => {
  const cores = [
    { name: "sealStream", make: () => sealStream(KEY), type: ChunkSealer, reads: 2 },
    { name: "openStream", make: () => openStream(KEY), type: ChunkOpener, reads: 1 },
  ];

  test.each(cores)("$name, cancelled in the middle", async ({ make, type }) => {
    const destroy = vi.spyOn(type.prototype, "destroy");
    const file = await seal(KEY, pattern(100_000));
    const reader = counted(pieces(file, 30_000)).stream.pipeThrough(make()).getReader();
    await reader.read();
    expect(destroy).not.toHaveBeenCalled();
    await reader.cancel();
    expect(destroy).toHaveBeenCalled();
  });

  test.each(cores)("$name, aborted in the middle", async ({ make, type, reads }) => {
    const destroy = vi.spyOn(type.prototype, "destroy");
    const { writable, readable } = make();
    const file = await seal(KEY, pattern(100_000));
    const reader = readable.getReader();
    const writer = writable.getWriter();
    const writing = writer.write(file);
    for (let i = 0; i < reads; i++) await reader.read();
    await writing;
    await writer.abort(new Error("no more"));
    expect(destroy).toHaveBeenCalled();
    await expect(reader.read()).rejects.toThrow("no more");
  });

  test("sealStream, cancelled while it derives its key", async () => {
    const destroy = vi.spyOn(ChunkSealer.prototype, "destroy");
    await sealStream(KEY).readable.cancel();
    await idle();
    expect(destroy).toHaveBeenCalled();
  });

  test("openStream, cancelled while it derives its key", async () => {
    const create = vi.spyOn(ChunkOpener, "create");
    const destroy = vi.spyOn(ChunkOpener.prototype, "destroy");
    const { writable, readable } = openStream(KEY);
    const writing = writable.getWriter().write((await seal(KEY, NONE)).subarray(0, 56));
    writing.catch(() => {});
    const reader = readable.getReader();
    const reading = reader.read();
    await vi.waitUntil(() => create.mock.calls.length > 0, { interval: 0 });
    await reader.cancel();
    await create.mock.results[0].value;
    await idle();
    expect((await reading).done).toBe(true);
    expect(destroy).toHaveBeenCalled();
  });

  test("openStream, after a chunk that is not authentic", async () => {
    const destroy = vi.spyOn(ChunkOpener.prototype, "destroy");
    const file = flipped(await seal(KEY, pattern(100)), 60);
    await expect(collect(counted([file]).stream.pipeThrough(openStream(KEY)))).rejects.toThrow();
    expect(destroy).toHaveBeenCalled();
  });
});

async function bytesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/** Lets everything run that can run without new events: key derivation takes a few turns of the event loop. */
async function idle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 1));
}
