import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuthenticationError, StateError, XAesGcm } from "../src/index.js";
import { flipped, hex, pattern, same, toHex } from "./support/bytes.js";
import { modelXaesSeal } from "./support/xaes-model.js";

const TEXT = new TextEncoder();
const NONCE = TEXT.encode("ABCDEFGHIJKLMNOPQRSTUVWX");
const PLAINTEXT = TEXT.encode("XAES-256-GCM");
const KEY = pattern(32, 11);

describe("vectors of c2sp.org/XAES-256-GCM", () => {
  test.each([
    // The top bit of L is 0 under the first key, 1 under the second.
    { byte: 1, aad: "", sealed: "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271" },
    {
      byte: 3,
      aad: "c2sp.org/XAES-256-GCM",
      sealed: "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d",
    },
  ])("key of bytes $byte", ({ byte, aad, sealed }) => {
    const xaes = new XAesGcm(new Uint8Array(32).fill(byte));
    const options = { aad: TEXT.encode(aad) };
    expect(toHex(xaes.encrypt(NONCE, PLAINTEXT, options))).toBe(sealed);
    expect(same(xaes.decrypt(NONCE, hex(sealed), options), PLAINTEXT)).toBe(true);
  });

  test("10,000 accumulated random messages", () => {
    // key, nonce, and plaintext and AAD behind a byte of length each, from SHAKE-128 of nothing; 568 bytes at most.
    const random = createHash("shake128", { outputLength: 10_000 * 568 }).digest();
    expect(toHex(random.subarray(0, 16))).toBe("7f9c2ba4e88f827d616045507605853e");
    const sum = createHash("shake128", { outputLength: 32 });
    let at = 0;
    const take = (length: number) => {
      at += length;
      return random.subarray(at - length, at);
    };
    for (let i = 0; i < 10_000; i++) {
      const xaes = new XAesGcm(take(32));
      const nonce = take(24);
      const plaintext = take(take(1)[0]);
      const aad = take(take(1)[0]);
      const sealed = xaes.encrypt(nonce, plaintext, { aad });
      sum.update(sealed);
      if (i % 50 === 0) expect(same(xaes.decrypt(nonce, sealed, { aad }), plaintext)).toBe(true);
    }
    expect(sum.digest("hex")).toBe("e6b9edf2df6cec60c8cbd864e2211b597fb69a529160cd040d56c0c210081939");
  });
});

describe("against the model", () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

  test("any key, nonce, text and AAD", () => {
    fc.assert(
      fc.property(
        bytes(32),
        bytes(24),
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ maxLength: 60 }),
        (key, nonce, plaintext, aad) => {
          const xaes = new XAesGcm(key);
          const sealed = xaes.encrypt(nonce, plaintext, { aad });
          expect(toHex(sealed)).toBe(modelXaesSeal(key, nonce, plaintext, aad).toString("hex"));
          expect(same(xaes.decrypt(nonce, sealed, { aad }), plaintext)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("seal: nonce in front, another each time, opened again", () => {
    const xaes = new XAesGcm(KEY);
    const aad = pattern(20);
    const seen = new Set<string>();
    for (const length of [0, 1, 16, 100, 5000, 5000]) {
      const sealed = xaes.seal(pattern(length), { aad });
      expect(sealed.length).toBe(24 + length + 16);
      const model = modelXaesSeal(KEY, sealed.subarray(0, 24), pattern(length), aad);
      expect(same(sealed.subarray(24), model)).toBe(true);
      expect(same(xaes.open(sealed, { aad }), pattern(length))).toBe(true);
      seen.add(toHex(sealed.subarray(0, 24)));
    }
    expect(seen.size).toBe(6);
  });

  test("Into, in place and at odd offsets", () => {
    const xaes = new XAesGcm(KEY);
    const expected = modelXaesSeal(KEY, NONCE, pattern(500), new Uint8Array(0));
    for (const [from, to] of [
      [0, 0],
      [7, 7],
      [3, 20],
      [20, 3],
      [1, 600],
    ]) {
      const memory = new Uint8Array(1200);
      memory.set(pattern(500), from);
      const out = memory.subarray(to, to + 516);
      expect(xaes.encryptInto(NONCE, memory.subarray(from, from + 500), out)).toBe(516);
      expect(same(out, expected), `${from} to ${to}`).toBe(true);
      expect(xaes.decryptInto(NONCE, out, out)).toBe(500);
      expect(same(out.subarray(0, 500), pattern(500)), `${from} to ${to}`).toBe(true);
    }
  });
});

describe("refusals", () => {
  test("every altered bit of nonce, ciphertext, tag and AAD", () => {
    const xaes = new XAesGcm(KEY);
    const aad = pattern(5);
    const sealed = xaes.seal(pattern(9), { aad });
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      expect(() => xaes.open(flipped(sealed, bit >> 3, bit & 7), { aad })).toThrow(AuthenticationError);
    }
    expect(() => xaes.open(sealed, { aad: flipped(aad, 0) })).toThrow(AuthenticationError);
    expect(() => xaes.open(sealed)).toThrow(AuthenticationError);
    for (let length = 0; length < sealed.length; length++) {
      expect(() => xaes.open(sealed.subarray(0, length), { aad })).toThrow(AuthenticationError);
    }
    for (let length = 0; length < 16; length++) {
      expect(() => xaes.decrypt(NONCE, new Uint8Array(length))).toThrow(AuthenticationError);
    }
  });

  test("a failed decryption leaves zeros, in place too", () => {
    const xaes = new XAesGcm(KEY);
    const sealed = xaes.encrypt(NONCE, pattern(100));
    const bad = flipped(sealed, 115);
    const out = new Uint8Array(120).fill(0xee);
    expect(() => xaes.decryptInto(NONCE, bad, out)).toThrow(AuthenticationError);
    expect(out.subarray(0, 100).every((byte) => byte === 0)).toBe(true);
    expect(() => xaes.decryptInto(NONCE, bad, bad)).toThrow(AuthenticationError);
    expect(bad.subarray(0, 100).every((byte) => byte === 0)).toBe(true);
  });

  test("keys of 16 and 24 bytes, nonces of other lengths, what is not bytes", () => {
    for (const length of [0, 16, 24, 31, 33]) {
      expect(() => new XAesGcm(new Uint8Array(length))).toThrow("allowed are 32");
    }
    const xaes = new XAesGcm(KEY);
    for (const length of [0, 12, 23, 25]) {
      expect(() => xaes.encrypt(new Uint8Array(length), PLAINTEXT)).toThrow("24 are needed");
      expect(() => xaes.decrypt(new Uint8Array(length), new Uint8Array(16))).toThrow("24 are needed");
    }
    expect(() => xaes.encrypt("x" as unknown as Uint8Array, PLAINTEXT)).toThrow(TypeError);
    expect(() => xaes.seal("x" as unknown as Uint8Array)).toThrow(TypeError);
    expect(() => xaes.encryptInto(NONCE, PLAINTEXT, new Uint8Array(27))).toThrow(RangeError);
  });

  test("everything after destroy, and kernels that do not exist are no matter", () => {
    const xaes = new XAesGcm(KEY, { engine: "openssl", disable: new Set(["no_such_kernel"]).values() });
    const sealed = xaes.seal(PLAINTEXT);
    expect(same(xaes.open(sealed), PLAINTEXT)).toBe(true);
    xaes.destroy();
    for (const call of [
      () => xaes.encrypt(NONCE, PLAINTEXT),
      () => xaes.decrypt(NONCE, new Uint8Array(16)),
      () => xaes.seal(PLAINTEXT),
      () => xaes.open(sealed),
    ]) {
      expect(call).toThrow(StateError);
    }
    xaes.destroy();
  });

  test("a message sealed from within another does not take its nonce away", () => {
    const xaes = new XAesGcm(KEY);
    const outer = xaes.seal(PLAINTEXT, {
      get aad() {
        xaes.seal(PLAINTEXT);
        return undefined;
      },
    });
    expect(same(xaes.open(outer), PLAINTEXT)).toBe(true);
  });
});
