import { afterEach, describe, expect, test, vi } from "vitest";
import { fillRandom } from "../src/random.js";
import { toHex } from "./support/bytes.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Draws until the pool has to be fetched anew, and gives the pool itself. */
function freshPool(): Uint8Array {
  let pool: Uint8Array | undefined;
  vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation((array) => {
    pool = array as unknown as Uint8Array;
    pool.fill(0xab);
    return array;
  });
  for (let i = 0; pool === undefined && i < 10; i++) fillRandom(new Uint8Array(3072));
  return pool!;
}

describe("fillRandom", () => {
  test("gives other bytes each time, none twice", () => {
    const seen = new Set<string>();
    const bytes = new Uint8Array(12);
    for (let i = 0; i < 3000; i++) {
      fillRandom(bytes);
      seen.add(toHex(bytes));
    }
    expect(seen.size).toBe(3000);
  });

  test("clears in the pool what it gave", () => {
    const pool = freshPool();
    expect(pool.every((byte) => byte === 0)).toBe(true);
    const bytes = new Uint8Array(20);
    fillRandom(bytes);
    expect(bytes.every((byte) => byte === 0xab)).toBe(true);
    expect(pool.subarray(0, 20).every((byte) => byte === 0)).toBe(true);
    expect(pool.subarray(20).every((byte) => byte === 0xab)).toBe(true);
  });

  test("throws away what is older than a second, by either direction of the clock", () => {
    for (const step of [1500, -1500]) {
      const pool = freshPool();
      fillRandom(new Uint8Array(12));
      const calls = vi.mocked(globalThis.crypto.getRandomValues).mock.calls.length;
      const now = Date.now();
      vi.spyOn(Date, "now").mockReturnValue(now + step);
      fillRandom(new Uint8Array(12));
      expect(vi.mocked(globalThis.crypto.getRandomValues).mock.calls.length).toBe(calls + 1);
      expect(pool.subarray(0, 12).every((byte) => byte === 0)).toBe(true);
      fillRandom(new Uint8Array(12));
      expect(vi.mocked(globalThis.crypto.getRandomValues).mock.calls.length).toBe(calls + 1);
      vi.restoreAllMocks();
    }
  });

  test("gives nothing when the platform fails, and goes on when it works again", () => {
    freshPool();
    vi.restoreAllMocks();
    vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation(() => {
      throw new Error("no entropy");
    });
    const bytes = new Uint8Array(3072);
    for (let i = 0; i < 2; i++) expect(() => fillRandom(bytes)).toThrow("no entropy");
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    vi.restoreAllMocks();
    fillRandom(bytes);
    expect(bytes.some((byte) => byte !== 0)).toBe(true);
  });

  test("refuses more than its pool holds, rather than filling a part", () => {
    expect(() => fillRandom(new Uint8Array(3073))).toThrow(RangeError);
  });

  test("says what is missing where there is no generator", () => {
    freshPool();
    vi.stubGlobal("crypto", undefined);
    expect(() => fillRandom(new Uint8Array(3072))).toThrow("no crypto.getRandomValues");
  });
});
