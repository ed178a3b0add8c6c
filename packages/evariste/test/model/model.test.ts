import { describe, expect, it } from "vitest";
import { hex, nodeSeal, random } from "../support/bytes.js";
import { encryptBlock, SBOX } from "./aes.js";
import { seal } from "./gcm.js";

describe("the model", () => {
  it("has the S-box of FIPS 197, figure 7", () => {
    expect([SBOX[0x00], SBOX[0x01], SBOX[0x53], SBOX[0xff]]).toEqual([0x63, 0x7c, 0xed, 0x16]);
  });

  it("encrypts the example of FIPS 197, appendix B", () => {
    const block = encryptBlock(
      hex("2b7e151628aed2a6abf7158809cf4f3c"),
      hex("3243f6a8885a308d313198a2e0370734"),
    );
    expect(block).toEqual(hex("3925841d02dc09fbdc118597196a0b32"));
  });

  it.each([16, 24, 32])("agrees with node:crypto under keys of %i bytes", (keyLength) => {
    for (const [ivLength, aadLength, length] of [
      [12, 0, 0],
      [1, 5, 33],
      [17, 32, 48],
      [128, 1, 100],
    ]) {
      const [key, iv, aad, text] = [keyLength, ivLength, aadLength, length].map(random);
      expect(seal(key, iv, aad, text)).toEqual(nodeSeal(key, iv, aad, text));
    }
  });
});
