import { describe, expect, it } from "vitest";
import type { BatchJob, Engine, EngineKey } from "../../src/engines/engine.js";
import { load } from "../../src/engines/native/index.js";
import { hashSubkeyOf } from "../../src/engines/run-segment.js";
import { expectBytes, nodeSeal, random } from "../support/bytes.js";

let engine: Engine | undefined;
let reason = "";
try {
  engine = load();
} catch (error) {
  reason = error instanceof Error ? error.message : String(error);
}

/** Skipped, with the reason in its name, where the addon was not built. */
function suite(name: string, tests: () => void): void {
  describe.runIf(engine !== undefined)(engine === undefined ? `${name}: ${reason}` : name, tests);
}

const NONE: ReadonlySet<string> = new Set();
const EMPTY = new Uint8Array(0);

/** Every way of running a message that this machine has: each gcm kernel, then GCTR and GHASH apart. */
function kernelSets(): { name: string; disabled: ReadonlySet<string> }[] {
  const kernels = engine?.kernels(NONE).filter((kernel) => kernel.available) ?? [];
  const named = (role: string) =>
    kernels.filter((kernel) => kernel.role === role).map((kernel) => kernel.name);
  const gcm = named("gcm");
  const before = (names: string[], name: string) => names.slice(0, names.indexOf(name));
  const woven = gcm.map((name) => ({ name, disabled: new Set(before(gcm, name)) }));
  const apart = named("gctr").flatMap((gctr) =>
    named("ghash").map((ghash) => ({
      name: `${gctr}+${ghash}`,
      disabled: new Set([...gcm, ...before(named("gctr"), gctr), ...before(named("ghash"), ghash)]),
    })),
  );
  return [...woven, ...apart];
}

function createKey(rawKey: Uint8Array, disabled: ReadonlySet<string> = NONE): EngineKey {
  if (engine === undefined) throw new Error(reason);
  return engine.createKey(rawKey, disabled);
}

function seal(key: EngineKey, iv: Uint8Array, aad: Uint8Array, text: Uint8Array, tagLength = 16): Uint8Array {
  const out = new Uint8Array(text.length + tagLength);
  key.seal(iv, aad, text, out, tagLength);
  return out;
}

suite("kernels of the native engine", () => {
  it("are listed fastest first, the portable ones last and never switched off", () => {
    const all = new Set(engine?.kernels(NONE).map((kernel) => kernel.name));
    const left = engine?.kernels(all).filter((kernel) => kernel.available) ?? [];
    expect(left.map((kernel) => kernel.name)).toEqual(["ghash_portable", "gctr_portable", "aes_portable"]);
    expect(left.every((kernel) => kernel.chosen)).toBe(true);
    for (const kernel of engine?.kernels(NONE) ?? []) {
      if (!kernel.available) expect(kernel.reason).toMatch(/^this CPU has no /);
    }
    expect(engine?.kernels(all)[0].reason).toMatch(/^(switched off|this CPU has no .+)$/);
  });

  it.each(kernelSets())("$name gives every length 0 to 4,096 as node:crypto does", ({ name, disabled }) => {
    for (let length = 0; length <= 4096; length++) {
      const rawKey = random([16, 24, 32][length % 3]);
      const key = createKey(rawKey, disabled);
      expect(key.kernel).toBe(name);
      const iv = random(12);
      const aad = random(length % 41);
      const text = random(length);
      const sealed = seal(key, iv, aad, text);
      expectBytes(sealed, nodeSeal(rawKey, iv, aad, text));
      const opened = new Uint8Array(length);
      expect(key.open(iv, aad, sealed, opened, 16)).toBe(true);
      expectBytes(opened, text);
      sealed[(length * 7) % sealed.length] ^= 0x10;
      expect(key.open(iv, aad, sealed, opened, 16)).toBe(false);
      expect(opened.every((byte) => byte === 0)).toBe(true);
      key.wipe();
    }
  });

  it.each(kernelSets())("$name hashes every length 0 to 4,096 by H alone as by the key", ({ disabled }) => {
    const key = createKey(random(16), disabled);
    const h = hashSubkeyOf(key);
    for (let length = 0; length <= 4096; length++) {
      const data = random(length);
      const [y, expected] = [new Uint8Array(16).fill(length), new Uint8Array(16).fill(length)];
      // A new key each time, so that every length also meets one without its later powers of H.
      const hashKey = engine?.createHashKey?.(h, disabled);
      hashKey?.ghash(data, y);
      key.ghash(data, expected);
      expectBytes(y, expected);
      hashKey?.wipe();
    }
    key.wipe();
  });

  it.each(kernelSets())("$name runs, and no other of its kind", ({ name, disabled }) => {
    const before = engine?.kernelCalls?.() ?? {};
    const key = createKey(random(16), disabled);
    seal(key, random(12), random(20), random(1000));
    const after = engine?.kernelCalls?.() ?? {};
    const ran = Object.keys(after).filter(
      (kernel) => after[kernel] > before[kernel] && !kernel.startsWith("aes_"),
    );
    expect(ran.sort()).toEqual(name.split("+").sort());
    key.wipe();
  });
});

suite("messages of the native engine", () => {
  const sizes = [0, 1, 16, 63, 64, 65, 80, 81, 200, 1000];

  it("takes IV, AAD and text inside and outside the mailbox, in every combination", () => {
    const rawKey = random(32);
    const key = createKey(rawKey);
    for (const ivLength of [1, 12, 16, 64, 65, 128]) {
      for (const aadLength of sizes) {
        for (const length of sizes) {
          const [iv, aad, text] = [random(ivLength), random(aadLength), random(length)];
          const sealed = seal(key, iv, aad, text);
          expectBytes(sealed, nodeSeal(rawKey, iv, aad, text));
          const opened = new Uint8Array(length);
          expect(key.open(iv, aad, sealed, opened, 16)).toBe(true);
          expectBytes(opened, text);
        }
      }
    }
  });

  it("works in place, and zeroes in place what is forged", () => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    for (const length of sizes) {
      const [iv, text] = [random(12), random(length)];
      const memory = new Uint8Array(length + 16);
      memory.set(text);
      key.seal(iv, EMPTY, memory.subarray(0, length), memory, 16);
      expectBytes(memory, nodeSeal(rawKey, iv, EMPTY, text));
      const forged = memory.slice();
      forged[length] ^= 1;
      expect(key.open(iv, EMPTY, memory, memory, 16)).toBe(true);
      expectBytes(memory.subarray(0, length), text);
      expect(key.open(iv, EMPTY, forged, forged, 16)).toBe(false);
      expect(forged.subarray(0, length).every((byte) => byte === 0)).toBe(true);
    }
  });

  it("leaves the bytes behind its output alone, at any offset and tag length", () => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    for (const tagLength of [4, 8, 12, 13, 14, 15, 16]) {
      for (const length of sizes) {
        const shift = (length + tagLength) % 16;
        const [iv, text] = [random(12), random(length + shift).subarray(shift)];
        const memory = new Uint8Array(length + 64).fill(0xa5);
        key.seal(iv, EMPTY, text, memory.subarray(shift), tagLength);
        const end = shift + length + tagLength;
        const expected = nodeSeal(rawKey, iv, EMPTY, text);
        expectBytes(memory.subarray(shift, end), expected.subarray(0, length + tagLength));
        expect(memory.subarray(0, shift).every((byte) => byte === 0xa5)).toBe(true);
        expect(memory.subarray(end).every((byte) => byte === 0xa5)).toBe(true);
      }
    }
  });

  it("streams in pieces of any length, several under one key in turn", () => {
    const rawKey = random(24);
    const key = createKey(rawKey);
    for (let round = 0; round < 60; round++) {
      const lengths = [round * 3, 7 + round * 31];
      const messages = lengths.map((length) => ({
        iv: random(12),
        aad: random(length % 100),
        text: random(length),
      }));
      const streams = messages.map(({ iv }) => key.start(iv, "encrypt", 16));
      const outputs = lengths.map((length) => new Uint8Array(length + 16));
      messages.forEach(({ aad }, i) => {
        streams[i].aad(aad.subarray(0, 5));
        streams[i].aad(aad.subarray(5));
      });
      for (let from = 0, step = 1 + round * 2; from < Math.max(...lengths); from += step) {
        messages.forEach(({ text }, i) => {
          streams[i].update(
            text.subarray(from, from + step),
            outputs[i].subarray(Math.min(from, text.length)),
          );
        });
      }
      messages.forEach(({ iv, aad, text }, i) => {
        streams[i].finish(outputs[i].subarray(text.length));
        streams[i].wipe();
        expectBytes(outputs[i], nodeSeal(rawKey, iv, aad, text));
        const back = key.start(iv, "decrypt", 16);
        const plain = new Uint8Array(text.length);
        back.aad(aad);
        back.update(outputs[i].subarray(0, text.length), plain);
        expect(back.verify(outputs[i].subarray(text.length))).toBe(true);
        back.wipe();
        expectBytes(plain, text);
      });
    }
  });

  it("seals and opens batches, each message with its own verdict", () => {
    const rawKey = random(16);
    const key = createKey(rawKey);
    const lengths = Array.from({ length: 300 }, (_, i) => (i * 37) % 211);
    const texts = lengths.map((length) => random(length));
    const aads = lengths.map((length) => random(length % 19));
    const offsetsOf = (parts: Uint8Array[], first = 0) =>
      Uint32Array.from([0, ...parts.map((_, i) => i + 1)], (n) =>
        parts.slice(0, n).reduce((sum, part) => sum + part.length, first),
      );
    const ivs = random(12 * texts.length);
    const plain = {
      count: texts.length,
      ivs,
      ivLength: 12,
      aad: Buffer.concat(aads),
      aadOffsets: offsetsOf(aads),
      tagLength: 16,
    };
    const offsets = offsetsOf(texts, 9);
    const data = Buffer.concat([random(9), ...texts]);
    const sealed = new Uint8Array(data.length - 9 + 16 * texts.length);
    const sealing: BatchJob = { ...plain, direction: "encrypt", data, offsets, out: sealed, verdicts: EMPTY };
    expect(key.batch?.(sealing)).toBe(0);
    const expected = texts.map((text, i) =>
      nodeSeal(rawKey, ivs.subarray(12 * i, 12 * i + 12), aads[i], text),
    );
    expectBytes(sealed, Buffer.concat(expected));

    const ends = offsetsOf(expected);
    sealed[ends[7]] ^= 1;
    sealed[ends[201] - 1] ^= 0x80;
    const opened = new Uint8Array(data.length - 9);
    const verdicts = new Uint8Array(texts.length).fill(9);
    const opening: BatchJob = {
      ...plain,
      direction: "decrypt",
      data: sealed,
      offsets: ends,
      out: opened,
      verdicts,
    };
    expect(key.batch?.(opening)).toBe(2);
    texts[7] = new Uint8Array(texts[7].length);
    texts[200] = new Uint8Array(texts[200].length);
    expectBytes(opened, Buffer.concat(texts));
    expect([...verdicts.keys()].filter((i) => verdicts[i] === 0)).toEqual([7, 200]);
    expect(verdicts.every((verdict) => verdict <= 1)).toBe(true);
  });
});
