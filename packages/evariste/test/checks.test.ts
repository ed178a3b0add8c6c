import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  checkAadLength,
  checkBytes,
  checkIv,
  checkKey,
  checkOut,
  checkTagLength,
  checkTextLength,
} from "../src/checks.js";
import { AuthenticationError, StateError } from "../src/errors.js";
import { AesGcm } from "../src/index.js";

describe("checkBytes", () => {
  it.each([
    ["a string", "secret"],
    ["an array", [1, 2]],
    ["null", null],
    ["undefined", undefined],
    ["an ArrayBuffer", new ArrayBuffer(4)],
    ["a DataView", new DataView(new ArrayBuffer(4))],
    ["a Uint16Array", new Uint16Array(4)],
    ["a Uint8ClampedArray", new Uint8ClampedArray(4)],
    ["an object that looks like one", { length: 4, buffer: new ArrayBuffer(4) }],
    [
      "a Float64Array that says it is one",
      Object.defineProperty(new Float64Array(4), Symbol.toStringTag, { value: "Uint8Array" }),
    ],
  ])("refuses %s and shows nothing of it", (_, value) => {
    expect(() => checkBytes("plaintext", value)).toThrow(/^plaintext must be a Uint8Array, not \w+$/);
    expect(() => checkBytes("plaintext", value)).not.toThrow(/secret/);
  });

  it("takes Buffers, empty arrays and arrays of another realm", () => {
    for (const value of [Buffer.alloc(3), new Uint8Array(0), runInNewContext("new Uint8Array(5)")])
      expect(() => checkBytes("key", value)).not.toThrow();
  });

  it("refuses a view whose memory was transferred", () => {
    const view = new Uint8Array(8);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    expect(() => checkBytes("aad", view)).toThrow(/^aad is detached/);
  });

  it("refuses shared memory of another realm", () => {
    const view = new Uint8Array(runInNewContext("new SharedArrayBuffer(2000)") as SharedArrayBuffer);
    const gcm = new AesGcm(new Uint8Array(16));
    const iv = new Uint8Array(12);
    expect(() => gcm.encrypt(iv, view)).toThrow(/^plaintext is a view on a SharedArrayBuffer/);
    expect(() => gcm.encryptInto(iv, new Uint8Array(1984), view)).toThrow(/^out is a view on a Shared/);
    const own = new Uint8Array(runInNewContext("new ArrayBuffer(100)") as ArrayBuffer);
    expect(gcm.encrypt(iv, own).length).toBe(116);
  });

  it("refuses a view that a shrinking buffer left out of bounds", () => {
    const buffer = new ArrayBuffer(16, { maxByteLength: 16 });
    const view = new Uint8Array(buffer, 8, 8);
    buffer.resize(10);
    expect(view.length).toBe(0);
    expect(() => checkBytes("plaintext", view)).toThrow(/^plaintext is detached/);
  });
});

describe("sizes", () => {
  it.each([0, 1, 15, 17, 31, 33, 64])("refuses a key of %i bytes", (length) => {
    expect(() => checkKey(new Uint8Array(length))).toThrow(/allowed are 16, 24 and 32$/);
  });

  it("names the one length where only one is allowed", () => {
    expect(() => checkKey(new Uint8Array(16), [32])).toThrow("key has 16 bytes; allowed are 32");
  });

  it("refuses an empty IV and a large shared one", () => {
    expect(() => checkIv(new Uint8Array(0))).toThrow("iv has 0 bytes; allowed are 1 to 2^32, and 12 is best");
    expect(() => checkIv(new Uint8Array(new SharedArrayBuffer(100)))).toThrow(TypeError);
  });

  it("allows 2^36 - 32 bytes of text and not one more", () => {
    expect(() => checkTextLength(2 ** 36 - 32)).not.toThrow();
    expect(() => checkTextLength(2 ** 36 - 31)).toThrow(RangeError);
  });

  it("counts AAD as far as a number is exact", () => {
    expect(() => checkAadLength(2 ** 53 - 1)).not.toThrow();
    expect(() => checkAadLength(2 ** 53)).toThrow(RangeError);
  });

  it("refuses a batch whose tags would carry the output's offsets past 32 bits", () => {
    const length = 2 ** 32 - 32;
    // Zeros that nobody touches take no memory.
    const messages = {
      ivs: new Uint8Array(24),
      data: new Uint8Array(length),
      offsets: Uint32Array.of(0, 5, length),
    };
    const gcm = new AesGcm(new Uint8Array(16));
    expect(() => gcm.encryptBatch(messages, new Uint8Array(1))).toThrow(/4294967296 bytes; 2\^32 - 1/);
  });

  it("says how much an output needs", () => {
    expect(() => checkOut(new Uint8Array(1), 17)).toThrow("out has 1 byte; 17 are needed");
  });

  it.each([12, 13, 14, 15, 16])("allows tags of %i bytes", (length) => {
    expect(() => checkTagLength(length, false)).not.toThrow();
  });

  it("allows 4 and 8 only where asked for, and says how to ask", () => {
    expect(() => checkTagLength(8, false)).toThrow("(4 and 8 need allowShortTags: true)");
    expect(() => checkTagLength(8, true)).not.toThrow();
    expect(() => checkTagLength(9, true)).toThrow(/allowed are 4, 8, 12, 13, 14, 15 and 16$/);
    expect(() => checkTagLength("16", false)).toThrow(TypeError);
    expect(() => checkTagLength(12.5, false)).toThrow(RangeError);
  });
});

describe("errors", () => {
  it("have stable codes and names, and are told apart", () => {
    const authentication = new AuthenticationError();
    expect(authentication).toMatchObject({ name: "AuthenticationError", code: "EVARISTE_AUTHENTICATION" });
    expect(new StateError("x")).toMatchObject({ name: "StateError", code: "EVARISTE_STATE", message: "x" });
    expect(authentication).not.toBeInstanceOf(StateError);
  });

  it("carry no byte of the message", () => {
    const gcm = new AesGcm(new Uint8Array(16).fill(0xab));
    const sealed = gcm.encrypt(new Uint8Array(12), Buffer.from("attack at dawn"));
    sealed[0] ^= 1;
    const messages: string[] = [];
    for (const given of [sealed, sealed.subarray(1), sealed.subarray(0, 3)]) {
      try {
        gcm.decrypt(new Uint8Array(12), given);
      } catch (error) {
        messages.push(`${error} ${JSON.stringify(error)}`);
      }
    }
    expect(messages).toHaveLength(3);
    const tag = Buffer.from(sealed.subarray(14)).toString("hex");
    for (const message of messages)
      for (const secret of ["attack", "abab", tag]) expect(message).not.toContain(secret);
  });
});
