import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineStream } from "../../src/engines/engine.js";
import { IncrementalGcm, type IncrementalKey } from "../../src/engines/incremental.js";
import { load } from "../../src/engines/portable/index.js";
import { fromBytes, inverse, ivForJ0 } from "../../src/gcm/gf128.js";
import * as model from "../model/gcm.js";
import { expectBytes, nodeSeal, random } from "../support/bytes.js";

const engine = load();

/** Cuts at the given places; equal places give empty pieces. */
function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end));
}

/** Runs a stream over pieces and returns the text. */
function run(stream: EngineStream, aad: Uint8Array[], text: Uint8Array[], inPlace = false): Uint8Array {
  for (const piece of aad) stream.aad(piece);
  const results = text.map((piece) => {
    const input = piece.slice();
    const out = inPlace ? input : new Uint8Array(piece.length);
    stream.update(input, out);
    if (!inPlace) expectBytes(input, piece);
    return out;
  });
  return Uint8Array.from(Buffer.concat(results));
}

function expectBothWays(
  rawKey: Uint8Array,
  iv: Uint8Array,
  aad: Uint8Array,
  text: Uint8Array,
  places: number[],
  inPlace = false,
): void {
  const key = engine.createKey(rawKey, new Set());
  const expected = nodeSeal(rawKey, iv, aad, text);
  const tag = new Uint8Array(16);
  const encryption = key.start(iv, "encrypt");
  const ciphertext = run(encryption, cut(aad, places), cut(text, places), inPlace);
  encryption.finish(tag);
  expectBytes(Buffer.concat([ciphertext, tag]), expected);
  const decryption = key.start(iv, "decrypt");
  expectBytes(run(decryption, cut(aad, places), cut(ciphertext, places), inPlace), text);
  expect(decryption.verify(tag)).toBe(true);
}

describe("messages in pieces", () => {
  it("come out the same for every split in two of 0 to 50 bytes", () => {
    const [rawKey, iv] = [random(16), random(12)];
    for (let length = 0; length <= 50; length++) {
      const [aad, text] = [random(length), random(length)];
      for (let place = 0; place <= length; place++) expectBothWays(rawKey, iv, aad, text, [place]);
    }
  });

  it("come out the same for random splits, in place too", () => {
    const lengths = fc.tuple(
      fc.constantFrom(16, 24, 32),
      fc.integer({ min: 1, max: 128 }),
      fc.nat(300),
      fc.nat(3000),
    );
    fc.assert(
      fc.property(
        lengths,
        fc.array(fc.nat(3000), { maxLength: 12 }),
        fc.boolean(),
        (sizes, places, inPlace) => {
          const [rawKey, iv, aad, text] = sizes.map(random);
          expectBothWays(rawKey, iv, aad, text, places, inPlace);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("wrap the counter at 32 bits", () => {
    const rawKey = random(16);
    const hInverse = inverse(fromBytes(model.hashSubkey(rawKey)));
    for (const low of [0xffffffffn, 0xfffffffen, 0xfffffff7n]) {
      const j0 = random(16);
      j0.set(model.toBlock(low, 4), 12);
      const text = random(333);
      expectBothWays(rawKey, ivForJ0(j0, hInverse), random(3), text, [1, 16, 40, 170]);
    }
  });

  it("give shorter tags and refuse wrong ones", () => {
    const [rawKey, iv, text] = [32, 12, 100].map(random);
    const expected = nodeSeal(rawKey, iv, new Uint8Array(0), text, 12);
    const key = engine.createKey(rawKey, new Set());
    const encryption = key.start(iv, "encrypt");
    const ciphertext = run(encryption, [], [text]);
    const tag = new Uint8Array(12);
    encryption.finish(tag);
    expect(tag).toEqual(expected.subarray(100));
    for (let bit = 0; bit < 96; bit++) {
      const wrong = tag.slice();
      wrong[bit >> 3] ^= 1 << (bit & 7);
      const decryption = key.start(iv, "decrypt");
      run(decryption, [], [ciphertext]);
      expect(decryption.verify(wrong)).toBe(false);
    }
  });

  it("are independent of each other and of whole messages under the same key", () => {
    const [rawKey, iv1, iv2, text] = [16, 12, 16, 90].map(random);
    const key = engine.createKey(rawKey, new Set());
    const streams = [key.start(iv1, "encrypt"), key.start(iv2, "encrypt")];
    const outputs = streams.map(() => new Uint8Array(106));
    for (let at = 0; at < 90; at += 9) {
      key.seal(iv1, text, text, new Uint8Array(106), 16);
      streams.forEach((stream, i) => {
        stream.update(text.subarray(at, at + 9), outputs[i].subarray(at));
      });
    }
    streams.forEach((stream, i) => {
      stream.finish(outputs[i].subarray(90));
    });
    expect(outputs).toEqual([iv1, iv2].map((iv) => nodeSeal(rawKey, iv, new Uint8Array(0), text)));
  });

  it("leave nothing behind after wipe", () => {
    const seen: Uint8Array[] = [];
    const key: IncrementalKey = {
      ghash: (_data, y) => {
        y.fill(0x77);
        seen.push(y);
      },
      gctr: (icb, input, out) => {
        icb[0] |= 1;
        out.fill(0x99);
        seen.push(icb, input, out);
      },
    };
    const stream = new IncrementalGcm(key, random(16), "encrypt");
    stream.aad(random(20));
    const [chunk, out] = [random(21), new Uint8Array(21)];
    stream.update(chunk, out);
    stream.wipe();
    const inside = seen.filter((bytes) => bytes.buffer !== chunk.buffer && bytes.buffer !== out.buffer);
    expect(inside.length).toBeGreaterThan(4);
    for (const bytes of inside) expect(bytes).toEqual(new Uint8Array(bytes.length));
  });
});
