/** Tags that are cut, lengthened or of another length, and messages with one bit changed. */
import { AuthenticationError } from "evariste";
import type { Case, Target } from "../case.js";
import { allBytes, equalBytes, throws } from "../check.js";
import { aad, keyOf, modelOf, NONCE, text } from "./common.js";

function tagLengths(target: Target): void {
  const full = modelOf(16).seal(NONCE, aad(5), text(33));
  for (const tagLength of [4, 8, 12, 13, 14, 15, 16]) {
    const gcm = target.create(keyOf(16), { tagLength, allowShortTags: tagLength < 12 });
    const sealed = full.subarray(0, 33 + tagLength);
    const what = `tag of ${tagLength} bytes`;
    equalBytes(gcm.encrypt(NONCE, text(33), { aad: aad(5) }), sealed, what);
    equalBytes(gcm.decrypt(NONCE, sealed, { aad: aad(5) }), text(33), `${what}, decrypt`);
    const encryptor = gcm.encryptor(NONCE).aad(aad(5));
    encryptor.update(text(33));
    equalBytes(encryptor.finish(), sealed.subarray(33), `${what}, pieces`);
    for (let bit = 0; bit < 8 * tagLength; bit++) {
      const forged = flipped(sealed, 33 * 8 + bit);
      throws(AuthenticationError, () => gcm.decrypt(NONCE, forged, { aad: aad(5) }), `${what}, bit ${bit}`);
    }
    gcm.destroy();
  }
  for (const tagLength of [-1, 0, 1, 3, 4, 5, 8, 11, 12.5, 17, Number.NaN])
    throws(RangeError, () => target.create(keyOf(16), { tagLength }), `tagLength ${tagLength}`);
  for (const tagLength of [0, 1, 5, 6, 7, 9, 11, 17])
    throws(
      RangeError,
      () => target.create(keyOf(16), { tagLength, allowShortTags: true }),
      `short ${tagLength}`,
    );
}

/** Each prefix of a tag, and each longer one. */
function cutTags(target: Target): void {
  const gcm = target.create(keyOf(32));
  for (const length of [0, 1, 40]) {
    const sealed = modelOf(32).seal(NONCE, aad(3), text(length));
    for (const tagBytes of [0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15, 17, 24, 32]) {
      const given = new Uint8Array(length + tagBytes);
      given.set(sealed.subarray(0, given.length));
      const what = `${length} bytes of text, ${tagBytes} of tag`;
      throws(AuthenticationError, () => gcm.decrypt(NONCE, given, { aad: aad(3) }), what);
      const decryptor = gcm.decryptor(NONCE).aad(aad(3));
      decryptor.updateUnverified(given.subarray(0, length));
      throws(AuthenticationError, () => decryptor.finish(given.subarray(length)), `${what}, pieces`);
    }
  }
  gcm.destroy();
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3] ^= 1 << (bit & 7);
  return copy;
}

function rejected(target: Target, keyLength: number, iv: Uint8Array, length: number): void {
  const gcm = target.create(keyOf(keyLength));
  const header = aad(18);
  const sealed = modelOf(keyLength).seal(iv, header, text(length));
  const attempt = (what: string, anIv: Uint8Array, given: Uint8Array, anAad: Uint8Array) => {
    const out = new Uint8Array(length + 3).fill(0xcc);
    throws(AuthenticationError, () => gcm.decryptInto(anIv, given, out, { aad: anAad }), what);
    allBytes(out.subarray(0, length), 0, `${what}: output`);
    allBytes(out.subarray(length), 0xcc, `${what}: beyond the output`);
    const decryptor = gcm.decryptor(anIv).aad(anAad);
    decryptor.updateUnverified(given.subarray(0, length));
    throws(AuthenticationError, () => decryptor.finish(given.subarray(length)), `${what}, pieces`);
  };
  for (let bit = 0; bit < 8 * sealed.length; bit++)
    attempt(`bit ${bit} of ciphertext and tag`, iv, flipped(sealed, bit), header);
  for (let bit = 0; bit < 8 * header.length; bit++)
    attempt(`bit ${bit} of the AAD`, iv, sealed, flipped(header, bit));
  for (let bit = 0; bit < 8 * iv.length; bit++)
    attempt(`bit ${bit} of the IV`, flipped(iv, bit), sealed, header);
  attempt("AAD cut", iv, sealed, header.subarray(1));
  attempt("AAD with a zero more", iv, sealed, Uint8Array.of(...header, 0));
  gcm.destroy();
}

/** The key changed by one bit gives another schedule, H and tag. */
function wrongKey(target: Target): void {
  const sealed = modelOf(24).seal(NONCE, aad(0), text(20));
  for (let bit = 0; bit < 8 * 24; bit += 7) {
    const gcm = target.create(flipped(keyOf(24), bit));
    throws(AuthenticationError, () => gcm.decrypt(NONCE, sealed), `bit ${bit} of the key`);
    gcm.destroy();
  }
}

/** The rows on tags. */
export const forgeryCases: readonly Case[] = [
  { name: "tags: lengths that are allowed, and no other", run: tagLengths },
  { name: "tags: cut and lengthened ones are refused", run: cutTags },
  { name: "forgeries: every bit, no text", run: (target) => rejected(target, 16, NONCE, 0) },
  { name: "forgeries: every bit, 37 bytes", run: (target) => rejected(target, 16, NONCE, 37) },
  { name: "forgeries: every bit, 200 bytes, IV of 16", run: (target) => rejected(target, 32, text(16), 200) },
  {
    name: "forgeries: every bit, 1,000 bytes",
    weight: "fast",
    run: (target) => rejected(target, 24, text(13), 1000),
  },
  { name: "forgeries: wrong key", run: wrongKey },
];
