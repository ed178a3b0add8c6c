import { describe, expect, it } from "vitest";
import { AesGcm } from "../../src/index.js";
import { RangeReader } from "../../src/ranges/index.js";

const key = new Uint8Array(16).fill(1);
const iv = new Uint8Array(12).fill(2);
const plaintext = Uint8Array.from({ length: 1000 }, (_, i) => i);
const sealed = new AesGcm(key).encrypt(iv, plaintext);
const canRelease = "transfer" in ArrayBuffer.prototype;

/** A Blob that remembers what it gave. */
class Watched extends Blob {
  readonly given: ArrayBuffer[] = [];

  override slice(start?: number, end?: number): Blob {
    const slice = super.slice(start, end);
    const { given } = this;
    slice.arrayBuffer = async () => {
      const bytes = await Blob.prototype.arrayBuffer.call(slice);
      given.push(bytes);
      return bytes;
    };
    return slice;
  }
}

describe.each(["whole", "none"] as const)("what a source gave, verify: %s", (verify) => {
  it.skipIf(!canRelease)("is given back when the library read it from a Blob", async () => {
    const blob = new Watched([sealed]);
    const reader = await RangeReader.open(blob, key, iv, { verify, segmentLength: 256 });
    expect(await reader.read(3, 900)).toEqual(plaintext.subarray(3, 900));
    reader.destroy();
    // The tag was copied.
    const texts = blob.given.slice(1);
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.map(({ byteLength }) => byteLength)).toEqual(texts.map(() => 0));
  });

  it("is left alone when a caller's source may keep it", async () => {
    const bytes = new Uint8Array(sealed);
    const source = {
      size: bytes.length,
      read: async (at: number, length: number) => bytes.subarray(at, at + length),
    };
    const reader = await RangeReader.open(source, key, iv, { verify, segmentLength: 256 });
    expect(await reader.read(3, 900)).toEqual(plaintext.subarray(3, 900));
    reader.destroy();
    expect(bytes).toEqual(sealed);
  });
});
