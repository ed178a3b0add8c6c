import { describe, expect, it } from "vitest";
import type { EngineStream } from "../src/engines/engine.js";
import type { KeyRing } from "../src/engines/key-ring.js";
import { writeLengths } from "../src/gcm/counter.js";
import { GcmDecryptor, GcmEncryptor } from "../src/incremental.js";

/** A stream that takes gibibytes in no time. */
const idle: EngineStream = {
  aad: () => {},
  update: () => {},
  finish: () => {},
  verify: () => true,
  wipe: () => {},
};
const keys = { destroyed: false, for: () => ({ start: () => idle }) } as unknown as KeyRing;
const iv = new Uint8Array(12);

/** Never touched, so that it costs address space only. */
const gibibyte = new Uint8Array(2 ** 30);

describe.each([
  ["encryption", () => new GcmEncryptor(keys, iv, 16)],
  ["decryption", () => new GcmDecryptor(keys, iv, 16)],
] as const)("the text limit of %s", (_, start) => {
  function fed() {
    const stream = start();
    const feed = (length: number) => {
      const chunk = gibibyte.subarray(0, length);
      if (stream instanceof GcmEncryptor) stream.update(chunk, chunk);
      else stream.updateUnverified(chunk, chunk);
    };
    for (let i = 0; i < 63; i++) feed(2 ** 30);
    return { stream, feed };
  }

  it("is 2^36 - 32 bytes, to the byte", () => {
    const { stream, feed } = fed();
    feed(2 ** 30 - 32);
    expect(() => feed(1)).toThrow(/2\^36 - 32/);
    expect(() => feed(16)).toThrow(RangeError);
    feed(0);
    expect(() => stream.finish(new Uint8Array(16))).not.toThrow();
  });

  it("refuses a whole piece, after which a shorter one may come", () => {
    const { feed } = fed();
    expect(() => feed(2 ** 30)).toThrow(RangeError);
    feed(2 ** 30 - 33);
    expect(() => feed(2)).toThrow(RangeError);
    feed(1);
  });
});

describe("the length block", () => {
  const hex = (aad: number, text: number) => {
    const block = new Uint8Array(16).fill(0xff);
    writeLengths(block, aad, text);
    return Buffer.from(block).toString("hex");
  };

  it.each([
    [0, 0, "00000000000000000000000000000000"],
    [1, 16, "00000000000000080000000000000080"],
    [2 ** 28, 2 ** 29 - 1, "000000008000000000000000fffffff8"],
    [2 ** 29, 2 ** 29 + 1, "00000001000000000000000100000008"],
    [2 ** 32 + 3, 2 ** 36 - 32, "00000008000000180000007fffffff00"],
    [2 ** 53 - 1, 2 ** 31, "00fffffffffffff80000000400000000"],
  ])("of %i and %i bytes", (aad, text, block) => {
    expect(hex(aad, text)).toBe(block);
  });
});
