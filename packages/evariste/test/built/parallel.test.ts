import { createCipheriv, createHash, randomBytes } from "node:crypto";
import type { Worker } from "node:worker_threads";
import { AesGcm, AuthenticationError, type EngineName, engines } from "evariste";
import {
  decryptParallel,
  decryptParallelInto,
  encryptParallel,
  encryptParallelInto,
} from "evariste/parallel";
import { describe, expect, test } from "vitest";
import { fromBytes, inverse, ivForJ0 } from "../../src/gcm/gf128.js";

const SEGMENT = 512 * 1024;
const available = engines()
  .filter((engine) => engine.available && engine.name !== "portable")
  .map((engine) => engine.name);

/** All that were started here. */
const workers: Worker[] = [];
process.on("worker", (worker: Worker) => workers.push(worker));

/** Bytes that differ from segment to segment, made quickly. */
function bytes(length: number, seed: string): Uint8Array {
  const block = createHash("sha512").update(seed).digest();
  const out = new Uint8Array(length);
  for (let at = 0; at < length; at += 64) out.set(block.subarray(0, Math.min(64, length - at)), at);
  for (let at = 0; at < length; at += SEGMENT / 4) out[at] ^= at / (SEGMENT / 4);
  return out;
}

describe.each(available)("in parallel on %s", (engine: EngineName) => {
  const key = randomBytes(32);

  test("gives what one thread gives, at every edge of a segment", async () => {
    for (const length of [
      0,
      1,
      SEGMENT - 1,
      SEGMENT,
      SEGMENT + 1,
      2 * SEGMENT - 16,
      2 * SEGMENT,
      3 * SEGMENT + 17,
    ]) {
      const iv = randomBytes(length % 2 === 0 ? 12 : 20);
      const aad = randomBytes(length % 37);
      const plaintext = bytes(length, `${length}`);
      const sealed = await encryptParallel(key, iv, plaintext, { aad, engine });
      expect(Buffer.compare(sealed, new AesGcm(key).encrypt(iv, plaintext, { aad })), `${length}`).toBe(0);
      const opened = await decryptParallel(key, iv, sealed, { aad, engine, threads: 3 });
      expect(Buffer.compare(opened, plaintext), `${length}`).toBe(0);
    }
  });

  test.each([1, 2, 3])("gives what one thread gives in longer segments, %i threads", async (threads) => {
    const [iv, plaintext] = [randomBytes(12), bytes(18 * SEGMENT + 5, "longer")];
    const sealed = await encryptParallel(key, iv, plaintext, { engine, threads });
    expect(Buffer.compare(sealed, new AesGcm(key).encrypt(iv, plaintext))).toBe(0);
    const opened = await decryptParallel(key, iv, sealed, { engine, threads });
    expect(Buffer.compare(opened, plaintext)).toBe(0);
  });

  test("keeps the counter to 32 bits, whichever segment it wraps in", async () => {
    const plaintext = bytes(2 * SEGMENT + 5, "wrap");
    const cipher = createCipheriv("aes-256-ecb", key, null);
    const hInverse = inverse(fromBytes(cipher.update(new Uint8Array(16))));
    for (const blocksBefore of [1, 100, SEGMENT / 16 - 1, SEGMENT / 16, SEGMENT / 16 + 9]) {
      const j0 = randomBytes(16);
      j0.writeUInt32BE(2 ** 32 - blocksBefore, 12);
      const iv = ivForJ0(j0, hInverse);
      const sealed = await encryptParallel(key, iv, plaintext, { engine });
      const reference = createCipheriv("aes-256-gcm", key, iv);
      const expected = Buffer.concat([
        reference.update(plaintext),
        reference.final(),
        reference.getAuthTag(),
      ]);
      expect(Buffer.compare(sealed, expected), `${blocksBefore}`).toBe(0);
    }
  });

  test("releases nothing of a forgery, wherever it is", async () => {
    const iv = randomBytes(12);
    const length = 2 * SEGMENT + 100;
    const sealed = await encryptParallel(key, iv, bytes(length, "forged"), { engine, tagLength: 12 });
    expect(sealed.length).toBe(length + 12);
    for (const at of [0, SEGMENT, length - 1, length, length + 11]) {
      const forged = Uint8Array.from(sealed);
      forged[at] ^= 1;
      const opening = decryptParallel(key, iv, forged, { engine, tagLength: 12 });
      await expect(opening).rejects.toThrow(AuthenticationError);
    }
    const cut = decryptParallel(key, iv, sealed.subarray(0, length), { engine, tagLength: 12 });
    await expect(cut).rejects.toThrow(AuthenticationError);
  });

  test("stops when aborted, before and in the middle", async () => {
    const iv = randomBytes(12);
    const plaintext = bytes(16 * SEGMENT, "abort");
    const signal = AbortSignal.abort(new Error("not now"));
    await expect(encryptParallel(key, iv, plaintext, { engine, signal })).rejects.toThrow("not now");
    await expect(encryptParallel(key, iv, new Uint8Array(5), { engine, signal })).rejects.toThrow("not now");
    const controller = new AbortController();
    const running = encryptParallel(key, iv, plaintext, { engine, threads: 1, signal: controller.signal });
    setImmediate(() => controller.abort(new Error("enough")));
    await expect(running).rejects.toThrow("enough");
  });

  test("notices that the text was transferred meanwhile, and takes the AAD as it was at first", async () => {
    const iv = randomBytes(12);
    const plaintext = bytes(2 * SEGMENT, "transferred");
    const aad = randomBytes(40);
    const expected = new AesGcm(key).encrypt(iv, plaintext, { aad });
    const running = encryptParallel(key, iv, plaintext, { engine, aad, threads: 2 });
    aad.fill(0);
    expect(Buffer.compare(await running, expected)).toBe(0);
    const transferred = encryptParallel(key, iv, plaintext, { engine, threads: 2 });
    const kept = structuredClone(plaintext.buffer, { transfer: [plaintext.buffer as ArrayBuffer] });
    await expect(transferred).rejects.toThrow(TypeError);
    expect(kept.byteLength).toBe(2 * SEGMENT);
  });

  test.each([undefined, 0, 1, -1, 4096])(
    "works in the caller's memory, output %s bytes from input",
    async (shift) => {
      for (const length of [100, SEGMENT + 1, 3 * SEGMENT - 16]) {
        const iv = randomBytes(12);
        const plaintext = bytes(length, `into ${length}`);
        const sealed = new AesGcm(key).encrypt(iv, plaintext);
        const place = (input: Uint8Array) => {
          const memory = new Uint8Array(input.length + 10_000).fill(0xee);
          const from = memory.subarray(5000, 5000 + input.length);
          from.set(input);
          const apart = new Uint8Array(length + 40).fill(0xee);
          return { from, out: shift === undefined ? apart : memory.subarray(5000 + shift) };
        };
        const enc = place(plaintext);
        expect(await encryptParallelInto(key, iv, enc.from, enc.out, { engine })).toBe(length + 16);
        expect(Buffer.compare(enc.out.subarray(0, length + 16), sealed), `${length}`).toBe(0);
        const dec = place(sealed);
        expect(await decryptParallelInto(key, iv, dec.from, dec.out, { engine })).toBe(length);
        expect(Buffer.compare(dec.out.subarray(0, length), plaintext), `${length}`).toBe(0);
        sealed[length >> 1] ^= 1;
        const forged = place(sealed);
        await expect(decryptParallelInto(key, iv, forged.from, forged.out, { engine })).rejects.toThrow(
          AuthenticationError,
        );
        expect(forged.out.subarray(0, length).every((byte) => byte === 0)).toBe(true);
      }
    },
  );

  test("leaves zeros in the caller's memory when it is aborted", async () => {
    const out = new Uint8Array(8 * SEGMENT + 16).fill(1);
    const controller = new AbortController();
    const text = bytes(8 * SEGMENT, "aborted into");
    const options = { engine, threads: 1, signal: controller.signal };
    const work = encryptParallelInto(key, randomBytes(12), text, out, options);
    controller.abort(new Error("enough"));
    await expect(work).rejects.toThrow("enough");
    expect(out.subarray(0, -16).every((byte) => byte === 0)).toBe(true);
  });

  test("runs several messages at once", async () => {
    const iv = randomBytes(12);
    const texts = [1, 2, 3].map((n) => bytes(n * SEGMENT + n, `several ${n}`));
    const sealed = await Promise.all(texts.map((text) => encryptParallel(key, iv, text, { engine })));
    sealed.forEach((message, i) => {
      expect(Buffer.compare(message, new AesGcm(key).encrypt(iv, texts[i]))).toBe(0);
    });
  });
});

test("starts new workers where idle ones have died", async () => {
  const key = randomBytes(16);
  const iv = randomBytes(12);
  const plaintext = bytes(2 * SEGMENT, "died");
  const sealed = await encryptParallel(key, iv, plaintext, { engine: "wasm" });
  const before = workers.length;
  expect(before).toBeGreaterThan(0);
  await Promise.all(workers.map((worker) => worker.terminate()));
  const again = await encryptParallel(key, iv, plaintext, { engine: "wasm" });
  expect(Buffer.compare(again, sealed)).toBe(0);
  expect(workers.length).toBeGreaterThan(before);
});

describe("arguments in parallel", () => {
  const key = new Uint8Array(16);
  const iv = new Uint8Array(12);
  const long = new Uint8Array(2 * SEGMENT);

  test.each([
    ["key", () => encryptParallel(new Uint8Array(15), iv, long), /^key has 15 bytes/],
    ["iv", () => encryptParallel(key, new Uint8Array(0), long), /^iv has 0 bytes/],
    ["tagLength", () => encryptParallel(key, iv, long, { tagLength: 8 }), /^tagLength is 8/],
    ["threads", () => encryptParallel(key, iv, long, { threads: 0 }), /^threads is 0/],
    ["threads of short messages", () => encryptParallel(key, iv, iv, { threads: 0.5 }), /^threads is 0.5/],
    [
      "plaintext",
      () => encryptParallel(key, iv, "text" as unknown as Uint8Array),
      /^plaintext must be a Uint8Array/,
    ],
    [
      "shared",
      () => encryptParallel(key, iv, new Uint8Array(new SharedArrayBuffer(2 * SEGMENT))),
      /SharedArrayBuffer/,
    ],
    [
      "resizable",
      () =>
        decryptParallel(key, iv, new Uint8Array(new ArrayBuffer(2 * SEGMENT, { maxByteLength: 2 ** 22 }))),
      /resizable ArrayBuffer/,
    ],
    [
      "out",
      () => encryptParallelInto(key, iv, long, new Uint8Array(2 * SEGMENT + 15)),
      /^out has 1048591 bytes; 1048592 are needed/,
    ],
    [
      "shared out",
      () => decryptParallelInto(key, iv, long, new Uint8Array(new SharedArrayBuffer(2 * SEGMENT))),
      /^out is a view on a SharedArrayBuffer/,
    ],
    [
      "resizable out",
      () =>
        encryptParallelInto(
          key,
          iv,
          long,
          new Uint8Array(new ArrayBuffer(3 * SEGMENT, { maxByteLength: 2 ** 22 })),
        ),
      /^out is a view on a resizable/,
    ],
    ["sealed", () => decryptParallel(key, iv, null as unknown as Uint8Array), /^sealed must be a Uint8Array/],
  ])("refuses a wrong %s with one clear error", async (_name, run, message) => {
    await expect(run()).rejects.toThrow(message);
  });

  test("a message shorter than its tag is not authentic", async () => {
    await expect(decryptParallel(key, iv, new Uint8Array(3))).rejects.toThrow(AuthenticationError);
  });
});
