/** Messages by one call of the platform. */

import { preCounterBlock } from "../engines/webcrypto/text.js";
import { AuthenticationError } from "../errors.js";
import { BLOCK, NONCE_LENGTH } from "../gcm/limits.js";
import type { OpenedKey } from "./open-key.js";
import type { Settings } from "./settings.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** @returns ciphertext ‖ tag */
export async function sealOnce(
  settings: Settings,
  key: OpenedKey,
  iv: Bytes,
  plaintext: Bytes,
  aad: Bytes,
): Promise<Bytes> {
  const parameters = await parametersOf(settings, key, iv, aad);
  return new Uint8Array(await settings.subtle!.encrypt(parameters, key.cryptoKey!, plaintext));
}

/** @throws AuthenticationError when the platform does not open it */
export async function openOnce(
  settings: Settings,
  key: OpenedKey,
  iv: Bytes,
  sealed: Bytes,
  aad: Bytes,
): Promise<Bytes> {
  const parameters = await parametersOf(settings, key, iv, aad);
  try {
    return new Uint8Array(await settings.subtle!.decrypt(parameters, key.cryptoKey!, sealed));
  } catch (error) {
    // What WebCrypto says of a wrong tag; it has no name of its own.
    if (error instanceof Error && error.name === "OperationError") throw new AuthenticationError();
    throw error;
  }
}

async function parametersOf(
  settings: Settings,
  key: OpenedKey,
  iv: Bytes,
  aad: Bytes,
): Promise<AesGcmParams> {
  return {
    name: "AES-GCM",
    iv: await usableIv(key, iv),
    additionalData: aad,
    tagLength: settings.tagLength * 8,
  };
}

/** An IV of a length that every platform takes and that leads to the same J0. Without usage `encrypt` the IV itself. */
async function usableIv({ segments }: OpenedKey, iv: Bytes): Promise<Bytes> {
  if (iv.length === NONCE_LENGTH || iv.length === BLOCK || segments === undefined) return iv;
  const subkey = await segments.subkey();
  return subkey.ivForJ0(await preCounterBlock(segments, iv));
}
