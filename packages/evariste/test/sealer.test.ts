import { createCipheriv } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Framing } from "../src/framing.js";
import {
  AesGcm,
  AuthenticationError,
  type CounterNonceOptions,
  Sealer,
  type SealerOptions,
  StateError,
} from "../src/index.js";
import { CounterNonces, RandomNonces } from "../src/nonces.js";
import { flipped, pattern, same, toHex } from "./support/bytes.js";

const KEY = pattern(16, 21);
const NONE = new Uint8Array(0);

afterEach(() => vi.restoreAllMocks());

/** node:crypto's ciphertext ‖ tag. */
function modelSeal(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Buffer {
  const name = `aes-${(key.length * 8) as 128 | 192 | 256}-gcm` as const;
  const cipher = createCipheriv(name, key, nonce);
  cipher.setAAD(aad);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function nonceOf(sealed: Uint8Array): string {
  return toHex(sealed.subarray(0, 12));
}

describe("nonce ‖ ciphertext ‖ tag", () => {
  const modes: SealerOptions[] = [{ nonce: "random" }, { nonce: "counter", start: 0n }];

  test.each(modes)("$nonce nonces, any text and AAD, three key lengths", (options) => {
    for (const length of [16, 24, 32]) {
      const key = pattern(length, length);
      const sealer = new Sealer(key, options);
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 300 }),
          fc.option(fc.uint8Array({ maxLength: 50 }), { nil: undefined }),
          (plaintext, aad) => {
            const sealed = sealer.seal(plaintext, { aad });
            const model = modelSeal(key, sealed.subarray(0, 12), plaintext, aad ?? NONE);
            expect(toHex(sealed.subarray(12))).toBe(model.toString("hex"));
            expect(same(sealer.open(sealed, { aad }), plaintext)).toBe(true);
          },
        ),
        { numRuns: 60 },
      );
    }
  });

  test.each([0, 1, 16, 52, 64, 4096, 70_000, 1 << 20])("%i bytes, allocated and into memory", (length) => {
    const sealer = new Sealer(KEY, { nonce: "random" });
    const plaintext = pattern(length);
    const sealed = sealer.seal(plaintext);
    expect(sealed.length).toBe(length + 28);
    expect(same(sealer.open(sealed), plaintext)).toBe(true);
    const out = new Uint8Array(length + 40).fill(0xee);
    expect(sealer.sealInto(plaintext, out)).toBe(length + 28);
    expect(same(sealer.open(out.subarray(0, length + 28)), plaintext)).toBe(true);
    expect(out.subarray(length + 28).every((byte) => byte === 0xee)).toBe(true);
    const back = new Uint8Array(length + 5).fill(0xee);
    expect(sealer.openInto(out.subarray(0, length + 28), back)).toBe(length);
    expect(same(back.subarray(0, length), plaintext)).toBe(true);
    expect(back.subarray(length).every((byte) => byte === 0xee)).toBe(true);
  });

  test.each([20, 500, 5000])("in place and overlapping in every way, %i bytes", (length) => {
    const sealer = new Sealer(KEY, { nonce: "random" });
    const plaintext = pattern(length);
    for (const shift of [-17, -16, -1, 0, 1, 11, 12, 13, 16, 28, 29]) {
      const memory = new Uint8Array(length + 200);
      memory.set(plaintext, 50 + shift);
      const out = memory.subarray(50, 50 + length + 28);
      sealer.sealInto(memory.subarray(50 + shift, 50 + shift + length), out);
      expect(same(sealer.open(out), plaintext), `sealed at ${shift}`).toBe(true);
      const target = memory.subarray(50 + shift, 50 + shift + length);
      sealer.openInto(out, target);
      expect(same(target, plaintext), `opened at ${shift}`).toBe(true);
    }
  });

  test("the AAD may lie in the output's memory", () => {
    const sealer = new Sealer(KEY, { nonce: "random" });
    const out = new Uint8Array(200);
    out.set(pattern(30));
    sealer.sealInto(pattern(100), out, { aad: out.subarray(0, 30) });
    expect(same(sealer.open(out.subarray(0, 128), { aad: pattern(30) }), pattern(100))).toBe(true);
  });
});

describe("what is not authentic", () => {
  const sealer = new Sealer(KEY, { nonce: "random" });

  test("every altered bit, every cut, another AAD, another key", () => {
    const aad = pattern(7);
    const sealed = sealer.seal(pattern(9), { aad });
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      expect(() => sealer.open(flipped(sealed, bit >> 3, bit & 7), { aad })).toThrow(AuthenticationError);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => sealer.open(sealed.subarray(0, length), { aad })).toThrow(AuthenticationError);
    }
    expect(() => sealer.open(sealed)).toThrow(AuthenticationError);
    const other = new Sealer(pattern(16, 22), { nonce: "random" });
    expect(() => other.open(sealed, { aad })).toThrow(AuthenticationError);
  });

  test("leaves zeros where plaintext would have been", () => {
    const bad = flipped(sealer.seal(pattern(100)), 127);
    const out = new Uint8Array(110).fill(0xee);
    expect(() => sealer.openInto(bad, out)).toThrow(AuthenticationError);
    expect(out.subarray(0, 100).every((byte) => byte === 0)).toBe(true);
    expect(out.subarray(100).every((byte) => byte === 0xee)).toBe(true);
    expect(() => sealer.openInto(bad, bad.subarray(12))).toThrow(AuthenticationError);
    expect(bad.subarray(12, 112).every((byte) => byte === 0)).toBe(true);
  });
});

describe("random nonces", () => {
  test("differ", () => {
    const sealer = new Sealer(KEY, { nonce: "random" });
    const nonces = new Set(Array.from({ length: 2000 }, () => nonceOf(sealer.seal(NONE))));
    expect(nonces.size).toBe(2000);
    expect(sealer.next).toBeUndefined();
  });

  test("are refused after 2^32 messages, which failures count towards", () => {
    const framing = new Framing(new AesGcm(KEY), new RandomNonces(2 ** 32 - 3), 12);
    framing.seal(pattern(5));
    expect(() => framing.seal(pattern(5), { aad: "text" as unknown as Uint8Array })).toThrow(TypeError);
    const last = framing.seal(pattern(5));
    for (let i = 0; i < 2; i++) {
      expect(() => framing.seal(pattern(5))).toThrow(StateError);
      expect(() => framing.seal(pattern(5))).toThrow(
        "2^32 messages were sealed with random nonces, all that one key may (SP 800-38D clause 8.3); use a new key",
      );
    }
    const out = new Uint8Array(40).fill(0xee);
    expect(() => framing.sealInto(pattern(5), out)).toThrow(StateError);
    expect(out.every((byte) => byte === 0xee)).toBe(true);
    expect(same(framing.open(last), pattern(5))).toBe(true);
  });
});

describe("counted nonces", () => {
  const counter = (start: bigint, fixed?: Uint8Array) => new Sealer(KEY, { nonce: "counter", start, fixed });

  test("are the fixed field and a big-endian counter", () => {
    const fixed = Uint8Array.of(0xde, 0xad, 0xbe, 0xef);
    const sealer = counter(0xff_ffff_fffen, fixed);
    fixed.fill(0);
    expect(nonceOf(sealer.seal(NONE))).toBe("deadbeef000000fffffffffe");
    expect(nonceOf(sealer.seal(NONE))).toBe("deadbeef000000ffffffffff");
    expect(nonceOf(sealer.seal(NONE))).toBe("deadbeef0000010000000000");
    expect(sealer.next).toBe(0x100_0000_0001n);
    expect(nonceOf(counter(0n).seal(NONE))).toBe("000000000000000000000000");
  });

  test("go on where `next` says", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 3n }), (start) => {
        const first = counter(start);
        expect(first.next).toBe(start);
        const a = nonceOf(first.seal(NONE));
        const b = nonceOf(counter(first.next!).seal(NONE));
        expect(BigInt(`0x${a}`)).toBe(start);
        expect(BigInt(`0x${b}`)).toBe(start + 1n);
      }),
    );
  });

  test("end at 2^64 - 1", () => {
    const sealer = counter(2n ** 64n - 2n);
    sealer.seal(NONE);
    const last = sealer.seal(pattern(3));
    expect(nonceOf(last)).toBe("00000000ffffffffffffffff");
    expect(sealer.next).toBe(2n ** 64n);
    for (let i = 0; i < 2; i++) expect(() => sealer.seal(NONE)).toThrow(StateError);
    expect(same(sealer.open(last), pattern(3))).toBe(true);
    expect(() => counter(sealer.next!)).toThrow("allowed are 0 to 2^64 - 1");
  });

  test("need a start, and say why", () => {
    for (const start of [undefined, null, 5, "5"]) {
      const options = { nonce: "counter", start } as unknown as CounterNonceOptions;
      expect(() => new Sealer(KEY, options)).toThrow(TypeError);
      expect(() => new Sealer(KEY, options)).toThrow("a counter that begins again repeats nonces");
    }
    expect(() => counter(-1n)).toThrow(RangeError);
    for (const length of [0, 3, 5, 12]) expect(() => counter(0n, new Uint8Array(length))).toThrow(RangeError);
    expect(() => counter(0n, [1, 2, 3, 4] as unknown as Uint8Array)).toThrow(TypeError);
  });

  test("are used up by a call that fails in the engine", () => {
    const sealer = counter(7n);
    vi.spyOn(AesGcm.prototype, "encryptInto").mockImplementationOnce(() => {
      throw new Error("engine failure");
    });
    expect(() => sealer.seal(pattern(5))).toThrow("engine failure");
    expect(sealer.next).toBe(8n);
    expect(nonceOf(sealer.seal(pattern(5)))).toBe("000000000000000000000008");
  });

  test("are not used up by a call that cannot succeed for want of room", () => {
    const sealer = counter(7n);
    expect(() => sealer.sealInto(pattern(5), new Uint8Array(32))).toThrow("33 are needed");
    expect(() => sealer.seal("text" as unknown as Uint8Array)).toThrow(TypeError);
    expect(sealer.next).toBe(7n);
  });

  test("draw into the nonce alone, or not at all", () => {
    const nonces = new CounterNonces(2n ** 64n - 1n);
    const nonce = new Uint8Array(12);
    nonces.draw(nonce);
    const before = nonce.slice();
    expect(() => nonces.draw(nonce)).toThrow(StateError);
    expect(nonce).toEqual(before);
  });
});

describe("misuse", () => {
  test("options that are missing or unknown", () => {
    for (const options of [undefined, {}, { nonce: "fixed" }]) {
      expect(() => new Sealer(KEY, options as unknown as SealerOptions)).toThrow(
        'options.nonce must be "random" or "counter"',
      );
    }
    expect(() => new Sealer(new Uint8Array(15), { nonce: "random" })).toThrow(RangeError);
  });

  test("everything after destroy, by hand and by using", () => {
    const sealer = new Sealer(KEY, { nonce: "random", engine: "openssl" });
    const sealed = sealer.seal(NONE);
    sealer.destroy();
    expect(() => sealer.seal(NONE)).toThrow(StateError);
    expect(() => sealer.open(sealed)).toThrow(StateError);
    sealer.destroy();
    const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
    const other = new Sealer(KEY, { nonce: "random" });
    other[dispose]();
    expect(() => other.seal(NONE)).toThrow(StateError);
  });

  test("the same key bytes may be wiped by the caller", () => {
    const key = KEY.slice();
    const sealer = new Sealer(key, { nonce: "counter", start: 1n });
    key.fill(0);
    expect(same(new Sealer(KEY, { nonce: "random" }).open(sealer.seal(pattern(4))), pattern(4))).toBe(true);
  });

  test("a message sealed from within another, by a getter, has a nonce of its own", () => {
    const sealer = new Sealer(KEY, { nonce: "counter", start: 0n });
    const text = pattern(20);
    const sealed: Uint8Array[] = [];
    const options = {
      get aad() {
        sealed.push(sealer.seal(text));
        return undefined;
      },
    };
    sealed.push(sealer.seal(text, options), sealer.seal(text));
    expect(new Set(sealed.map(nonceOf)).size).toBe(3);
    for (const message of sealed) expect(same(sealer.open(message), text)).toBe(true);
  });
});
