import { describe, expect, test } from "vitest";
import * as chunked from "../src/chunked/index.js";
import { combineParts, encryptPart } from "../src/combine/index.js";
import { AesGcm, Sealer, XAesGcm } from "../src/index.js";
import { buildIndex, readRange } from "../src/ranges/index.js";
import { decryptStream, encryptStream } from "../src/streams/index.js";
import { StitchedGcm } from "../src/webcrypto/index.js";

const SEGMENT = { segmentLength: 65_536 };

/** A Buffer inside a larger one, at an odd offset, as those of Node's pool are. */
function buffer(length: number, seed: number): Buffer {
  const pool = Buffer.alloc(length + 40, 0xee);
  for (let i = 0; i < length; i++) pool[13 + i] = i * 7 + seed;
  return pool.subarray(13, 13 + length);
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface Inputs {
  readonly key: Buffer;
  readonly iv: Buffer;
  readonly aad: Buffer;
  readonly text: Buffer;
}

/** Everything public that takes bytes. Each gives back the text that it encrypted and decrypted again. */
const ROUND_TRIPS: Record<string, (inputs: Inputs) => Promise<Uint8Array>> = {
  AesGcm: async ({ key, iv, aad, text }) => {
    const gcm = new AesGcm(key);
    return gcm.decrypt(iv, Buffer.from(gcm.encrypt(iv, text, { aad })), { aad });
  },
  "AesGcm in pieces": async ({ key, iv, aad, text }) => {
    const gcm = new AesGcm(key);
    const encryptor = gcm.encryptor(iv).aad(aad);
    const sealed = Buffer.from(encryptor.update(text));
    const decryptor = gcm.decryptor(iv).aad(aad);
    const opened = decryptor.updateUnverified(sealed);
    decryptor.finish(Buffer.from(encryptor.finish()));
    return opened;
  },
  Sealer: async ({ key, aad, text }) => {
    const sealer = new Sealer(key, { nonce: "random" });
    return sealer.open(Buffer.from(sealer.seal(text, { aad })), { aad });
  },
  XAesGcm: async ({ key, aad, text }) => {
    const xaes = new XAesGcm(key);
    return xaes.open(Buffer.from(xaes.seal(text, { aad })), { aad });
  },
  chunked: async ({ key, aad, text }) => {
    return chunked.open(key, Buffer.from(await chunked.seal(key, text, { context: aad })), { context: aad });
  },
  StitchedGcm: async ({ key, iv, aad, text }) => {
    const gcm = await StitchedGcm.create(key, SEGMENT);
    return gcm.decrypt(iv, Buffer.from(await gcm.encrypt(iv, text, { aad })), { aad });
  },
  streams: async ({ key, iv, aad, text }) => {
    const sealed = await collect(
      new Blob([text]).stream().pipeThrough(encryptStream(key, iv, { aad, ...SEGMENT })),
    );
    return collect(decryptStream(key, iv, { aad, source: new Blob([sealed]), ...SEGMENT }));
  },
  "streams of Buffers": async ({ key, iv, aad, text }) => {
    const encrypting = encryptStream(key, iv, { aad, ...SEGMENT });
    const writer = encrypting.writable.getWriter();
    const writing = writer.write(text).then(() => writer.close());
    const sealed = await collect(encrypting.readable);
    await writing;
    return new AesGcm(key).decrypt(iv, sealed, { aad });
  },
  ranges: async ({ key, iv, aad, text }) => {
    const source = new Blob([new AesGcm(key).encrypt(iv, text, { aad })]);
    const index = Buffer.from(await buildIndex(source, key, iv, { aad, ...SEGMENT }));
    return readRange(source, key, iv, 0, text.length, { aad, verify: "index", index });
  },
  parts: async ({ key, iv, aad, text }) => {
    const { ciphertext, record } = await encryptPart(key, iv, 0, text, SEGMENT);
    const tag = await combineParts(key, iv, [Buffer.from(record)], { aad, length: text.length });
    return new AesGcm(key).decrypt(iv, Buffer.concat([...ciphertext, tag]), { aad });
  },
};

describe("Buffers at odd offsets, whose slice() is a view", () => {
  describe.each(Object.entries(ROUND_TRIPS))("%s", (_name, roundTrip) => {
    test.each([1, 100, 65_541, 200_003])(
      "%i bytes come back, and the caller's memory stays as it was",
      async (length) => {
        const inputs = { key: buffer(32, 1), iv: buffer(12, 2), aad: buffer(77, 3), text: buffer(length, 4) };
        const pools = Object.values(inputs).map((view) => Buffer.from(view.buffer));
        const before = pools.map((pool) => Buffer.from(pool).toString("hex"));
        const opened = await roundTrip(inputs);
        expect(Buffer.compare(opened, buffer(length, 4))).toBe(0);
        expect(pools.map((pool) => pool.toString("hex"))).toEqual(before);
      },
    );
  });

  test("an AAD in place of the options is refused, not left out", () => {
    const gcm = new AesGcm(buffer(16, 1));
    const aad = buffer(5, 1) as unknown as { aad: Uint8Array };
    expect(() => gcm.encrypt(buffer(12, 2), buffer(5, 3), aad)).toThrow(/goes in as \{ aad \}/);
  });
});
