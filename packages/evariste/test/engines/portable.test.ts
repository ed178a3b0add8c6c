import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { EngineKey } from "../../src/engines/engine.js";
import { keystream } from "../../src/engines/portable/aes.js";
import { load } from "../../src/engines/portable/index.js";
import { scratch as keyScratch } from "../../src/engines/portable/key.js";
import { state } from "../../src/engines/portable/sbox.js";
import { scratch as fieldScratch, fromBytes, inverse, ivForJ0 } from "../../src/gcm/gf128.js";
import * as model from "../model/gcm.js";
import { expectBytes, hex, nodeSeal, random, unaligned } from "../support/bytes.js";

interface Case {
  name: string;
  key: string;
  iv: string;
  aad: string;
  plaintext: string;
  ciphertext: string;
  tag: string;
}

const url = new URL("../data/gcm-spec.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(url, "utf8")) as { cases: Case[] };
const engine = load();
const none = new Uint8Array(0);

const createKey = (rawKey: Uint8Array) => engine.createKey(rawKey, new Set());

function seal(key: EngineKey, iv: Uint8Array, aad: Uint8Array, text: Uint8Array, tagLength = 16): Uint8Array {
  const out = new Uint8Array(text.length + tagLength);
  key.seal(iv, aad, text, out, tagLength);
  return out;
}

function expectBothWays(
  rawKey: Uint8Array,
  iv: Uint8Array,
  aad: Uint8Array,
  text: Uint8Array,
  sealed: Uint8Array,
) {
  const key = createKey(rawKey);
  const tagLength = sealed.length - text.length;
  expectBytes(seal(key, iv, aad, text, tagLength), sealed);
  const opened = random(text.length);
  expect(key.open(iv, aad, sealed, opened, tagLength)).toBe(true);
  expectBytes(opened, text);
}

describe("the portable engine", () => {
  it.each(cases)(
    "passes the original specification's $name",
    ({ key, iv, aad, plaintext, ciphertext, tag }) => {
      expectBothWays(hex(key), hex(iv), hex(aad), hex(plaintext), hex(ciphertext + tag));
    },
  );

  it.each([16, 24, 32])("agrees with node:crypto at every length to 1024: keys of %i bytes", (keyLength) => {
    const rawKey = random(keyLength);
    const key = createKey(rawKey);
    const [iv, source] = [random(12), random(1024)];
    for (let length = 0; length <= 1024; length++) {
      const text = source.subarray(0, length);
      const aad = source.subarray(0, length % 50);
      const sealed = seal(key, iv, aad, text);
      expectBytes(sealed, nodeSeal(rawKey, iv, aad, text));
      const opened = new Uint8Array(length);
      expect(key.open(iv, aad, sealed, opened, 16)).toBe(true);
      expectBytes(opened, text);
    }
  });

  it("agrees with node:crypto on random messages, with every tag length", () => {
    for (let i = 0; i < 300; i++) {
      const rawKey = random(16 + 8 * (i % 3));
      const length = Math.floor(Math.random() * 5000);
      const [iv, aad, text] = [1 + Math.floor(Math.random() * 128), i, length].map(random);
      const tagLength = [4, 8, 12, 13, 14, 15, 16][i % 7];
      expectBothWays(rawKey, iv, aad, text, nodeSeal(rawKey, iv, aad, text, tagLength));
    }
  });

  it("agrees with the model on small messages", () => {
    for (let length = 0; length < 40; length++) {
      const [rawKey, iv, aad, text] = [16 + 8 * (length % 3), 1 + length, 3 * length, length].map(random);
      expectBothWays(rawKey, iv, aad, text, model.seal(rawKey, iv, aad, text));
    }
  });

  it("takes IVs of 1 to 129 bytes", () => {
    const rawKey = random(16);
    const [aad, text] = [random(20), random(70)];
    for (let length = 1; length <= 129; length++) {
      const iv = random(length);
      const reference = length <= 128 ? nodeSeal : model.seal;
      expectBothWays(rawKey, iv, aad, text, reference(rawKey, iv, aad, text));
    }
  });

  it.each([16, 24, 32])("wraps the counter at 32 bits: keys of %i bytes", (keyLength) => {
    const rawKey = random(keyLength);
    const hInverse = inverse(fromBytes(model.hashSubkey(rawKey)));
    for (const low of [0xffffffff, 0xfffffffe, 0xfffffff9, 0xfffffff8, 0xfffffff0, 0x7fffffff]) {
      const j0 = random(16);
      j0.set(model.toBlock(BigInt(low), 4), 12);
      const iv = ivForJ0(j0, hInverse);
      expect(model.preCounterBlock(rawKey, iv)).toEqual(j0);
      for (const blocks of [0, 1, 2, 7, 8, 9, 16, 32]) {
        const text = random(16 * blocks);
        expectBothWays(rawKey, iv, none, text, nodeSeal(rawKey, iv, none, text));
      }
    }
  });

  it("works in place, both ways", () => {
    const rawKey = random(32);
    const key = createKey(rawKey);
    for (const length of [0, 1, 16, 17, 111, 112, 113, 128, 1000]) {
      const [iv, aad, text] = [12, 7, length].map(random);
      const buffer = new Uint8Array(length + 16);
      buffer.set(text);
      key.seal(iv, aad, buffer.subarray(0, length), buffer, 16);
      expectBytes(buffer, nodeSeal(rawKey, iv, aad, text));
      expect(key.open(iv, aad, buffer, buffer, 16)).toBe(true);
      expectBytes(buffer.subarray(0, length), text);
    }
  });

  it("takes arrays at any byte offset, and Buffers, and leaves inputs and the rest of out alone", () => {
    const [rawKey, iv, aad, text] = [16, 13, 21, 333].map(random);
    const sealed = nodeSeal(rawKey, iv, aad, text);
    for (let offset = 0; offset < 16; offset++) {
      const inputs = [rawKey, iv, aad, text, sealed].map((bytes, i) =>
        unaligned(bytes, (offset + 5 * i) % 16),
      );
      const [k, i, a, p, c] = inputs;
      const memory = new Uint8Array(400).fill(0x5a);
      const out = memory.subarray(offset, offset + 360);
      const key = createKey(k);
      key.seal(i, a, p, out, 16);
      expectBytes(out.subarray(0, 349), sealed);
      expect(key.open(i, a, Buffer.from(c), out, 16)).toBe(true);
      expectBytes(out.subarray(0, 333), text);
      expect(memory.subarray(0, offset).every((byte) => byte === 0x5a)).toBe(true);
      expect(memory.subarray(offset + 349).every((byte) => byte === 0x5a)).toBe(true);
      expect(inputs).toEqual([rawKey, iv, aad, text, sealed]);
    }
  });

  it("refuses every altered bit and zeroes the output, in place too", () => {
    const [rawKey, iv, aad, text] = [16, 12, 5, 20].map(random);
    const key = createKey(rawKey);
    const sealed = seal(key, iv, aad, text, 13);
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const altered = sealed.slice();
      altered[bit >> 3] ^= 1 << (bit & 7);
      const out = random(text.length);
      expect(key.open(iv, aad, altered, out, 13)).toBe(false);
      expect(out.every((byte) => byte === 0)).toBe(true);
      expect(key.open(iv, aad, altered, altered, 13)).toBe(false);
      expect(altered.subarray(0, 20).every((byte) => byte === 0)).toBe(true);
    }
    expect(key.open(iv, random(5), sealed, new Uint8Array(20), 13)).toBe(false);
    expect(key.open(random(12), aad, sealed, new Uint8Array(20), 13)).toBe(false);
  });

  it("continues GHASH and runs GCTR alone as the model does", () => {
    const rawKey = random(24);
    const key = createKey(rawKey);
    const h = model.hashSubkey(rawKey);
    for (const length of [0, 1, 15, 16, 17, 64, 127, 128, 129, 300]) {
      const [y, data, icb] = [16, length, 16].map(random);
      const expected = model.ghash(h, data, y);
      key.ghash(data, y);
      expect(y).toEqual(expected);
      icb.fill(0xff, 12);
      const out = new Uint8Array(length);
      key.gctr(icb, data, out);
      expect(out).toEqual(model.gctr(rawKey, icb, data));
      key.gctr(icb, data, data);
      expect(data).toEqual(out);
    }
  });

  it("reports its kernels, counts their calls and lets none be switched off", () => {
    const names = ["gctr_bitsliced", "ghash_ctmul"];
    const reports = engine.kernels(new Set(names));
    expect(reports.map(({ name }) => name)).toEqual(names);
    expect(reports.every(({ available, chosen }) => available && chosen)).toBe(true);
    const before = engine.kernelCalls?.();
    const key = engine.createKey(random(16), new Set(names));
    seal(key, random(12), none, none);
    key.ghash(random(16), random(16));
    const after = engine.kernelCalls?.();
    expect(names.map((name) => after![name] - before![name])).toEqual([1, 2]);
    expect(key.kernel).toBe("gctr_bitsliced+ghash_ctmul");
  });
});

describe("secrets of the portable engine", () => {
  it("are not kept by reference to the raw key", () => {
    const [rawKey, iv, text] = [32, 12, 200].map(random);
    const expected = nodeSeal(rawKey, iv, none, text);
    const key = createKey(rawKey);
    rawKey.fill(0);
    expect(seal(key, iv, none, text)).toEqual(expected);
  });

  it("are gone after wipe: GHASH runs with H = 0 and GCTR with the round keys of no key", () => {
    const streams = [16, 16, 16].map((length) => {
      const key = createKey(random(length));
      const out = new Uint8Array(160);
      key.gctr(new Uint8Array(16), out, out);
      key.wipe();
      const y = random(16);
      key.ghash(random(16), y);
      expect(y).toEqual(new Uint8Array(16));
      return [1, 160].map((size) => {
        const wiped = new Uint8Array(size);
        key.gctr(new Uint8Array(16), wiped, wiped);
        return Buffer.from(wiped).toString("hex");
      });
    });
    expect(streams[1]).toEqual(streams[0]);
    expect(streams[2]).toEqual(streams[0]);
  });

  it("leave the shared scratch after every operation", () => {
    const buffers = [...keyScratch, ...fieldScratch, keystream, state];
    const key = createKey(random(32));
    const [iv, aad, text, block] = [17, 30, 500, 16].map(random);
    const sealed = seal(key, iv, aad, text);
    const altered = sealed.slice();
    altered[0] ^= 1;
    const operations: Record<string, () => void> = {
      createKey: () => createKey(random(24)),
      seal: () => seal(key, iv, aad, text),
      open: () => key.open(iv, aad, sealed, new Uint8Array(500), 16),
      "failed open": () => key.open(iv, aad, altered, new Uint8Array(500), 16),
      ghash: () => key.ghash(text, block),
      gctr: () => key.gctr(block, text, text),
    };
    for (const [name, run] of Object.entries(operations)) {
      for (const buffer of buffers) buffer.fill(0x55);
      run();
      for (const buffer of buffers) {
        const zero = Array.from(buffer).every((word) => word === 0);
        const untouched = Array.from(buffer).every((word) => word === 0x55);
        expect(zero || untouched, name).toBe(true);
      }
    }
  });
});
