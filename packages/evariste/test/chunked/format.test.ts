import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CHUNK_LENGTH,
  HEADER_LENGTH,
  plaintextLength,
  SEALED_CHUNK_LENGTH,
  sealedLength,
} from "../../src/chunked/index.js";
import { AuthenticationError } from "../../src/index.js";

const LONGEST = 2 ** 52 - 1;

describe("lengths", () => {
  test.each([
    [0, 72],
    [1, 73],
    [16_383, 16_455],
    [16_384, 16_472],
    [16_385, 16_473],
    [32_768, 32_872],
    [LONGEST, 56 + (2 ** 38 - 1) * 16_400 + 16_399],
  ])("a message of %i bytes has a file of %i", (message, file) => {
    expect(sealedLength(message)).toBe(file);
    expect(plaintextLength(file)).toBe(message);
  });

  test("every message has one file length, every file length one message or none", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LONGEST }), (length) => {
        expect(plaintextLength(sealedLength(length))).toBe(length);
      }),
    );
    const lengths: number[] = [];
    for (let length = 0; length < HEADER_LENGTH + 3 * SEALED_CHUNK_LENGTH; length++) {
      const found = lengthOrNone(length);
      const last = (length - HEADER_LENGTH) % SEALED_CHUNK_LENGTH;
      if (found !== undefined) lengths.push(found);
      if ((found === undefined) !== (length < HEADER_LENGTH || last < 16)) expect.fail(`${length}: ${found}`);
    }
    expect(lengths).toEqual(Array.from({ length: 3 * CHUNK_LENGTH }, (_, i) => i));
  });

  test("what is no length is refused", () => {
    for (const length of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => sealedLength(length)).toThrow(RangeError);
      expect(() => plaintextLength(length)).toThrow(RangeError);
    }
    expect(() => sealedLength(LONGEST + 1)).toThrow(RangeError);
    expect(() => plaintextLength(sealedLength(LONGEST) + 17)).toThrow(AuthenticationError);
  });
});

function lengthOrNone(length: number): number | undefined {
  try {
    return plaintextLength(length);
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined;
    throw error;
  }
}
