/** The parts of the streams, one by one, and Node's streams around them. */
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex, Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { describe, expect, test, vi } from "vitest";
import { AesGcm, AuthenticationError } from "../../src/index.js";
import { readRange } from "../../src/ranges/index.js";
import { StreamCipher, streamMessage } from "../../src/streams/cipher.js";
import { decryptStream, encryptStream } from "../../src/streams/index.js";
import { Segmenter } from "../../src/streams/segmenter.js";
import { expectBytes, joined, pattern, pieces, random } from "../support/bytes.js";

const KEY = random(32);
const IV = random(12);

describe("Segmenter", () => {
  test.each([
    [16, 0],
    [16, 4],
    [16, 16],
    [32, 16],
  ])("segments of %i bytes with %i held, in every cut", (length, held) => {
    for (let total = 0; total <= 70; total++) {
      for (let size = 1; size <= total; size++) {
        const text = pattern(total);
        const segmenter = new Segmenter(length, held);
        const parts: Uint8Array[] = [];
        for (const piece of pieces(text, size)) {
          for (const segment of segmenter.push(piece)) {
            expect(segment.length).toBe(length);
            parts.push(segment.slice());
          }
        }
        const rest = segmenter.rest().slice();
        expect(rest.length).toBeLessThan(length + held);
        expect(rest.length).toBeGreaterThanOrEqual(Math.min(held, total));
        expectBytes(joined([...parts, rest]), text);
      }
    }
  });

  test("clears what is left", () => {
    const segmenter = new Segmenter(16);
    for (const _ of segmenter.push(pattern(10))) expect.unreachable();
    const rest = segmenter.rest();
    segmenter.wipe();
    expectBytes(rest, new Uint8Array(10));
    expect(segmenter.rest().length).toBe(0);
  });
});

test("a stream that ends early clears the key and the text that it holds", async () => {
  const message = streamMessage(KEY, IV, { segmentLength: 64 });
  const cipher = new StreamCipher("encrypt", message);
  const wipe = vi.spyOn(Segmenter.prototype, "wipe");
  await cipher.update(pattern(100), async () => {});
  await cipher.wipe();
  expect(wipe).toHaveBeenCalledOnce();
  wipe.mockRestore();
  expectBytes(message.key as Uint8Array, new Uint8Array(32));
});

test("a tag without its last byte is refused, where that byte is zero too", async () => {
  const gcm = new AesGcm(KEY);
  const text = pattern(100);
  const iv = new Uint8Array(12);
  let sealed = gcm.encrypt(iv, text);
  for (let i = 1; sealed[sealed.length - 1] !== 0; i++) {
    new DataView(iv.buffer).setUint32(0, i);
    sealed = gcm.encrypt(iv, text);
  }
  const ciphertext = new Blob([sealed.slice(0, 100)]);
  const short = { tag: sealed.slice(100, 115), segmentLength: 64 };
  for (const stream of [
    decryptStream(KEY, iv, { ...short, source: ciphertext }),
    ciphertext.stream().pipeThrough(decryptStream(KEY, iv, { ...short, release: "unverified" })),
  ]) {
    await expect(buffer(stream as never)).rejects.toBeInstanceOf(AuthenticationError);
  }
});

describe("Node's streams", () => {
  const text = pattern(300_000);
  const sealed = new AesGcm(KEY).encrypt(IV, text).slice();

  test("Duplex.fromWeb in a pipeline", async () => {
    const parts: Buffer[] = [];
    const sink = new Writable({
      write(part, _, done) {
        parts.push(part);
        done();
      },
    });
    const sealing = Duplex.fromWeb(encryptStream(KEY, IV) as never);
    await pipeline(Readable.from(pieces(text, 10_007)), sealing, sink);
    expectBytes(joined(parts), sealed);
  });

  test("Readable.toWeb, and errors that come back", async () => {
    for (const forged of [false, true]) {
      const input = sealed.slice();
      if (forged) input[5] ^= 1;
      const web = Readable.toWeb(Readable.from(pieces(input, 9999))) as ReadableStream<Uint8Array>;
      const opening = web.pipeThrough(decryptStream(KEY, IV, { release: "unverified" }));
      const read = buffer(Readable.fromWeb(opening as never));
      if (forged) await expect(read).rejects.toBeInstanceOf(AuthenticationError);
      else expectBytes(await read, text);
    }
  });

  test("a file handle", async () => {
    const folder = await mkdtemp(join(tmpdir(), "evariste-"));
    try {
      await writeFile(join(folder, "sealed"), sealed);
      const source = await open(join(folder, "sealed"));
      expectBytes(await buffer(decryptStream(KEY, IV, { source, segmentLength: 4096 }) as never), text);
      await source.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a handle of the File System API", async () => {
    const source = { getFile: async () => new Blob([sealed]) };
    expectBytes(await buffer(decryptStream(KEY, IV, { source }) as never), text);
  });
});

test("a source that does not keep its word is refused in words", async () => {
  for (const [source, words] of [
    [{ size: -1, read() {} }, "source.size"],
    [{ size: 100, read: async () => "text" }, "Uint8Array"],
  ] as const) {
    const stream = decryptStream(KEY, IV, { source: source as never });
    await expect(stream.getReader().read(), words).rejects.toThrow(words);
  }
});

test.each([
  ["a path", "sealed.bin", "not string; open a path first"],
  ["null", null, "not null"],
  ["a stream", new ReadableStream(), "not ReadableStream"],
  ["bytes", new Uint8Array(40), "not Uint8Array"],
  ["a number", 42, "not number"],
  ["nothing that can be read", { size: 5 }, "not Object"],
])("%s as source is refused at once, with what is allowed", (_name, source, found) => {
  const open = () => decryptStream(KEY, IV, { source: source as unknown as Blob });
  expect(open).toThrow(TypeError);
  expect(open).toThrow(
    /^source must be a Blob or File, a file handle of node:fs\/promises or of the File System API, or have size and read\(offset, length\), /,
  );
  expect(open).toThrow(found);
});

test("ranges refuse it likewise", async () => {
  const reading = readRange("sealed.bin" as unknown as Blob, KEY, IV, 0, 1, { verify: "whole" });
  await expect(reading).rejects.toThrow("open a path first");
});
