import { createCipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  clearKeystream,
  createAesKey,
  fillKeystream,
  keystream,
  MAX_BLOCKS,
  wipeAesKey,
} from "../../src/engines/portable/aes.js";
import { transposeBytes, transposeGroups } from "../../src/engines/portable/planes.js";
import { SBOX_CONSTANT, state, subPlanes } from "../../src/engines/portable/sbox.js";
import { load32, store32 } from "../../src/gcm/bytes.js";
import { encryptBlock, SBOX } from "../model/aes.js";
import { hex, random } from "../support/bytes.js";

/** Encrypted counter blocks as bytes. */
function keystreamFrom(key: Uint8Array, icb: Uint8Array, blocks: number): Uint8Array {
  const prefix = Int32Array.from([0, 4, 8], (at) => load32(icb, at));
  fillKeystream(createAesKey(key), prefix, load32(icb, 12), blocks);
  const bytes = new Uint8Array(16 * blocks);
  for (let i = 0; i < 4 * blocks; i++) store32(bytes, 4 * i, keystream[i]);
  return bytes;
}

describe("the S-box circuit", () => {
  it("gives S(x) xor 63 for every x, in every group and byte lane", () => {
    for (let base = 0; base < 256; base += 32) {
      for (let i = 0; i < 32; i++) {
        for (let p = 0; p < 8; p++) {
          for (let group = 0; group < 4; group++) {
            const bit = (((base + ((i + group) % 32)) >> p) & 1) << i;
            state[8 * group + p] = (i === 0 ? 0 : state[8 * group + p]) | bit;
          }
        }
      }
      subPlanes(4);
      for (let i = 0; i < 32; i++) {
        for (let group = 0; group < 4; group++) {
          let image = SBOX_CONSTANT;
          for (let p = 0; p < 8; p++) image ^= ((state[8 * group + p] >>> i) & 1) << p;
          expect(image).toBe(SBOX[base + ((i + group) % 32)]);
        }
      }
    }
  });

  it("leaves the groups alone that it was not asked for", () => {
    state.fill(-1);
    subPlanes(1);
    expect(state.subarray(8).every((word) => word === -1)).toBe(true);
  });
});

describe("transpositions", () => {
  it("exchange bit p of word i and bit i of word p in each lane", () => {
    for (let word = 0; word < 8; word++) {
      for (let bit = 0; bit < 32; bit++) {
        state.fill(0);
        state[8 + word] = 1 << bit;
        transposeGroups(4);
        const expected = new Int32Array(32);
        expected[8 + (bit & 7)] = 1 << ((bit & ~7) | word);
        expect(state).toEqual(expected);
      }
    }
  });

  it("exchange bytes of four words", () => {
    const to = new Int32Array(8);
    transposeBytes(0x03020100, 0x13121110, 0x23222120, 0x33323130, to, 7, -2);
    expect([to[7], to[5], to[3], to[1]]).toEqual([0x30201000, 0x31211101, 0x32221202, 0x33231303]);
  });
});

describe("bitsliced AES", () => {
  it.each([
    [
      "2b7e151628aed2a6abf7158809cf4f3c",
      "3243f6a8885a308d313198a2e0370734",
      "3925841d02dc09fbdc118597196a0b32",
    ],
    [
      "000102030405060708090a0b0c0d0e0f",
      "00112233445566778899aabbccddeeff",
      "69c4e0d86a7b0430d8cdb78070b4c55a",
    ],
    [
      "000102030405060708090a0b0c0d0e0f1011121314151617",
      "00112233445566778899aabbccddeeff",
      "dda97ca4864cdfe06eaf70a0ec0d7191",
    ],
    [
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "00112233445566778899aabbccddeeff",
      "8ea2b7ca516745bfeafc49904b496089",
    ],
  ])("encrypts the examples of FIPS 197, appendices B and C: key %s", (key, block, expected) => {
    for (const blocks of [1, MAX_BLOCKS]) {
      expect(keystreamFrom(hex(key), hex(block), blocks).subarray(0, 16)).toEqual(hex(expected));
    }
  });

  it.each([16, 24, 32])(
    "agrees with the model and node:crypto on 1 to 8 counters: keys of %i bytes",
    (length) => {
      for (let blocks = 1; blocks <= MAX_BLOCKS; blocks++) {
        const key = random(length);
        const icb = random(16);
        icb.fill(0xff, 12);
        icb[15] -= blocks >> 1;
        const actual = keystreamFrom(key, icb, blocks);
        const name = `aes-${8 * length}-ecb`;
        for (let i = 0; i < blocks; i++) {
          const counter = icb.slice();
          store32(counter, 12, load32(icb, 12) + i);
          const block = actual.subarray(16 * i, 16 * i + 16);
          expect(block).toEqual(encryptBlock(key, counter));
          expect(Buffer.from(block)).toEqual(createCipheriv(name, key, null).update(counter));
        }
      }
    },
  );

  it("clears its round keys and its keystream", () => {
    const key = createAesKey(random(32));
    fillKeystream(key, new Int32Array(3), 1, 8);
    expect(key.narrow.some((word) => word !== 0)).toBe(true);
    expect(key.wide?.some((word) => word !== 0)).toBe(true);
    wipeAesKey(key);
    expect(key.narrow.every((word) => word === 0)).toBe(true);
    expect(key.wide?.every((word) => word === 0)).toBe(true);
    expect(keystream.some((word) => word !== 0)).toBe(true);
    clearKeystream();
    expect(keystream.every((word) => word === 0)).toBe(true);
    expect(state.every((word) => word === 0)).toBe(true);
  });
});
