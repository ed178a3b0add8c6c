import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ChunkedReader, ChunkOpener, open, openStream } from "../../src/chunked/index.js";
import { AuthenticationError } from "../../src/index.js";
import { joined, pieces, same } from "../support/bytes.js";
import {
  type ChunkedVector,
  ownVectors,
  wycheproofFolder,
  wycheproofVectors,
} from "../support/chunked-vectors.js";

const absent = "../shared/vectors and EVARISTE_VECTORS have no Wycheproof files";

describe("C2SP vectors of this repository", () => {
  const vectors = ownVectors();
  test("are 33 of each algorithm", () => expect(vectors.length).toBe(66));
  test.each(vectors)("$name", checkVector);
});

describe.runIf(wycheproofFolder !== undefined)(
  `all Wycheproof C2SP vectors (not run where ${absent})`,
  () => {
    const vectors = wycheproofVectors();
    test("are 35 of each algorithm", () => expect(vectors.length).toBe(70));
    test.each(vectors)("$name", checkVector);
  },
);

/** Cuts around header, chunk and tag, and one that falls on nothing. */
const CUTS = [1, 55, 57, 4099, 16_383, 16_384, 16_399, 16_400, 16_401, 1 << 20];

/** Cutting megabytes into single bytes shows nothing more. */
function cutsFor(bytes: Uint8Array): number[] {
  return CUTS.filter((size) => bytes.length / size <= 2000);
}

async function checkVector(vector: ChunkedVector): Promise<void> {
  if (vector.valid) await checkValid(vector);
  else if (vector.flags.includes("InvalidKeySize")) await checkKeySize(vector);
  else await checkInvalid(vector);
}

async function checkValid(vector: ChunkedVector): Promise<void> {
  const { key, context, sealed } = vector;
  const message = await open(key, sealed, { context });
  expect(message.length).toBe(vector.length);
  expect(sha512(message)).toBe(vector.sha512);
  for (const size of cutsFor(sealed)) {
    const byCore = await throughOpener(vector, size);
    expect(byCore.error, `opener, pieces of ${size}`).toBeUndefined();
    expect(same(byCore.message, message), `opener, pieces of ${size}`).toBe(true);
    const byStream = await throughStream(vector, size);
    expect(byStream.error, `stream, pieces of ${size}`).toBeUndefined();
    expect(same(byStream.message, message), `stream, pieces of ${size}`).toBe(true);
  }
  const reader = await ChunkedReader.open(sourceOf(sealed), key, { context });
  expect(reader.size).toBe(vector.length);
  expect(same(await reader.read(0, reader.size), message)).toBe(true);
  const third = Math.floor(reader.size / 3);
  expect(same(await reader.read(third, 2 * third), message.subarray(third, 2 * third))).toBe(true);
}

/** Nothing unverified comes out, the error does, and it stays. */
async function checkInvalid(vector: ChunkedVector): Promise<void> {
  const { key, context, sealed, flags } = vector;
  await expect(open(key, sealed, { context })).rejects.toThrow(AuthenticationError);
  for (const size of cutsFor(sealed)) {
    for (const result of [await throughOpener(vector, size), await throughStream(vector, size)]) {
      expect(result.error, `pieces of ${size}`).toBeInstanceOf(AuthenticationError);
      expect(result.message.length).toBeLessThanOrEqual(vector.length);
      if (result.message.length === vector.length && vector.length > 0) {
        expect(sha512(result.message)).toBe(vector.sha512);
      }
    }
  }
  const opening = ChunkedReader.open(sourceOf(sealed), key, { context });
  if (!flags.includes("ValidFinalChunk")) {
    await expect(opening).rejects.toThrow(AuthenticationError);
    return;
  }
  const reader = await opening;
  for (let i = 0; i < 2; i++) {
    await expect(reader.read(0, reader.size)).rejects.toThrow(AuthenticationError);
  }
}

async function checkKeySize({ key, context, sealed }: ChunkedVector): Promise<void> {
  await expect(open(key, sealed, { context })).rejects.toThrow(/^key has \d+ bytes; allowed are 16 and 32$/);
  await expect(ChunkedReader.open(sourceOf(sealed), key, { context })).rejects.toThrow(RangeError);
  await expect(ChunkOpener.create(key, sealed.subarray(0, 56), { context })).rejects.toThrow(RangeError);
  expect(() => openStream(key, { context })).toThrow(RangeError);
}

interface Result {
  readonly message: Uint8Array;
  readonly error: unknown;
}

async function throughOpener({ key, context, sealed }: ChunkedVector, size: number): Promise<Result> {
  const released: Uint8Array[] = [];
  let opener: ChunkOpener | undefined;
  try {
    opener = await ChunkOpener.create(key, sealed.subarray(0, 56), { context });
    for (const piece of pieces(sealed.subarray(56), size)) released.push(opener.update(piece));
    released.push(opener.finish());
    return { message: joined(released), error: undefined };
  } catch (error) {
    const failed = opener;
    if (failed !== undefined) {
      expect(() => failed.update(new Uint8Array(1))).toThrow(AuthenticationError);
      expect(() => failed.finish()).toThrow(AuthenticationError);
    }
    return { message: joined(released), error };
  }
}

async function throughStream({ key, context, sealed }: ChunkedVector, size: number): Promise<Result> {
  const released: Uint8Array[] = [];
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces(sealed, size)) controller.enqueue(piece);
      controller.close();
    },
  });
  try {
    for await (const piece of source.pipeThrough(openStream(key, { context }))) released.push(piece);
    return { message: joined(released), error: undefined };
  } catch (error) {
    return { message: joined(released), error };
  }
}

function sourceOf(sealed: Uint8Array) {
  return {
    size: sealed.length,
    read: async (offset: number, length: number) => sealed.slice(offset, offset + length),
  };
}

function sha512(bytes: Uint8Array): string {
  return createHash("sha512").update(bytes).digest("hex");
}
