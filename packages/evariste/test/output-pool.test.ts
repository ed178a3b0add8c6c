import { describe, expect, it } from "vitest";
import { AesGcm } from "../src/index.js";
import { OutputPool } from "../src/output-pool.js";

describe("OutputPool", () => {
  it("gives views of the length asked for that never overlap", () => {
    const pool = new OutputPool();
    const lengths = Array.from({ length: 3000 }, (_, i) => (i * 131) % 5000);
    const views = lengths.map((length) => pool.take(length));
    views.forEach((view, i) => {
      view.fill(i % 251);
    });
    views.forEach((view, i) => {
      expect(view.length).toBe(lengths[i]);
      expect(view.every((byte) => byte === i % 251)).toBe(true);
    });
  });

  it.each([0, 1, 64, 65, 1024, 4096, 65_536, 65_537, 3_000_000])("gives %i bytes", (length) => {
    const pool = new OutputPool();
    for (let i = 0; i < 6; i++) expect(pool.take(length).length).toBe(length);
  });

  it("starts small, so that a key used once holds little", () => {
    expect(new OutputPool().take(65).buffer.byteLength).toBeLessThanOrEqual(4096);
  });

  it("holds no more than 256 KiB in one slab", () => {
    const pool = new OutputPool();
    const sizes = Array.from({ length: 500 }, () => pool.take(4000).buffer.byteLength);
    expect(Math.max(...sizes)).toBe(256 * 1024);
  });

  it("aligns views to cache lines", () => {
    const pool = new OutputPool();
    for (let i = 0; i < 50; i++) expect(pool.take(65 + i).byteOffset % 64).toBe(0);
  });

  it("goes on after somebody tried to transfer a slab away", () => {
    const gcm = new AesGcm(new Uint8Array(16));
    const iv = new Uint8Array(12);
    const first = gcm.encrypt(iv, new Uint8Array(100));
    const copy = Uint8Array.from(first);
    try {
      structuredClone(first.buffer, { transfer: [first.buffer] });
    } catch {
      // Newer runtimes refuse to transfer memory marked so.
    }
    expect(gcm.encrypt(iv, new Uint8Array(100))).toEqual(copy);
  });
});

describe("slabs", () => {
  it("are not shared between keys, nor between the directions of one key", () => {
    const [a, b] = [new AesGcm(new Uint8Array(16)), new AesGcm(new Uint8Array(16))];
    const iv = new Uint8Array(12);
    const sealed = a.encrypt(iv, new Uint8Array(100));
    const other = b.encrypt(iv, new Uint8Array(100));
    expect(new Set([sealed.buffer, other.buffer, a.decrypt(iv, sealed).buffer]).size).toBe(3);
  });

  it("hold zeros where a forged message would have been", () => {
    const gcm = new AesGcm(new Uint8Array(16));
    const iv = new Uint8Array(12);
    const sealed = gcm.encrypt(iv, new Uint8Array(100).fill(0x61));
    const plain = gcm.decrypt(iv, sealed);
    const before = plain.byteOffset + plain.length;
    const forged = Uint8Array.from(sealed);
    forged[50] ^= 1;
    expect(() => gcm.decrypt(iv, forged)).toThrow();
    expect(new Uint8Array(plain.buffer).subarray(before).every((byte) => byte === 0)).toBe(true);
  });
});
