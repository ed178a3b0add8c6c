/** Cases for what is built on a platform's WebCrypto. No file here needs a test framework or a particular runtime. */
import { AesGcm } from "evariste";
import { Mismatch } from "../check.js";
import { Random } from "../random.js";

/** What the cases run against. */
export interface Platform {
  readonly name: string;
  readonly subtle: SubtleCrypto;
}

/** The platform of this runtime. */
export function thisPlatform(name: string): Platform {
  return { name, subtle: globalThis.crypto.subtle };
}

/** A named piece of evidence. */
export interface AsyncCase {
  readonly name: string;
  /** @throws when the platform, or what is built on it, is wrong */
  run(platform: Platform): Promise<void>;
}

/** Bytes in memory that WebCrypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The first 12 bytes of every nonce here. */
export const NONCE: Bytes = Uint8Array.from({ length: 12 }, (_, i) => 200 + i);

/** Repeatable bytes. */
export function bytes(length: number, seed = 1): Bytes {
  return new Random(seed * 1_000_003 + length).bytes(length);
}

/** A key of `length` bytes as CryptoKey that cannot be exported. */
export function cryptoKey(platform: Platform, raw: Bytes, usages: KeyUsage[]): Promise<CryptoKey> {
  return platform.subtle.importKey("raw", raw, "AES-GCM", false, usages);
}

/** What a one-shot call of the platform gives: ciphertext, then tag. */
export async function oneShot(
  platform: Platform,
  raw: Bytes,
  iv: Bytes,
  text: Bytes,
  aad: Bytes,
  tagLength = 16,
): Promise<Bytes> {
  const key = await cryptoKey(platform, raw, ["encrypt"]);
  const parameters = { name: "AES-GCM", iv, additionalData: aad, tagLength: tagLength * 8 };
  return new Uint8Array(await platform.subtle.encrypt(parameters, key, text));
}

/** What the synchronous engines give, for IVs and keys that not every platform takes. */
export function synchronous(raw: Bytes, iv: Bytes, text: Bytes, aad: Bytes): Bytes {
  const gcm = new AesGcm(raw);
  const sealed = gcm.encrypt(iv, text, { aad }).slice();
  gcm.destroy();
  return sealed;
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Awaits a rejection with an error of exactly this class. @returns the error */
export async function rejects(kind: ErrorClass, action: () => unknown, what: string): Promise<Error> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Error && error.constructor === kind) return error;
    throw new Mismatch(`${what}: ${String(error)}, not ${kind.name}`);
  }
  throw new Mismatch(`${what}: no error, not even ${kind.name}`);
}

/** A copy with one bit flipped. */
export function flipped(original: Bytes, at: number): Bytes {
  const copy = original.slice();
  copy[at] ^= 1;
  return copy;
}
