import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChunkedReader, type RandomAccessSource, seal } from "../../src/chunked/index.js";
import { AuthenticationError, StateError } from "../../src/index.js";
import { flipped, joined, pattern, same } from "../support/bytes.js";

const KEY = pattern(16, 2);
const LENGTHS = [0, 1, 16_383, 16_384, 16_385, 32_768, 100_000];

/** A source over memory that records what is asked of it. */
function recorded(file: Uint8Array) {
  const reads: { offset: number; length: number }[] = [];
  const source: RandomAccessSource = {
    size: file.length,
    async read(offset, length) {
      reads.push({ offset, length });
      return file.slice(offset, offset + length);
    },
  };
  return { reads, source };
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("ranges", () => {
  test.each(LENGTHS)("of a message of %i bytes, around every chunk's ends", async (length) => {
    const message = pattern(length, length);
    const file = await seal(KEY, message);
    for (const source of [recorded(file).source, new Blob([file])]) {
      const reader = await ChunkedReader.open(source, KEY);
      expect(reader.size).toBe(length);
      const edges = [0, 1, 16_383, 16_384, 16_385, length - 1, length];
      const points = edges.filter((at) => at >= 0 && at <= length);
      for (const start of points) {
        for (const end of points) {
          if (start > end) continue;
          const part = await reader.read(start, end);
          expect(same(part, message.subarray(start, end)), `${start} to ${end}`).toBe(true);
          const streamed = joined(await collect(reader.stream(start, end)));
          expect(same(streamed, part), `${start} to ${end}`).toBe(true);
        }
      }
    }
  });

  test("any, several at once", async () => {
    const length = 3_000_000;
    const message = pattern(length);
    const reader = await ChunkedReader.open(recorded(await seal(KEY, message)).source, KEY);
    const range = fc.tuple(fc.integer({ min: 0, max: length }), fc.integer({ min: 0, max: length }));
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 6 }), async (ranges) => {
        const sorted = ranges.map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
        const parts = await Promise.all(sorted.map(([start, end]) => reader.read(start, end)));
        parts.forEach((part, i) => {
          expect(same(part, message.subarray(sorted[i][0], sorted[i][1]))).toBe(true);
        });
      }),
      { numRuns: 25 },
    );
  });

  test("outside the message are refused, never clamped", async () => {
    const reader = await ChunkedReader.open(recorded(await seal(KEY, pattern(10))).source, KEY);
    const wrong = [
      [-1, 5],
      [0, 11],
      [11, 11],
      [5, 4],
      [0.5, 4],
      [0, Number.NaN],
      [0, Number.POSITIVE_INFINITY],
    ];
    for (const [start, end] of wrong) {
      await expect(reader.read(start, end), `${start}, ${end}`).rejects.toThrow(RangeError);
      expect(() => reader.stream(start, end), `${start}, ${end}`).toThrow(RangeError);
    }
    await expect(reader.read("0" as unknown as number, 4)).rejects.toThrow(TypeError);
  });
});

describe("what is asked of the source", () => {
  test("to open: the header and the last chunk", async () => {
    const { reads, source } = recorded(await seal(KEY, pattern(100_000)));
    await ChunkedReader.open(source, KEY);
    expect(reads).toEqual([
      { offset: 0, length: 56 },
      { offset: 56 + 6 * 16_400, length: 100_000 - 6 * 16_384 + 16 },
    ]);
  });

  test("to read: the chunks touched, once each, a mebibyte at a time", async () => {
    const { reads, source } = recorded(await seal(KEY, pattern(3_000_000)));
    const reader = await ChunkedReader.open(source, KEY);
    reads.length = 0;
    await reader.read(16_384, 16_385);
    expect(reads).toEqual([{ offset: 56 + 16_400, length: 16_400 }]);
    reads.length = 0;
    await reader.read(16_383, 16_385);
    expect(reads).toEqual([{ offset: 56, length: 2 * 16_400 }]);
    reads.length = 0;
    await reader.read(20_000, 20_000);
    expect(reads).toEqual([]);
    const step = 64 * 16_400;
    for (const way of [() => reader.read(5, reader.size), () => collect(reader.stream(5))]) {
      reads.length = 0;
      await way();
      expect(reads.map((read) => read.offset)).toEqual([56, 56 + step, 56 + 2 * step]);
      expect(reads.reduce((sum, read) => sum + read.length, 56)).toBe(source.size);
    }
  });

  test("a stream is at most one piece ahead, and cancelling it ends the reads", async () => {
    const { reads, source } = recorded(await seal(KEY, pattern(6 << 20)));
    const reader = await ChunkedReader.open(source, KEY);
    reads.length = 0;
    const stream = reader.stream().getReader();
    await stream.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reads.length).toBeLessThanOrEqual(2);
    await stream.cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reads.length).toBeLessThanOrEqual(2);
  });
});

describe("hostile files", () => {
  test("no reader without the right key, context, header and last chunk", async () => {
    const context = pattern(3);
    const file = await seal(KEY, pattern(20_000), { context });
    const opening = (bytes: Uint8Array, key = KEY, given = context) =>
      ChunkedReader.open(recorded(bytes).source, key, { context: given });
    await expect(opening(file)).resolves.toBeInstanceOf(ChunkedReader);
    await expect(opening(file, pattern(16, 9))).rejects.toThrow(AuthenticationError);
    await expect(opening(file, pattern(32, 9))).rejects.toThrow(AuthenticationError);
    await expect(opening(file, KEY, pattern(4))).rejects.toThrow(AuthenticationError);
    for (const at of [0, 23, 24, 55, 16_456, file.length - 1]) {
      await expect(opening(flipped(file, at)), `byte ${at}`).rejects.toThrow(AuthenticationError);
    }
    for (const length of [0, 1, 55, 56, 71, 72, 16_456, 16_471, 16_472, file.length - 1]) {
      await expect(opening(file.subarray(0, length)), `${length}`).rejects.toThrow(AuthenticationError);
    }
    await expect(opening(joined([file, new Uint8Array(1)]))).rejects.toThrow(AuthenticationError);
  });

  test("an altered chunk fails what touches it, and everything after that", async () => {
    const message = pattern(100_000);
    const file = flipped(await seal(KEY, message), 56 + 2 * 16_400 + 9);
    const { reads, source } = recorded(file);
    for (const forged of [
      (reader: ChunkedReader) => reader.read(0, 100_000),
      (reader: ChunkedReader) => reader.read(49_151, 49_152),
      (reader: ChunkedReader) => collect(reader.stream(30_000)),
    ]) {
      const reader = await ChunkedReader.open(source, KEY);
      expect(same(await reader.read(0, 32_768), message.subarray(0, 32_768))).toBe(true);
      expect(same(await reader.read(49_152, 100_000), message.subarray(49_152))).toBe(true);
      await expect(forged(reader)).rejects.toThrow(AuthenticationError);
      reads.length = 0;
      await expect(reader.read(0, 32_768)).rejects.toThrow(AuthenticationError);
      expect(() => reader.stream()).toThrow(AuthenticationError);
      expect(reads).toEqual([]);
      reader.destroy();
      await expect(reader.read(0, 1)).rejects.toThrow(AuthenticationError);
    }
  });

  test("a forgery ends reads that are under way", async () => {
    const file = flipped(await seal(KEY, pattern(100_000)), 60);
    const slow: (() => void)[] = [];
    let opened = false;
    const reader = await ChunkedReader.open(
      {
        size: file.length,
        async read(offset, length) {
          if (opened && offset > 56) await new Promise<void>((resolve) => slow.push(resolve));
          return file.slice(offset, offset + length);
        },
      },
      KEY,
    );
    opened = true;
    const right = reader.read(20_000, 20_001);
    await expect(reader.read(0, 1)).rejects.toThrow(AuthenticationError);
    for (const go of slow) go();
    await expect(right).rejects.toThrow(AuthenticationError);
  });
});

describe("sources that do not keep their word", () => {
  async function broken(answer: (bytes: Uint8Array) => unknown): Promise<ChunkedReader> {
    const file = await seal(KEY, pattern(50_000));
    let opened = false;
    const source: RandomAccessSource = {
      size: file.length,
      async read(offset, length) {
        const bytes = file.slice(offset, offset + length);
        return (opened ? answer(bytes) : bytes) as Uint8Array;
      },
    };
    const reader = await ChunkedReader.open(source, KEY);
    opened = true;
    return reader;
  }

  test("short, long, not bytes, and failing reads", async () => {
    const short = await broken((bytes) => bytes.subarray(1));
    await expect(short.read(0, 10)).rejects.toThrow(
      "the source gave 16399 bytes at 56, not the 16400 asked for; was it cut meanwhile?",
    );
    const long = await broken((bytes) => joined([bytes, new Uint8Array(1)]));
    await expect(long.read(0, 10)).rejects.toThrow("16401 bytes at 56");
    await expect(collect(long.stream())).rejects.toThrow("not the 50064 asked for");
    const text = await broken(() => "text");
    await expect(text.read(0, 10)).rejects.toThrow(TypeError);
    const failing = await broken(() => {
      throw new Error("no route to host");
    });
    await expect(failing.read(0, 10)).rejects.toThrow("no route to host");
  });

  test("a size that is none", async () => {
    for (const size of [-1, 1.5, Number.NaN, "5", undefined, 2 ** 53]) {
      const source = { size, read: async () => new Uint8Array(0) } as unknown as RandomAccessSource;
      await expect(ChunkedReader.open(source, KEY)).rejects.toThrow(RangeError);
    }
    for (const source of [null, undefined, "path", {}, { size: 100 }]) {
      await expect(ChunkedReader.open(source as unknown as Blob, KEY)).rejects.toThrow(TypeError);
    }
  });
});

test("destroy ends reads that are under way and refuses later ones", async () => {
  const reader = await ChunkedReader.open(recorded(await seal(KEY, pattern(50_000))).source, KEY);
  const reading = reader.read(0, 50_000);
  const stream = reader.stream().getReader();
  reader.destroy();
  await expect(reading).rejects.toThrow(StateError);
  await expect(stream.read()).rejects.toThrow(StateError);
  await expect(reader.read(0, 1)).rejects.toThrow(StateError);
  expect(() => reader.stream()).toThrow(StateError);
  reader.destroy();
});
