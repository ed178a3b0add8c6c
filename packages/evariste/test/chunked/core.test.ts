import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChunkOpener, ChunkSealer, open, seal, sealedLength } from "../../src/chunked/index.js";
import { AuthenticationError, StateError } from "../../src/index.js";
import { flipped, joined, pattern, same } from "../support/bytes.js";
import { modelChunk, modelOpen, modelSeal } from "../support/chunked-model.js";

const KEYS = [pattern(16, 5), pattern(32, 6)];
const KEY = KEYS[0];
const NONE = new Uint8Array(0);
const LENGTHS = [0, 1, 15, 16, 17, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 50_000];

async function sealInPieces(key: Uint8Array, parts: readonly Uint8Array[], context?: Uint8Array) {
  const sealer = await ChunkSealer.create(key, { context });
  const written = [sealer.header, ...parts.map((part) => sealer.update(part))];
  return joined([...written, sealer.finish()]);
}

async function openInPieces(key: Uint8Array, sealed: Uint8Array, parts: readonly Uint8Array[]) {
  const opener = await ChunkOpener.create(key, sealed.subarray(0, 56));
  const read = parts.map((part) => opener.update(part));
  return joined([...read, opener.finish()]);
}

/** Cuts bytes where the fractions say. */
function cut(bytes: Uint8Array, fractions: readonly number[]): Uint8Array[] {
  const at = fractions.map((f) => Math.floor(f * (bytes.length + 1))).sort((a, b) => a - b);
  return [0, ...at].map((start, i) => bytes.subarray(start, i < at.length ? at[i] : bytes.length));
}

describe("against the model", () => {
  test.each(LENGTHS)("a message of %i bytes, both keys, with and without context", async (length) => {
    const message = pattern(length);
    for (const key of KEYS) {
      for (const context of [undefined, pattern(9, 3), pattern(300, 4)]) {
        const sealed = await seal(key, message, { context });
        expect(sealed.length).toBe(sealedLength(length));
        expect(same(modelOpen(key, sealed, context ?? NONE), message)).toBe(true);
        const made = modelSeal(key, pattern(24, length), context ?? NONE, message);
        expect(same(await open(key, made, { context }), message)).toBe(true);
      }
    }
  });

  test("past chunk 255, where the counter carries", async () => {
    const message = pattern(257 * 16_384 + 3);
    const sealed = await seal(KEY, message);
    expect(same(modelOpen(KEY, sealed, NONE), message)).toBe(true);
  });

  test("in any pieces, also empty ones", async () => {
    const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...LENGTHS), fc.integer({ min: 0, max: 70_000 })),
        fractions,
        fractions,
        async (length, sealCuts, openCuts) => {
          const message = pattern(length, length);
          const sealed = await sealInPieces(KEY, cut(message, sealCuts));
          expect(same(modelOpen(KEY, sealed, NONE), message)).toBe(true);
          const opened = await openInPieces(KEY, sealed, cut(sealed.subarray(56), openCuts));
          expect(same(opened, message)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("pieces at odd offsets into their memory", async () => {
    const memory = new Uint8Array(40_000 + 15);
    for (let offset = 1; offset <= 15; offset += 7) {
      const message = memory.subarray(offset, offset + 40_000);
      message.set(pattern(40_000, offset));
      expect(same(modelOpen(KEY, await sealInPieces(KEY, [message]), NONE), message)).toBe(true);
    }
  });

  test("each message has its own salt", async () => {
    const files = await Promise.all([seal(KEY, NONE), seal(KEY, NONE)]);
    expect(same(files[0].subarray(0, 24), files[1].subarray(0, 24))).toBe(false);
    expect(same(files[0].subarray(24, 56), files[1].subarray(24, 56))).toBe(false);
  });
});

describe("the caller's memory", () => {
  test("updateInto writes what update returns, and reports it beforehand", async () => {
    const message = pattern(60_000);
    const out = new Uint8Array(70_000);
    const sealer = await ChunkSealer.create(KEY);
    const sealed: Uint8Array[] = [sealer.header];
    for (const part of cut(message, [0.1, 0.2, 0.9])) {
      const expected = sealer.outputLength(part.length);
      expect(sealer.updateInto(part, out)).toBe(expected);
      sealed.push(out.slice(0, expected));
    }
    const file = joined([...sealed, sealer.finish()]);
    expect(same(modelOpen(KEY, file, NONE), message)).toBe(true);
    const opener = await ChunkOpener.create(KEY, file.subarray(0, 56));
    const opened: Uint8Array[] = [];
    for (const part of cut(file.subarray(56), [0.3, 0.5, 0.51])) {
      const expected = opener.outputLength(part.length);
      expect(opener.updateInto(part, out)).toBe(expected);
      opened.push(out.slice(0, expected));
    }
    expect(same(joined([...opened, opener.finish()]), message)).toBe(true);
  });

  test("too little of it, or the piece's own, is refused and changes nothing", async () => {
    const message = pattern(16_384);
    const sealer = await ChunkSealer.create(KEY);
    expect(() => sealer.updateInto(message, new Uint8Array(16_399))).toThrow(RangeError);
    const shared = new Uint8Array(40_000);
    expect(() => sealer.updateInto(shared.subarray(0, 16_384), shared)).toThrow("out overlaps piece");
    expect(() => sealer.updateInto(shared.subarray(16_399, 32_783), shared)).toThrow("out overlaps piece");
    expect(shared.every((byte) => byte === 0)).toBe(true);
    const file = joined([sealer.header, sealer.update(message), sealer.finish()]);
    expect(same(modelOpen(KEY, file, NONE), message)).toBe(true);
  });

  test("what fails leaves zeros there", async () => {
    const sealed = await seal(KEY, pattern(40_000));
    const opener = await ChunkOpener.create(KEY, sealed.subarray(0, 56));
    const out = new Uint8Array(50_000).fill(0xee);
    const bad = flipped(sealed, 56 + 16_400 + 5).subarray(56);
    expect(() => opener.updateInto(bad, out)).toThrow(AuthenticationError);
    expect(out.subarray(0, 32_768).every((byte) => byte === 0)).toBe(true);
    expect(out.subarray(32_768).every((byte) => byte === 0xee)).toBe(true);
  });

  test("the caller may wipe key and context at once", async () => {
    const key = KEY.slice();
    const context = pattern(5);
    const sealing = seal(key, pattern(10), { context });
    key.fill(0);
    context.fill(0);
    expect(same(modelOpen(KEY, await sealing, pattern(5)), pattern(10))).toBe(true);
  });
});

describe("what is not authentic", () => {
  const message = pattern(40_000);

  test("every bit of header and last chunk, and some of each other chunk", async () => {
    const sealed = await seal(KEY, pattern(3));
    for (let at = 0; at < sealed.length; at++) {
      await expect(open(KEY, flipped(sealed, at, at % 8))).rejects.toThrow(AuthenticationError);
    }
    const long = await seal(KEY, message);
    for (let at = 0; at < long.length; at += 997) {
      await expect(open(KEY, flipped(long, at, at % 8))).rejects.toThrow(AuthenticationError);
    }
  });

  test("every shorter file, every longer one", async () => {
    const sealed = await seal(KEY, pattern(16_400));
    const cuts = [0, 1, 55, 56, 57, 71, 72, 16_455, 16_456, 16_457, 16_471, 16_472, 16_487];
    for (const length of cuts) {
      await expect(open(KEY, sealed.subarray(0, length)), `${length}`).rejects.toThrow(AuthenticationError);
    }
    for (const more of [1, 15, 16, 17, 16_400]) {
      await expect(open(KEY, joined([sealed, new Uint8Array(more)]))).rejects.toThrow(AuthenticationError);
    }
  });

  test("chunks swapped, repeated, left out, or of another message", async () => {
    const sealed = await seal(KEY, message);
    const other = await seal(KEY, message);
    const header = sealed.subarray(0, 56);
    const [a, b, c] = [56, 16_456, 32_856].map((at) => sealed.subarray(at, at + 16_400));
    const files = [
      [header, b, a, c],
      [header, a, a, c],
      [header, a, c],
      [header, a, b, b, c],
      [header, a, b, c, c],
      [header, a, other.subarray(16_456, 32_856), c],
      [other.subarray(0, 56), a, b, c],
      [sealed.subarray(0, 24), other.subarray(24, 56), a, b, c],
    ];
    for (const file of files) await expect(open(KEY, joined(file))).rejects.toThrow(AuthenticationError);
    expect(same(await open(KEY, joined([header, a, b, c])), message)).toBe(true);
  });

  test("a full chunk sealed as the last one", async () => {
    const salt = pattern(24);
    const header = modelSeal(KEY, salt, NONE, NONE).subarray(0, 56);
    const file = joined([header, modelChunk(KEY, salt, 0, pattern(16_384))]);
    await expect(open(KEY, file)).rejects.toThrow(AuthenticationError);
    const whole = joined([file, modelChunk(KEY, salt, 1, NONE)]);
    expect(same(await open(KEY, whole), pattern(16_384))).toBe(true);
  });

  test("another key, another context", async () => {
    const sealed = await seal(KEY, message, { context: pattern(4) });
    await expect(open(pattern(16, 9), sealed, { context: pattern(4) })).rejects.toThrow(
      "wrong key or context",
    );
    await expect(open(KEY, sealed)).rejects.toThrow("wrong key or context");
    await expect(open(KEYS[1], sealed, { context: pattern(4) })).rejects.toThrow("wrong key or context");
  });

  test("an opener stays broken", async () => {
    const sealed = await seal(KEY, message);
    const opener = await ChunkOpener.create(KEY, sealed.subarray(0, 56));
    expect(() => opener.update(flipped(sealed, 100).subarray(56))).toThrow(AuthenticationError);
    for (let i = 0; i < 2; i++) {
      expect(() => opener.update(sealed.subarray(56))).toThrow(AuthenticationError);
      expect(() => opener.finish()).toThrow(AuthenticationError);
      opener.destroy();
    }
  });
});

describe("misuse", () => {
  test("no calls after the end", async () => {
    const sealed = await seal(KEY, pattern(5));
    for (const end of ["finish", "destroy"] as const) {
      const sealer = await ChunkSealer.create(KEY);
      const opener = await ChunkOpener.create(KEY, sealed.subarray(0, 56));
      opener.update(sealed.subarray(56));
      for (const core of [sealer, opener]) {
        core[end]();
        expect(() => core.update(NONE)).toThrow(StateError);
        expect(() => core.outputLength(1)).toThrow(StateError);
        expect(() => core.finish()).toThrow(StateError);
        core.destroy();
      }
    }
  });

  test("what is not bytes is refused and changes nothing", async () => {
    const sealer = await ChunkSealer.create(KEY);
    const wrong: unknown[] = [undefined, null, "text", [1, 2], new Uint16Array(4), new ArrayBuffer(4)];
    for (const value of wrong) expect(() => sealer.update(value as Uint8Array)).toThrow(TypeError);
    expect(() => sealer.update(new Uint8Array(new SharedArrayBuffer(100)))).toThrow("SharedArrayBuffer");
    const gone = new Uint8Array(100);
    structuredClone(gone, { transfer: [gone.buffer] });
    expect(() => sealer.update(gone)).toThrow("detached");
    const file = joined([sealer.header, sealer.update(pattern(7)), sealer.finish()]);
    expect(same(modelOpen(KEY, file, NONE), pattern(7))).toBe(true);
  });

  test("a message that would pass 2^52 - 1 bytes is refused", async () => {
    const sealer = await ChunkSealer.create(KEY);
    expect(sealer.outputLength(2 ** 52 - 1)).toBe((2 ** 38 - 1) * 16_400);
    expect(() => sealer.outputLength(2 ** 52)).toThrow("2^52 - 1");
    sealer.update(pattern(1));
    expect(() => sealer.outputLength(2 ** 52 - 1)).toThrow("2^52 - 1");
    expect(sealer.finish().length).toBe(17);
  });

  test("keys, contexts and headers of a wrong kind or size", async () => {
    for (const length of [0, 15, 17, 24, 31, 33]) {
      await expect(seal(new Uint8Array(length), NONE)).rejects.toThrow(/^key has .* allowed are 16 and 32$/);
      await expect(ChunkSealer.create(new Uint8Array(length))).rejects.toThrow(RangeError);
    }
    await expect(seal("0123456789abcdef" as unknown as Uint8Array, NONE)).rejects.toThrow(TypeError);
    await expect(seal(KEY, NONE, { context: "text" as unknown as Uint8Array })).rejects.toThrow(
      "context must be a Uint8Array, not string",
    );
    await expect(ChunkOpener.create(KEY, new Uint8Array(55))).rejects.toThrow(AuthenticationError);
    await expect(ChunkOpener.create(KEY, new Uint8Array(57))).rejects.toThrow(RangeError);
  });

  test("a plaintext that is transferred away meanwhile is an error, not an empty message", async () => {
    const message = pattern(100);
    const sealing = seal(KEY, message);
    structuredClone(message, { transfer: [message.buffer] });
    await expect(sealing).rejects.toThrow("detached");
  });
});
