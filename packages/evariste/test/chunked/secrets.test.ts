import { afterEach, expect, test, vi } from "vitest";
import { ChunkedReader, ChunkSealer, open, openStream, seal } from "../../src/chunked/index.js";
import { AesGcm } from "../../src/index.js";
import { flipped, pattern } from "../support/bytes.js";

const KEY = pattern(32, 77);

afterEach(() => vi.restoreAllMocks());

/** Collects every buffer that goes through the platform's HMAC, which all hold key material or what leads to it. */
function watchHmac(): Uint8Array[] {
  const seen: Uint8Array[] = [];
  const { subtle } = globalThis.crypto;
  const importKey = subtle.importKey.bind(subtle) as (...args: unknown[]) => Promise<CryptoKey>;
  vi.spyOn(subtle, "importKey").mockImplementation(((...args: unknown[]) => {
    seen.push(args[1] as Uint8Array);
    return importKey(...args);
  }) as typeof subtle.importKey);
  const sign = subtle.sign.bind(subtle);
  vi.spyOn(subtle, "sign").mockImplementation(async (algorithm, key, data) => {
    const mac = await sign(algorithm, key, data);
    seen.push(data as Uint8Array, new Uint8Array(mac));
    return mac;
  });
  return seen;
}

function expectCleared(seen: Uint8Array[]): void {
  // Key, then input and output of the two HMACs that 76 bytes need.
  expect(seen.map((bytes) => bytes.length > 0)).toEqual([true, true, true, true, true]);
  expect(seen.map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true, true, true, true, true]);
  seen.length = 0;
}

test("what a key is derived through is cleared, on every path", async () => {
  const file = await seal(KEY, pattern(100));
  const seen = watchHmac();
  await seal(KEY, pattern(100));
  expectCleared(seen);
  await open(KEY, file);
  expectCleared(seen);
  await expect(open(KEY, flipped(file, 30))).rejects.toThrow();
  expectCleared(seen);
  await expect(open(KEY, flipped(file, 60))).rejects.toThrow();
  expectCleared(seen);
  (await ChunkedReader.open(new Blob([file]), KEY)).destroy();
  expectCleared(seen);
});

test("the message's key is destroyed on every path", async () => {
  const file = await seal(KEY, pattern(20_000));
  const destroy = vi.spyOn(AesGcm.prototype, "destroy");
  const paths: [string, () => Promise<unknown>][] = [
    ["sealed", () => seal(KEY, pattern(100))],
    ["opened", () => open(KEY, file)],
    ["wrong commitment", () => open(KEY, flipped(file, 30))],
    ["bad chunk", () => open(KEY, flipped(file, 100))],
    ["cut", () => open(KEY, file.subarray(0, 60))],
    ["reader, wrong commitment", () => ChunkedReader.open(new Blob([flipped(file, 30)]), KEY)],
    ["reader, cut", () => ChunkedReader.open(new Blob([file.slice(0, 16_460)]), KEY)],
    ["finished", async () => (await ChunkSealer.create(KEY)).finish()],
    ["stream", () => new Response(new Blob([file]).stream().pipeThrough(openStream(KEY))).arrayBuffer()],
    [
      "stream, bad chunk",
      () => new Response(new Blob([flipped(file, 100)]).stream().pipeThrough(openStream(KEY))).arrayBuffer(),
    ],
  ];
  for (const [name, path] of paths) {
    destroy.mockClear();
    await path().catch(() => {});
    expect(destroy, name).toHaveBeenCalled();
  }
});

test("where the platform has no HMAC, the error says so", async () => {
  vi.spyOn(globalThis.crypto, "subtle", "get").mockReturnValue(undefined as unknown as SubtleCrypto);
  await expect(seal(KEY, pattern(1))).rejects.toThrow(
    "no crypto.subtle; browsers have it in secure contexts only",
  );
});
