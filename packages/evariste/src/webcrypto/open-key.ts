/** From what callers have, a raw key or a CryptoKey, to a key for segments. */

import { checkBytes, checkKey } from "../checks.js";
import type { Direction } from "../engines/engine.js";
import { nativeHashKey } from "../engines/webcrypto/hash-key.js";
import { PlatformKey } from "../engines/webcrypto/platform-key.js";
import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { provePlatform } from "../engines/webcrypto/self-test.js";
import { SyncKey } from "../engines/webcrypto/sync-key.js";
import { copyOf } from "../gcm/bytes.js";
import { type CryptoKeyLike, needSubtle } from "./crypto-key.js";
import type { Settings } from "./settings.js";

/** What a CryptoKey allows, and a raw key in every respect. */
export interface Usages {
  readonly encrypt: boolean;
  readonly decrypt: boolean;
}

const ALL: Usages = { encrypt: true, decrypt: true };

/** A key that was checked. */
export interface OpenedKey {
  readonly usages: Usages;
  /** For one-shot calls; undefined where everything runs on synchronous engines. */
  readonly cryptoKey: CryptoKey | undefined;
  /** For segments; undefined for a CryptoKey without usage `encrypt`. */
  readonly segments: SegmentKey | undefined;
}

/**
 * @param key an AES-GCM CryptoKey, extractable or not; or 16, 24 or 32 bytes, copied before the promise is returned
 * @param syncEngines synchronous engines that a raw key should run on, by name, where they are there
 * @throws TypeError, RangeError for a key that is neither; Error when the platform's AES-GCM gives wrong answers
 */
export async function openKey(
  key: Uint8Array | CryptoKeyLike,
  subtle: SubtleCrypto | undefined,
  syncEngines: readonly string[] = [],
): Promise<OpenedKey> {
  if (isCryptoKey(key)) return openCryptoKey(key as CryptoKey, subtle);
  checkBytes("key", key);
  checkKey(key);
  const sync = new SyncKey(key);
  const large = sync.engine.split("+").pop()!;
  const imported = syncEngines.includes(large) ? undefined : await tryImport(copyOf(key), subtle);
  if (imported === undefined || subtle === undefined)
    return { usages: ALL, cryptoKey: undefined, segments: sync };
  sync.destroy();
  return { usages: ALL, cryptoKey: imported, segments: new PlatformKey(subtle, imported, nativeHashKey) };
}

/** @throws TypeError when the key may not be used in this direction, whatever could be done with it */
export function checkUsage(usages: Usages, direction: Direction): void {
  if (usages[direction]) return;
  const other = direction === "encrypt" ? "decrypt" : "encrypt";
  throw new TypeError(`the CryptoKey may only ${other}; usage "${direction}" is needed`);
}

/**
 * A key whose segments can be run at once, with H known.
 *
 * @throws what {@link openKey} and {@link checkUsage} throw; TypeError for a CryptoKey without usage `encrypt`
 */
export async function openSegments(
  key: Uint8Array | CryptoKeyLike,
  direction: Direction,
  { subtle, syncStreams }: Settings,
): Promise<SegmentKey> {
  const { usages, segments } = await openKey(key, subtle, syncStreams);
  checkUsage(usages, direction);
  if (segments === undefined) {
    throw new TypeError(
      'without usage "encrypt" a CryptoKey cannot work in segments; StitchedGcm.decrypt opens whole messages with "decrypt" alone',
    );
  }
  await segments.subkey();
  return segments;
}

async function openCryptoKey(key: CryptoKey, subtle: SubtleCrypto | undefined): Promise<OpenedKey> {
  if (key.algorithm.name !== "AES-GCM") {
    throw new TypeError(`the CryptoKey is for ${key.algorithm.name}; AES-GCM is needed`);
  }
  const platform = needSubtle(subtle);
  const usages = { encrypt: key.usages.includes("encrypt"), decrypt: key.usages.includes("decrypt") };
  if (!usages.encrypt && !usages.decrypt) {
    throw new TypeError("the CryptoKey allows neither encrypt nor decrypt");
  }
  await provePlatform(platform);
  return {
    usages,
    cryptoKey: key,
    segments: usages.encrypt ? new PlatformKey(platform, key, nativeHashKey) : undefined,
  };
}

/** The key as CryptoKey, or undefined where the platform cannot: no WebCrypto, or AES-192 in Chromium. */
async function tryImport(
  rawKey: Uint8Array<ArrayBuffer>,
  subtle: SubtleCrypto | undefined,
): Promise<CryptoKey | undefined> {
  if (subtle === undefined) return undefined;
  try {
    const imported = subtle.importKey("raw", rawKey, "AES-GCM", false, ["encrypt", "decrypt"]);
    const [cryptoKey] = await Promise.all([imported, provePlatform(subtle)]);
    return cryptoKey;
  } catch {
    return undefined;
  } finally {
    rawKey.fill(0);
  }
}

/**
 * Tells a CryptoKey from bytes, and from whatever else a caller may give, which the checks of bytes refuse. Not
 * instanceof: a key of another realm is as good, and some runtimes have no global class.
 */
export function isCryptoKey(key: unknown): key is CryptoKeyLike {
  return typeof key === "object" && key !== null && "algorithm" in key && "usages" in key;
}
