import { expect, test } from "vitest";
import { inputKey, recogniseMessage } from "../../src/chunked/keys.js";
import { AuthenticationError, StateError } from "../../src/index.js";
import { pattern, same } from "../support/bytes.js";
import { modelChunk, modelSeal } from "../support/chunked-model.js";

const KEY = pattern(16, 31);
const SALT = pattern(24, 32);

test.each([0, 1, 255, 256, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 38 - 1])(
  "chunk %i has its own nonce",
  async (index) => {
    const header = modelSeal(KEY, SALT, new Uint8Array(0), new Uint8Array(0)).subarray(0, 56);
    const cipher = await recogniseMessage(inputKey(KEY, undefined), header);
    const sealed = new Uint8Array(116);
    cipher.seal(index, pattern(100), sealed);
    expect(same(sealed, modelChunk(KEY, SALT, index, pattern(100)))).toBe(true);
    const plaintext = new Uint8Array(100);
    cipher.open(index, sealed, plaintext);
    expect(same(plaintext, pattern(100))).toBe(true);
    expect(() => cipher.open(index ^ 1, sealed, plaintext)).toThrow(AuthenticationError);
    cipher.destroy();
    expect(() => cipher.seal(index, plaintext, sealed)).toThrow(StateError);
  },
);
