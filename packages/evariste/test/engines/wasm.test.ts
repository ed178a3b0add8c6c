import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Direction, EngineKey } from "../../src/engines/engine.js";
import { load } from "../../src/engines/wasm/index.js";
import { fromBytes, inverse, ivForJ0 } from "../../src/gcm/gf128.js";
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

/** Every kernel that this runtime has, each with what must be switched off so that it is chosen. */
const variants = engine
  .kernels(new Set())
  .filter((kernel) => kernel.available)
  .map((kernel, n, all) => ({ kernel: kernel.name, disabled: new Set(all.slice(0, n).map((k) => k.name)) }));

function seal(key: EngineKey, iv: Uint8Array, aad: Uint8Array, text: Uint8Array, tagLength = 16): Uint8Array {
  const out = new Uint8Array(text.length + tagLength);
  key.seal(iv, aad, text, out, tagLength);
  return out;
}

function around(multiples: readonly number[], reach: number): number[] {
  return multiples.flatMap((n) => Array.from({ length: 2 * reach + 1 }, (_, d) => n + d - reach));
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}

/** Where parts of these lengths end, and a zero before. */
function ends(lengths: readonly number[]): Uint32Array {
  let end = 0;
  return Uint32Array.from([0, ...lengths], (length) => {
    end += length;
    return end;
  });
}

describe.each(variants)("the wasm engine with $kernel", ({ kernel, disabled }) => {
  const createKey = (rawKey: Uint8Array) => engine.createKey(rawKey, disabled);

  function expectBothWays(
    key: EngineKey,
    rawKey: Uint8Array,
    iv: Uint8Array,
    aad: Uint8Array,
    text: Uint8Array,
  ) {
    const sealed = nodeSeal(rawKey, iv, aad, text);
    expectBytes(seal(key, iv, aad, text), sealed);
    const opened = random(text.length);
    expect(key.open(iv, aad, sealed, opened, 16)).toBe(true);
    expectBytes(opened, text);
  }

  it("runs the kernel it is asked for", () => {
    const key = createKey(random(16));
    expect(key.kernel).toBe(kernel);
    const before = engine.kernelCalls?.()[kernel] ?? 0;
    seal(key, random(12), none, none);
    expect(engine.kernelCalls?.()[kernel]).toBe(before + 1);
  });

  it.each(cases)("passes the original specification's $name", (c) => {
    const key = createKey(hex(c.key));
    expectBytes(seal(key, hex(c.iv), hex(c.aad), hex(c.plaintext)), hex(c.ciphertext + c.tag));
  });

  it.each([16, 24, 32])("agrees with node:crypto at every length to 4,096: keys of %i bytes", (keyLength) => {
    const rawKey = random(keyLength);
    const key = createKey(rawKey);
    const text = random(4096);
    for (let length = 0; length <= 4096; length++) {
      expectBothWays(key, rawKey, random(12), length % 3 ? none : random(20), text.subarray(0, length));
    }
  });

  it("agrees around multiples of every stride and at 1 MiB ± 300", () => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    const text = random((1 << 20) + 300);
    const iv = random(12);
    const strides = [48, 64, 96, 128, 256, 512, 768, 1024, 4096, 8160, 8192, 16352, 16384, 32768];
    for (const length of new Set(around(strides, 17))) {
      expectBothWays(key, rawKey, iv, none, text.subarray(0, length));
    }
    for (const length of [-300, -17, -16, -15, -1, 0, 1, 15, 16, 17, 300]) {
      expectBothWays(key, rawKey, iv, none, text.subarray(0, (1 << 20) + length));
    }
  });

  it("agrees for IVs and AADs of many lengths", () => {
    const rawKey = random(32);
    const key = createKey(rawKey);
    for (const ivLength of [1, 7, 8, 11, 12, 13, 15, 16, 17, 60, 128]) {
      for (const aadLength of [0, 1, 15, 16, 17, 32, 48, 1023, 1024, 1025, 8192, 20_000]) {
        for (const length of [0, 1, 15, 16, 17, 48, 49, 600, 9000]) {
          expectBothWays(key, rawKey, random(ivLength), random(aadLength), random(length));
        }
      }
    }
    // OpenSSL takes no longer IVs; the model does.
    const iv = random(65_536);
    const text = random(33);
    expectBytes(seal(key, iv, none, text), model.seal(rawKey, iv, none, text));
  });

  it("wraps the counter at 32 bits, wherever in a group of blocks that happens", () => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    const zero = new Uint8Array(16);
    const h = new Uint8Array(16);
    key.gctr(zero, zero, h);
    const text = random(40 * 16);
    for (let before = 0; before < 36; before++) {
      const j0 = random(16);
      new DataView(j0.buffer).setUint32(12, 0xffffffff - before);
      const iv = ivForJ0(j0, inverse(fromBytes(h)));
      expectBytes(model.preCounterBlock(rawKey, iv), j0);
      expectBothWays(key, rawKey, iv, none, text);
    }
  });

  it("opens nothing that was changed, and leaves zeros", () => {
    const key = createKey(random(16));
    for (const length of [0, 1, 16, 47, 64, 100, 600, 9000]) {
      const iv = random(12);
      const aad = random(20);
      const sealed = seal(key, iv, aad, random(length));
      for (const at of new Set([0, length >> 1, length, length + 7, length + 15])) {
        const forged = Uint8Array.from(sealed);
        forged[at] ^= 0x10;
        const out = random(length);
        expect(key.open(iv, aad, forged, out, 16)).toBe(false);
        expect(out.every((byte) => byte === 0)).toBe(true);
        expect(key.open(iv, aad, forged, forged, 16)).toBe(false);
        expect(forged.subarray(0, length).every((byte) => byte === 0)).toBe(true);
      }
      expect(key.open(random(12), aad, sealed, new Uint8Array(length), 16)).toBe(false);
      expect(key.open(iv, random(20), sealed, new Uint8Array(length), 16)).toBe(false);
    }
  });

  it("makes and checks short tags, and writes no further", () => {
    const rawKey = random(24);
    const key = createKey(rawKey);
    for (const length of [0, 5, 16, 100, 9000]) {
      for (const tagLength of [4, 8, 12, 13, 15]) {
        const iv = random(12);
        const text = random(length);
        const out = new Uint8Array(length + 20).fill(0xaa);
        key.seal(iv, none, text, out, tagLength);
        const sealed = nodeSeal(rawKey, iv, none, text).subarray(0, length + tagLength);
        expectBytes(out.subarray(0, length + tagLength), sealed);
        expect(out.subarray(length + tagLength).every((byte) => byte === 0xaa)).toBe(true);
        expect(key.open(iv, none, sealed, new Uint8Array(length), tagLength)).toBe(true);
        const forged = Uint8Array.from(sealed);
        forged[length + tagLength - 1] ^= 1;
        expect(key.open(iv, none, forged, new Uint8Array(length), tagLength)).toBe(false);
      }
    }
  });

  it("works in place and unaligned, and changes no input", () => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    for (const length of [0, 1, 16, 64, 65, 500, 20_000]) {
      for (const offset of [1, 3, 8, 15]) {
        const iv = unaligned(random(12), offset);
        const aad = unaligned(random(33), offset);
        const text = unaligned(random(length), offset);
        const copy = Uint8Array.from(text);
        const sealed = nodeSeal(rawKey, iv, aad, text);
        const out = unaligned(new Uint8Array(length + 16), offset);
        key.seal(iv, aad, text, out, 16);
        expectBytes(out, sealed);
        expectBytes(text, copy);
        out.set(text);
        key.seal(iv, aad, out.subarray(0, length), out, 16);
        expectBytes(out, sealed);
        expect(key.open(iv, aad, out, out, 16)).toBe(true);
        expectBytes(out.subarray(0, length), text);
      }
    }
  });

  function inPieces(
    key: EngineKey,
    iv: Uint8Array,
    aads: readonly Uint8Array[],
    texts: readonly Uint8Array[],
    direction: Direction,
  ): { text: Uint8Array; tag: Uint8Array; stream: ReturnType<EngineKey["start"]> } {
    const stream = key.start(iv, direction, 16);
    for (const aad of aads) stream.aad(aad);
    const outs = texts.map((text) => {
      const out = new Uint8Array(text.length);
      stream.update(text, out);
      return out;
    });
    const tag = new Uint8Array(16);
    if (direction === "encrypt") stream.finish(tag);
    return { text: Uint8Array.from(Buffer.concat(outs)), tag, stream };
  }

  it.each([12, 16])("gives the same in pieces as whole, IVs of %i bytes", (ivLength) => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    const sizes = [0, 1, 3, 15, 16, 17, 31, 48, 100];
    for (const first of sizes) {
      for (const second of sizes) {
        for (const last of [0, 1, 16, 33, 5000]) {
          const iv = random(ivLength);
          const aads = [random(second), none, random(first)];
          const texts = [random(first), none, random(second), random(last)];
          const sealed = nodeSeal(rawKey, iv, Buffer.concat(aads), Buffer.concat(texts));
          const made = inPieces(key, iv, aads, texts, "encrypt");
          expectBytes(Buffer.concat([made.text, made.tag]), sealed);
          const length = first + second + last;
          const cut = Math.min(second, length);
          const pieces = [sealed.subarray(0, cut), sealed.subarray(cut, length)];
          const opened = inPieces(key, iv, aads, pieces, "decrypt");
          expectBytes(opened.text, Buffer.concat(texts));
          expect(opened.stream.verify(sealed.subarray(length))).toBe(true);
        }
      }
    }
  });

  it("keeps streams of one key apart, across runs of 256 counters and other messages between", () => {
    const rawKey = random(32);
    const key = createKey(rawKey);
    const ivs = [random(12), random(12), random(16)];
    const texts = ivs.map(() => random(60_000));
    const outs = texts.map((text) => new Uint8Array(text.length));
    const streams = ivs.map((iv) => key.start(iv, "encrypt", 16));
    for (let at = 0, n = 1; at < 60_000; at += n, n = Math.min(2 * n + 1, 60_000 - at, 9001)) {
      for (const [i, stream] of streams.entries()) {
        stream.update(texts[i].subarray(at, at + n), outs[i].subarray(at));
      }
      seal(key, random(12), none, random(700));
      n = Math.min(n, 60_000 - at);
    }
    for (const [i, stream] of streams.entries()) {
      const tag = new Uint8Array(16);
      stream.finish(tag);
      expectBytes(Buffer.concat([outs[i], tag]), nodeSeal(rawKey, ivs[i], none, texts[i]));
      stream.wipe();
    }
  });

  it("refuses a forged tag at the end of a stream", () => {
    const key = createKey(random(16));
    const iv = random(12);
    const sealed = seal(key, iv, none, random(40));
    const { stream } = inPieces(key, iv, [], [sealed.subarray(0, 40)], "decrypt");
    const forged = Uint8Array.from(sealed.subarray(40));
    forged[15] ^= 1;
    expect(stream.verify(forged)).toBe(false);
  });

  it("computes GHASH and GCTR alone", () => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    const zero = new Uint8Array(16);
    const h = new Uint8Array(16);
    key.gctr(zero, zero, h);
    for (const length of [0, 1, 16, 17, 100, 512, 513, 2000, 9000]) {
      const data = random(length);
      const y = new Uint8Array(16);
      key.ghash(data, y);
      const padded = new Uint8Array(Math.ceil(length / 16) * 16);
      padded.set(data);
      expectBytes(y, model.ghash(h, padded));
      const icb = random(16);
      icb.fill(0xff, 12);
      const out = new Uint8Array(length);
      key.gctr(icb, data, out);
      expectBytes(out, model.gctr(rawKey, icb, data));
    }
  });

  it("runs batches of all lengths as it runs their messages, with AAD and without, and one forged", () => {
    for (const longest of [300, 9000]) {
      const [rawKey, count, tagLength] = [random(16), 301, 13];
      const key = engine.createKey(rawKey, disabled);
      const lengths = Array.from({ length: count }, (_, i) => (i === 0 ? longest : i - 1));
      const aadLengths = lengths.map((_, i) => (7 * i) % 50);
      const [ivs, data, aad] = [random(12 * count), random(sum(lengths)), random(sum(aadLengths))];
      const [offsets, aadOffsets] = [ends(lengths), ends(aadLengths)];
      const sealedOffsets = ends(lengths.map((length) => length + tagLength));
      const common = { count, ivs, ivLength: 12, aad, aadOffsets, tagLength };
      const sealed = new Uint8Array(sealedOffsets[count]);
      const encryption = {
        direction: "encrypt",
        data,
        offsets,
        out: sealed,
        outOffsets: sealedOffsets,
      } as const;
      expect(key.batch({ ...common, ...encryption, verdicts: none })).toBe(0);
      for (let i = 0; i < count; i++) {
        const part = (bytes: Uint8Array, of: Uint32Array) => bytes.subarray(of[i], of[i + 1]);
        const iv = ivs.subarray(12 * i, 12 * i + 12);
        const expected = nodeSeal(rawKey, iv, part(aad, aadOffsets), part(data, offsets), tagLength);
        expectBytes(part(sealed, sealedOffsets), expected);
      }
      sealed[sealedOffsets[100]] ^= 1;
      const verdicts = new Uint8Array(count);
      const out = random(data.length);
      const decryption = {
        direction: "decrypt",
        data: sealed,
        offsets: sealedOffsets,
        out,
        outOffsets: offsets,
      } as const;
      expect(key.batch({ ...common, ...decryption, verdicts })).toBe(1);
      expect(verdicts.indexOf(0)).toBe(100);
      data.fill(0, offsets[100], offsets[101]);
      expectBytes(out, data);
    }
  });

  it("serves more keys than fit, each with its own answers, again after eviction", {
    timeout: 120_000,
  }, () => {
    const keys = Array.from({ length: 2000 }, () => {
      const rawKey = random(16);
      return { rawKey, key: createKey(rawKey) };
    });
    const texts = [random(16), random(600), random(4000)];
    for (let round = 0; round < 2; round++) {
      for (const [n, { rawKey, key }] of keys.entries()) {
        const iv = random(12);
        const text = texts[(n + round) % 3];
        expectBytes(seal(key, iv, none, text), nodeSeal(rawKey, iv, none, text));
      }
    }
    for (const { key } of keys) key.wipe();
    const rawKey = random(16);
    expectBothWays(createKey(rawKey), rawKey, random(12), none, texts[1]);
  });
});
