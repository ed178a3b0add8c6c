/** Random messages compared with what another implementation makes of them. */
import type { AesGcm } from "evariste";
import type { Target } from "./case.js";
import { openPieces, sealPieces } from "./cases/common.js";
import { equalBytes, fromHex, toHex } from "./check.js";
import { Random } from "./random.js";

/** A message and what the other implementation makes of it. */
export interface ExpectedMessage {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  readonly aad: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly sealed: Uint8Array;
}

/** The bytes of an {@link ExpectedMessage} as hexadecimal digits: how one runtime tells another. */
export type MessageDigits = Readonly<Record<keyof ExpectedMessage, string>>;

/** For the way to another runtime. */
export function toDigits({ key, iv, aad, plaintext, sealed }: ExpectedMessage): MessageDigits {
  return {
    key: toHex(key),
    iv: toHex(iv),
    aad: toHex(aad),
    plaintext: toHex(plaintext),
    sealed: toHex(sealed),
  };
}

/** Back from {@link toDigits}. */
export function fromDigits({ key, iv, aad, plaintext, sealed }: MessageDigits): ExpectedMessage {
  return {
    key: fromHex(key),
    iv: fromHex(iv),
    aad: fromHex(aad),
    plaintext: fromHex(plaintext),
    sealed: fromHex(sealed),
  };
}

/**
 * Whole and in pieces, both ways.
 *
 * @param seed of the messages: with it and the number that an error gives the message can be had again
 */
export function runDifferential(target: Target, messages: Iterable<ExpectedMessage>, seed: number): void {
  const random = new Random(seed + 1);
  let gcm: AesGcm | undefined;
  let current: Uint8Array | undefined;
  let i = 0;
  for (const { key, iv, aad, plaintext, sealed } of messages) {
    if (gcm === undefined || key !== current) {
      gcm?.destroy();
      gcm = target.create(key);
      current = key;
    }
    const what = `message ${i++} of seed ${seed} (AES-${key.length * 8}, IV ${iv.length}, AAD ${aad.length}, text ${plaintext.length})`;
    equalBytes(gcm.encrypt(iv, plaintext, { aad }), sealed, what);
    equalBytes(gcm.decrypt(iv, sealed, { aad }), plaintext, `${what}: decrypt`);
    const header = random.cut(aad, random.between(1, 3));
    const pieces = random.cut(plaintext, random.between(1, 5));
    equalBytes(sealPieces(gcm, iv, header, pieces), sealed, `${what}: pieces`);
    const parts = random.cut(sealed.subarray(0, plaintext.length), random.between(1, 5));
    const opened = openPieces(gcm, iv, header, parts, sealed.subarray(plaintext.length));
    equalBytes(opened, plaintext, `${what}: pieces, decrypt`);
  }
  gcm?.destroy();
}
