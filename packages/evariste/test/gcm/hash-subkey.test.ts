import { describe, expect, test } from "vitest";
import { HashSubkey } from "../../src/gcm/hash-subkey.js";
import { StateError } from "../../src/index.js";
import { encryptBlock } from "../model/aes.js";
import { ghash, hashSubkey, preCounterBlock, seal } from "../model/gcm.js";
import { expectBytes, random } from "../support/bytes.js";

const H = random(16);

describe("HashSubkey", () => {
  test("hashes as the standard says, from any state", () => {
    const subkey = new HashSubkey(H);
    for (const length of [0, 1, 15, 16, 17, 48, 100]) {
      const data = random(length);
      const y = random(16);
      const expected = ghash(H, data, y);
      subkey.ghash(data, y);
      expectBytes(y, expected);
    }
  });

  test("parts hashed alone combine to the hash of the whole", () => {
    const subkey = new HashSubkey(H);
    for (const lengths of [[16], [16, 16], [64, 64, 64, 5], [160, 16, 48, 1], [1600, 32]]) {
      const parts = lengths.map(random);
      const y = new Uint8Array(16);
      for (const part of parts) subkey.append(y, ghash(H, part), part.length);
      expectBytes(y, ghash(H, Uint8Array.from(parts.flatMap((part) => [...part]))));
    }
  });

  test("an empty part changes nothing", () => {
    const y = random(16);
    const before = y.slice();
    new HashSubkey(H).append(y, new Uint8Array(16), 0);
    expectBytes(y, before);
  });

  test("the hash of a message becomes its tag", () => {
    const key = random(16);
    const iv = random(12);
    const [aad, plaintext] = [random(33), random(50)];
    const sealed = seal(key, iv, aad, plaintext);
    const h = hashSubkey(key);
    const subkey = new HashSubkey(h);
    const y = ghash(h, aad);
    subkey.append(y, ghash(h, sealed.subarray(0, 50)), 50);
    subkey.hashToTag(y, encryptBlock(key, preCounterBlock(key, iv)), 33, 50);
    expectBytes(y, sealed.subarray(50));
  });

  test("a tag tells the hash of what it is the tag of", () => {
    const subkey = new HashSubkey(H);
    for (const [aadBytes, textBytes] of [
      [0, 1],
      [0, 48],
      [33, 0],
      [2 ** 40 + 5, 0],
    ]) {
      const hash = random(16);
      const mask = random(16);
      const tag = hash.slice();
      subkey.hashToTag(tag, mask, aadBytes, textBytes);
      expectBytes(subkey.hashOfTag(tag, mask, aadBytes, textBytes), hash);
    }
  });

  test("solves IVs for chosen pre-counter blocks", () => {
    const key = random(16);
    const subkey = new HashSubkey(hashSubkey(key));
    for (const j0 of [new Uint8Array(16), new Uint8Array(16).fill(255), random(16)]) {
      expectBytes(preCounterBlock(key, subkey.ivForJ0(j0)), j0);
    }
  });

  test("knows zero", () => {
    expect(new HashSubkey(new Uint8Array(16)).isZero).toBe(true);
    for (const at of [0, 7, 15]) {
      expect(new HashSubkey(new Uint8Array(16).fill(1, at, at + 1)).isZero).toBe(false);
    }
  });

  test("refuses everything once wiped", () => {
    const subkey = new HashSubkey(H);
    const block = new Uint8Array(16);
    subkey.append(block, H, 32);
    subkey.ivForJ0(block);
    subkey.wipe();
    for (const call of [
      () => subkey.bytes(),
      () => subkey.ghash(block, block),
      () => subkey.append(block, block, 32),
      () => subkey.append(block, block, 16),
      () => subkey.hashToTag(block, block, 0, 0),
      () => subkey.hashOfTag(block, block, 0, 0),
      () => subkey.ivForJ0(block),
    ]) {
      expect(call).toThrow(StateError);
    }
  });
});
