import * as crypto from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AesGcm, AuthenticationError } from "../../src/index.js";
import { expectBytes, nodeSeal, random } from "../support/bytes.js";

/** Where the engine begins to cut messages into pieces. */
const PIECE = 64 * 1024;

const none = new Uint8Array(0);
const key = random(32);
const iv = random(12);
const gcm = new AesGcm(key, { engine: "openssl" });

afterEach(() => vi.restoreAllMocks());

describe("sizes around a piece", () => {
  for (const size of [0, 1, 64, 65, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 17]) {
    it(`${size} bytes`, () => {
      const plaintext = random(size);
      const sealed = nodeSeal(key, iv, none, plaintext);
      expectBytes(gcm.encrypt(iv, plaintext), sealed);
      expectBytes(gcm.decrypt(iv, sealed), plaintext);
      const out = new Uint8Array(size + 16);
      gcm.encryptInto(iv, plaintext, out);
      expectBytes(out, sealed);
      // In place.
      gcm.decryptInto(iv, out, out);
      expectBytes(out.subarray(0, size), plaintext);
    });
  }
});

describe("decrypt without a copy", () => {
  it("gives plain arrays in memory of their own", () => {
    const sealed = gcm.encrypt(iv, random(100));
    const first = gcm.decrypt(iv, sealed);
    const second = gcm.decrypt(iv, sealed);
    expect(Object.getPrototypeOf(first)).toBe(Uint8Array.prototype);
    expect(first.buffer.byteLength).toBe(100);
    expect(first.buffer).not.toBe(second.buffer);
  });

  it("clears node:crypto's plaintext when the tag is wrong", () => {
    const sealed = gcm.encrypt(iv, random(1000));
    sealed[1000] ^= 1;
    const update = vi.spyOn(crypto.Decipheriv.prototype, "update");
    expect(() => gcm.decrypt(iv, sealed)).toThrow(AuthenticationError);
    expect(update).toHaveBeenCalledTimes(1);
    const released = update.mock.results[0].value as unknown as Uint8Array;
    expect(released.length).toBe(1000);
    expect(released.every((byte) => byte === 0)).toBe(true);
  });

  it("authenticates the AAD", () => {
    const aad = random(33);
    const plaintext = random(77);
    const sealed = nodeSeal(key, iv, aad, plaintext);
    expectBytes(gcm.decrypt(iv, sealed, { aad }), plaintext);
    expect(() => gcm.decrypt(iv, sealed)).toThrow(AuthenticationError);
  });

  it("refuses what is shorter than a tag, and memory that another thread can change", () => {
    expect(() => gcm.decrypt(iv, random(15))).toThrow(/shorter than a tag/);
    const large = new Uint8Array(new SharedArrayBuffer(2000));
    expect(() => gcm.decrypt(iv, large)).toThrow(TypeError);
    expect(() => gcm.encrypt(iv, large)).toThrow(TypeError);
    const small = new Uint8Array(new SharedArrayBuffer(40));
    const plaintext = random(24);
    small.set(nodeSeal(key, iv, none, plaintext));
    expectBytes(gcm.decrypt(iv, small), plaintext);
    expect(small.some((byte) => byte !== 0)).toBe(true);
  });

  it("does not change its input", () => {
    const plaintext = random(50);
    const kept = Uint8Array.from(plaintext);
    const sealed = gcm.encrypt(iv, plaintext);
    const sealedKept = Uint8Array.from(sealed);
    gcm.decrypt(iv, sealed);
    expectBytes(plaintext, kept);
    expectBytes(sealed, sealedKept);
  });
});
