/** H of a key that the platform keeps to itself. */

import * as gf128 from "../../gcm/gf128.js";
import { HashSubkey, xorInto } from "../../gcm/hash-subkey.js";
import { BLOCK } from "../../gcm/limits.js";

/** What two tags have told. All of it is secret. */
export interface Probe {
  readonly subkey: HashSubkey;
  /** A random IV of 16 bytes under which GMACs may be made that never leave the library. */
  readonly iv: Uint8Array<ArrayBuffer>;
  /** CIPH_K(J0) of that IV. */
  readonly mask: Uint8Array<ArrayBuffer>;
}

/**
 * Recovers H. For one IV, no text and one block A of AAD, the tag is T = A·H² ⊕ [128]·H ⊕ CIPH_K(J0) (clause 7.1), so
 * A = 0 and A = 1 (the field's one) give T₁ ⊕ T₂ = H², and in GF(2^128) every element has one square root. This is
 * Joux's attack on repeated IVs, done by the holder of the key: the IV is random, so its J0 meets a counter block
 * of real data with probability N/2^128 for N blocks, and neither tag leaves this function.
 *
 * @param gmac the full tag of a message without text
 * @throws Error when both tags are equal: H is zero, or this is no AES-GCM
 */
export async function recover(
  gmac: (iv: Uint8Array<ArrayBuffer>, aad: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Probe> {
  const iv = new Uint8Array(BLOCK);
  globalThis.crypto.getRandomValues(iv);
  const zero = new Uint8Array(BLOCK);
  const one = new Uint8Array(BLOCK);
  one[0] = 0x80;
  const [tag, otherTag] = await Promise.all([gmac(iv, zero), gmac(iv, one)]);
  xorInto(otherTag, tag);
  const root = gf128.sqrt(gf128.fromBytes(otherTag));
  gf128.toBytes(root, otherTag);
  const subkey = new HashSubkey(otherTag);
  root.fill(0);
  otherTag.fill(0);
  if (subkey.isZero) {
    throw new Error(
      "the platform's AES-GCM tags do not depend on the AAD: this key cannot authenticate anything",
    );
  }
  // T = S ⊕ mask, so with T for the mask comes the mask; the hash of a zero block is zero.
  const mask = new Uint8Array(BLOCK);
  subkey.hashToTag(mask, tag, BLOCK, 0);
  tag.fill(0);
  return { subkey, iv, mask };
}
