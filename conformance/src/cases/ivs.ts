/** IVs of every kind of length; zero is refused. */
import type { Case, Target } from "../case.js";
import { equalBytes, throws } from "../check.js";
import { aad, KEY_LENGTHS, keyOf, modelOf, once, openPieces, sealPieces, text } from "./common.js";

const IV_LENGTHS = [1, 7, 8, 11, 12, 13, 15, 16, 17, 31, 32, 33, 64, 65, 127, 128, 129, 257, 1000, 65_536];
const TEXT_LENGTH = 45;

const expected = once(() =>
  KEY_LENGTHS.flatMap((keyLength) =>
    IV_LENGTHS.map((ivLength) => ({
      keyLength,
      iv: text(ivLength),
      sealed: modelOf(keyLength).seal(text(ivLength), aad(9), text(TEXT_LENGTH)),
    })),
  ),
);

function allLengths(target: Target): void {
  for (const { keyLength, iv, sealed } of expected()) {
    const gcm = target.create(keyOf(keyLength));
    const what = `AES-${keyLength * 8}, IV of ${iv.length} bytes`;
    const plaintext = text(TEXT_LENGTH);
    equalBytes(gcm.encrypt(iv, plaintext, { aad: aad(9) }), sealed, what);
    equalBytes(gcm.decrypt(iv, sealed, { aad: aad(9) }), plaintext, `${what}, decrypt`);
    equalBytes(sealPieces(gcm, iv, [aad(9)], [plaintext]), sealed, `${what}, pieces`);
    const [ciphertext, tag] = [sealed.subarray(0, TEXT_LENGTH), sealed.subarray(TEXT_LENGTH)];
    equalBytes(openPieces(gcm, iv, [aad(9)], [ciphertext], tag), plaintext, `${what}, pieces, decrypt`);
    gcm.destroy();
  }
}

function emptyIv(target: Target): void {
  const gcm = target.create(keyOf(16));
  const none = new Uint8Array(0);
  throws(RangeError, () => gcm.encrypt(none, text(16)), "encrypt");
  throws(RangeError, () => gcm.decrypt(none, text(32)), "decrypt");
  throws(RangeError, () => gcm.encryptor(none), "encryptor");
  throws(RangeError, () => gcm.decryptor(none), "decryptor");
  throws(RangeError, () => gcm.mac(none, text(16)), "mac");
  gcm.destroy();
}

/** The row on IV lengths. */
export const ivCases: readonly Case[] = [
  { name: "IV: 1 to 65,536 bytes", run: allLengths },
  { name: "IV: none is refused", run: emptyIv },
];
