import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { load32, store32 } from "../../src/gcm/bytes.js";
import { equalTags } from "../../src/gcm/compare.js";
import { addBlocks, deriveJ0, inc32, writeLengths } from "../../src/gcm/counter.js";
import * as model from "../model/gcm.js";
import { hex, random } from "../support/bytes.js";

describe("bytes", () => {
  it("loads and stores big-endian words at any offset", () => {
    const bytes = hex("0011fedcba9822");
    expect(load32(bytes, 2)).toBe(0xfedcba98 | 0);
    store32(bytes, 1, 0x89abcdef | 0);
    expect(bytes).toEqual(hex("0089abcdef9822"));
  });
});

describe("counters", () => {
  it("inc32 wraps and leaves the first 96 bits", () => {
    const block = hex("ffffffffffffffffffffffffffffffff");
    inc32(block);
    expect(block).toEqual(hex("ffffffffffffffffffffffff00000000"));
    inc32(block);
    expect(block).toEqual(hex("ffffffffffffffffffffffff00000001"));
  });

  it("adds blocks modulo 2^32, beyond 32 bits too", () => {
    const start = hex("000102030405060708090a0bfffffffe");
    const counts = [0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 2 ** 32, 2 ** 32 + 5, 2 ** 53 - 1];
    for (const count of counts) {
      const block = start.slice();
      addBlocks(block, count);
      const expected = (0xfffffffen + BigInt(count)) & 0xffffffffn;
      expect(model.toInteger(block.subarray(12))).toBe(expected);
      expect(block.subarray(0, 12)).toEqual(start.subarray(0, 12));
    }
  });

  it("writes lengths as 64-bit counts of bits", () => {
    const length = fc.oneof(
      fc.maxSafeNat(),
      fc.constantFrom(0, 1, 2 ** 28, 2 ** 29 - 1, 2 ** 29, 2 ** 29 + 1, 2 ** 31, 2 ** 32 + 1, 2 ** 36 - 32),
    );
    fc.assert(
      fc.property(length, length, (a, c) => {
        const block = new Uint8Array(16).fill(0xaa);
        writeLengths(block, a, c);
        expect(model.toInteger(block)).toBe(((8n * BigInt(a)) << 64n) | (8n * BigInt(c)));
      }),
    );
  });

  it("derives J0 from IVs of every length to 129, and calls GHASH for 96 bits never", () => {
    const key = random(16);
    const h = model.hashSubkey(key);
    const ghash = vi.fn((data: Uint8Array, y: Uint8Array) => y.set(model.ghash(h, data, y)));
    for (let length = 1; length <= 129; length++) {
      const iv = random(length);
      const j0 = random(16);
      ghash.mockClear();
      deriveJ0(ghash, iv, j0);
      expect(j0).toEqual(model.preCounterBlock(key, iv));
      if (length === 12) expect(ghash).not.toHaveBeenCalled();
    }
  });
});

describe("tags", () => {
  it("are equal only if all bits of the length asked for are", () => {
    const tag = random(16);
    expect(equalTags(tag, tag.slice(), 16)).toBe(true);
    for (let bit = 0; bit < 128; bit++) {
      const other = tag.slice();
      other[bit >> 3] ^= 1 << (bit & 7);
      expect(equalTags(tag, other, 16)).toBe(false);
      expect(equalTags(tag, other, bit >> 3)).toBe(true);
    }
  });

  it("are compared at an offset", () => {
    const received = hex("ff0102");
    expect(equalTags(hex("0102"), received, 2, 1)).toBe(true);
    expect(equalTags(hex("0102"), received, 2, 0)).toBe(false);
  });
});
