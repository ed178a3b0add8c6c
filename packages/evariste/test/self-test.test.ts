import { describe, expect, test } from "vitest";
import { KNOWN_ANSWERS } from "../src/engines/self-test.js";
import { seal } from "./model/gcm.js";

function sequence(length: number, factor: number, start: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => i * factor + start);
}

describe("the self-test's known answers", () => {
  test.each(KNOWN_ANSWERS)(
    "are those of the standard: $keyLength, $ivLength, $aadLength, $textLength",
    (answer) => {
      const key = sequence(answer.keyLength, 1, 1);
      const iv = sequence(answer.ivLength, -1, 255);
      const sealed = seal(key, iv, sequence(answer.aadLength, 5, 1), sequence(answer.textLength, 7, 3));
      expect(Buffer.from(sealed.subarray(-16)).toString("hex")).toBe(answer.tag);
    },
  );
});
