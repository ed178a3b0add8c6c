/** GHASH of a platform's key on an engine of our own, in place of WebCrypto's GMAC. */
import { warn } from "#platform";
import { equalTags } from "../../gcm/compare.js";
import type { HashSubkey } from "../../gcm/hash-subkey.js";
import { BLOCK } from "../../gcm/limits.js";
import type { Engine, HashKey } from "../engine.js";
import { loadEngine, switchedOff } from "../select.js";

/** More blocks than any kernel takes at a stride, and a part of one. */
const PROOF_LENGTH = 1111;

/** By engine, what came of its proof. */
const proofs = new WeakMap<Engine, boolean>();

/**
 * H on the native engine, which hashes a MiB in 0.2 ms on the calling thread; a GMAC of WebCrypto, which copies it as AAD, takes
 * at least four times as long. WebAssembly would not be faster than that.
 *
 * @returns undefined where that engine is not to be had, or hashes wrongly
 */
export function nativeHashKey(subkey: HashSubkey): HashKey | undefined {
  const h = subkey.bytes();
  try {
    const engine = loadEngine("native");
    const key = engine.createHashKey?.(h, switchedOff());
    if (key === undefined || isProven(engine, key, subkey)) return key;
    key.wipe();
  } catch {
    // Not part of this build, or not available here.
  } finally {
    h.fill(0);
  }
  return undefined;
}

/** Compares the engine's first hash with the plain one. */
function isProven(engine: Engine, key: HashKey, subkey: HashSubkey): boolean {
  let proven = proofs.get(engine);
  if (proven === undefined) {
    const data = Uint8Array.from({ length: PROOF_LENGTH }, (_, i) => i * 7 + 3);
    const [hash, expected] = [new Uint8Array(BLOCK), new Uint8Array(BLOCK)];
    key.ghash(data, hash);
    subkey.ghash(data, expected);
    proven = equalTags(hash, expected, BLOCK);
    // H can be computed from the hash of known data.
    for (const secret of [hash, expected]) secret.fill(0);
    proofs.set(engine, proven);
    if (!proven) warn(`evariste: GHASH of the ${engine.name} engine failed its self-test; it is not used`);
  }
  return proven;
}
