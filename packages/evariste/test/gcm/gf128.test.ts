import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBytes, inverse, ivForJ0, mul, pow, sqrt, square, toBytes } from "../../src/gcm/gf128.js";
import * as model from "../model/gcm.js";
import { random } from "../support/bytes.js";

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const sparse = fc.integer({ min: 0, max: 127 }).map((bit) => model.toBlock(1n << BigInt(bit)));
const element = fc.oneof(bytes, sparse).map((block) => fromBytes(block));
const nonZero = element.filter((words) => words.some((word) => word !== 0));
const one = fromBytes(model.toBlock(1n << 127n));

function integer(words: Int32Array): bigint {
  const block = new Uint8Array(16);
  toBytes(words, block);
  return model.toInteger(block);
}

const add = (a: Int32Array, b: Int32Array) => a.map((word, i) => word ^ b[i]);

describe("gf128", () => {
  it("multiplies as SP 800-38D Algorithm 1 does", () => {
    fc.assert(
      fc.property(element, element, (a, b) => {
        expect(integer(mul(a, b))).toBe(model.multiply(integer(a), integer(b)));
      }),
      { numRuns: 300 },
    );
  });

  it("multiplies all powers of x by all powers of x, and all ones by all ones", () => {
    const powers = Array.from({ length: 128 }, (_, bit) => fromBytes(model.toBlock(1n << BigInt(bit))));
    for (const a of powers.filter((_, i) => i % 5 === 0)) {
      const wrong = powers.filter((b) => integer(mul(a, b)) !== model.multiply(integer(a), integer(b)));
      expect(wrong).toEqual([]);
    }
    const ones = new Int32Array(4).fill(-1);
    expect(integer(mul(ones, ones))).toBe(model.multiply(integer(ones), integer(ones)));
  });

  it("is a commutative ring without changing its arguments", () => {
    fc.assert(
      fc.property(element, element, element, (a, b, c) => {
        const before = [a.slice(), b.slice()];
        expect(mul(a, b)).toEqual(mul(b, a));
        expect([a, b]).toEqual(before);
        expect(mul(mul(a, b), c)).toEqual(mul(a, mul(b, c)));
        expect(mul(a, add(b, c))).toEqual(add(mul(a, b), mul(a, c)));
        expect(mul(a, one)).toEqual(a);
      }),
    );
  });

  it("squares, and takes the root back", () => {
    fc.assert(
      fc.property(element, (a) => {
        expect(square(a)).toEqual(mul(a, a));
        expect(sqrt(square(a))).toEqual(a);
        expect(square(sqrt(a))).toEqual(a);
      }),
    );
  });

  it("inverts", () => {
    fc.assert(
      fc.property(nonZero, (a) => {
        expect(mul(a, inverse(a))).toEqual(one);
      }),
    );
    expect(inverse(new Int32Array(4))).toEqual(new Int32Array(4));
  });

  it("raises to powers", () => {
    fc.assert(
      fc.property(element, fc.nat(100), (a, n) => {
        let expected = one;
        for (let i = 0; i < n; i++) expected = mul(expected, a);
        expect(pow(a, n)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
    const a = fromBytes(random(16));
    expect(pow(a, 2 ** 40 + 3)).toEqual(mul(pow(a, 2 ** 40), pow(a, 3)));
    expect(pow(a, 2 ** 53 - 1)).toEqual(mul(pow(a, 2 ** 52), pow(a, 2 ** 52 - 1)));
  });

  it("finds the IV for a given J0", () => {
    fc.assert(
      fc.property(bytes, bytes, (key, j0) => {
        const iv = ivForJ0(j0, inverse(fromBytes(model.hashSubkey(key))));
        expect(model.preCounterBlock(key, iv)).toEqual(j0);
      }),
      { numRuns: 30 },
    );
  });
});
