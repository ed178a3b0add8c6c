/** Buffers that held secrets are cleared on every path, as far as that can be seen from outside of the engines. */
import * as nodeCrypto from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { OpensslKey } from "../src/engines/openssl/key.js";
import { nothingSeen, type Seen, spyEngine } from "./support/spy-engine.js";

const key = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
const iv = new Uint8Array(12);
const plaintext = Uint8Array.from({ length: 100 }, (_, i) => i + 1);
const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);

let seen: Seen;
let library: typeof import("../src/index.js");

beforeEach(async () => {
  seen = nothingSeen();
  vi.resetModules();
  vi.doMock("../src/engines/openssl/index.js", () => ({ load: () => spyEngine(seen) }));
  library = await import("../src/index.js");
  library.engines();
  Object.assign(seen, nothingSeen());
});

function create() {
  return new library.AesGcm(key, { engine: "openssl" });
}

/** A view `shift` bytes away from where the message lies, in the same memory. */
function overlapping(message: Uint8Array, outLength: number, shift: number) {
  const memory = new Uint8Array(message.length + 64);
  const input = memory.subarray(16, 16 + message.length);
  input.set(message);
  return { input, out: memory.subarray(16 + shift, 16 + shift + outLength) };
}

describe("copies of plaintext", () => {
  it("made because the output overlaps are cleared", () => {
    const { input, out } = overlapping(plaintext, 116, 5);
    create().encryptInto(iv, input, out);
    expect(seen.inputs).toHaveLength(1);
    expect(seen.inputs[0].buffer).not.toBe(input.buffer);
    expect(isZero(seen.inputs[0])).toBe(true);
  });

  it("are cleared when the engine breaks off", () => {
    const { input, out } = overlapping(plaintext, 116, 5);
    seen.breakOff = true;
    expect(() => create().encryptInto(iv, input, out)).toThrow("out of memory");
    expect(isZero(seen.inputs[0])).toBe(true);
  });

  it("are cleared in streams, also when the engine breaks off", () => {
    for (const breakOff of [false, true]) {
      const encryptor = create().encryptor(iv);
      const { input, out } = overlapping(plaintext, 100, -5);
      seen.breakOff = breakOff;
      const update = () => encryptor.update(input, out);
      if (breakOff) expect(update).toThrow("out of memory");
      else update();
      expect(seen.inputs.at(-1)?.buffer).not.toBe(input.buffer);
      expect(isZero(seen.inputs.at(-1)!)).toBe(true);
    }
  });

  it("are cleared in batches", () => {
    const { input, out } = overlapping(plaintext, 116, 5);
    create().encryptBatch({ ivs: iv, data: input, offsets: Uint32Array.of(0, 100) }, out);
    expect(seen.inputs[0].buffer).not.toBe(input.buffer);
    expect(isZero(new Uint8Array(seen.inputs[0].buffer))).toBe(true);
  });
});

describe("unverified plaintext", () => {
  it.each([0, 5, -5])("does not stay when the engine breaks off, output at %i", (shift) => {
    const sealed = create().encrypt(iv, plaintext);
    const { input, out } = overlapping(sealed, 100, shift);
    seen.breakOff = true;
    expect(() => create().decryptInto(iv, input, out)).toThrow("out of memory");
    expect(isZero(out)).toBe(true);
  });

  it("does not stay when the engine breaks off in a batch", () => {
    const sealed = create().encrypt(iv, plaintext);
    const out = new Uint8Array(100);
    seen.breakOff = true;
    const job = { ivs: iv, data: sealed, offsets: Uint32Array.of(0, 116) };
    expect(() => create().decryptBatch(job, out)).toThrow("out of memory");
    expect(isZero(out)).toBe(true);
  });

  it.each([0, 5, -5])("becomes zeros on a bad tag, output at %i", (shift) => {
    const sealed = create().encrypt(iv, plaintext);
    sealed[115] ^= 1;
    const { input, out } = overlapping(sealed, 100, shift);
    expect(() => create().decryptInto(iv, input, out)).toThrow(library.AuthenticationError);
    expect(isZero(out)).toBe(true);
  });
});

describe("destroy", () => {
  it("wipes engine keys and the copy of the raw key, and leaves the caller's", () => {
    const gcm = create();
    gcm.encrypt(iv, plaintext);
    expect(seen.rawKeys[0]).toEqual(key);
    gcm.destroy();
    expect(isZero(seen.rawKeys[0])).toBe(true);
    expect(seen.keysWiped).toBe(1);
    expect(key[0]).toBe(1);
  });

  it("is what using and Symbol.dispose do", () => {
    const gcm = create();
    gcm.encrypt(iv, plaintext);
    gcm[Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose)]();
    expect(seen.keysWiped).toBe(1);
  });

  it("lets streams be wiped at their next call", () => {
    const gcm = create();
    const encryptor = gcm.encryptor(iv);
    gcm.destroy();
    expect(() => encryptor.update(plaintext)).toThrow(library.StateError);
    expect(seen.streamsWiped).toBe(1);
  });
});

describe("streams are wiped", () => {
  it.each<[string, (gcm: ReturnType<typeof create>) => void]>([
    ["by finish", (gcm) => gcm.encryptor(iv).finish()],
    ["by a verification", (gcm) => gcm.decryptor(iv).finish(gcm.encrypt(iv, new Uint8Array(0)))],
    [
      "by a failed verification",
      (gcm) => expect(() => gcm.decryptor(iv).finish(new Uint8Array(16))).toThrow(),
    ],
    [
      "by a tag of the wrong length",
      (gcm) => expect(() => gcm.decryptor(iv).finish(new Uint8Array(3))).toThrow(),
    ],
    ["by cancel", (gcm) => gcm.encryptor(iv).cancel()],
    [
      "when the engine breaks off, and take no further call",
      (gcm) => {
        const decryptor = gcm.decryptor(iv);
        seen.breakOff = true;
        expect(() => decryptor.updateUnverified(plaintext)).toThrow("out of memory");
        expect(() => decryptor.updateUnverified(plaintext)).toThrow(library.StateError);
      },
    ],
  ])("%s", (_, run) => {
    run(create());
    expect(seen.streamsStarted).toBe(1);
    expect(seen.streamsWiped).toBe(1);
  });
});

describe("the openssl engine", () => {
  /** Every buffer that node:crypto returned from `update`. */
  const returned: Uint8Array[] = [];
  const watch = <T extends nodeCrypto.Cipher | nodeCrypto.Decipher>(cipher: T): T => {
    const update = cipher.update.bind(cipher) as (data: Uint8Array) => Buffer;
    const watched = (data: Uint8Array) => {
      const out = update(data);
      returned.push(out);
      return out;
    };
    return Object.assign(cipher, { update: watched });
  };
  const crypto = {
    ...nodeCrypto,
    createCipheriv: (...args: Parameters<typeof nodeCrypto.createCipheriv>) =>
      watch(nodeCrypto.createCipheriv(...args)),
    createDecipheriv: (...args: Parameters<typeof nodeCrypto.createDecipheriv>) =>
      watch(nodeCrypto.createDecipheriv(...args)),
  } as unknown as typeof nodeCrypto;

  it.each([100, 600_000])("clears node:crypto's copies of %i bytes of plaintext", (length) => {
    const engineKey = new OpensslKey(crypto, key, "gcm_openssl", () => {});
    const aad = new Uint8Array(0);
    const sealed = new Uint8Array(length + 16);
    engineKey.seal(iv, aad, new Uint8Array(length).fill(1), sealed, 16);
    for (const right of [true, false]) {
      returned.length = 0;
      if (!right) sealed[length] ^= 1;
      expect(engineKey.open(iv, aad, sealed, new Uint8Array(length), 16)).toBe(right);
      expect(returned.length).toBeGreaterThan(0);
      expect(returned.every(isZero)).toBe(true);
    }
  });

  it("clears keystream and hash subkey", () => {
    const engineKey = new OpensslKey(crypto, key, "gcm_openssl", () => {});
    returned.length = 0;
    engineKey.ghash(plaintext, new Uint8Array(16));
    engineKey.gctr(new Uint8Array(16), new Uint8Array(50), new Uint8Array(50));
    expect(returned.length).toBeGreaterThan(0);
    expect(returned.every(isZero)).toBe(true);
  });
});
