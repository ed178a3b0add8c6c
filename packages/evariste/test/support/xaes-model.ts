import { createCipheriv } from "node:crypto";

/** XAES-256-GCM as c2sp.org/XAES-256-GCM spells it out, with node:crypto: the model that the library is compared with. */
export function modelXaesSeal(
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  aad: Uint8Array,
): Buffer {
  const aes = (block: Uint8Array) => createCipheriv("aes-256-ecb", key, null).update(block);
  const l = BigInt(`0x${aes(new Uint8Array(16)).toString("hex")}`);
  const k1 = ((l << 1n) ^ (l >> 127n === 1n ? 0x87n : 0n)) & (2n ** 128n - 1n);
  const derived = [1, 2].map((i) => {
    const m = BigInt(`0x000${i}5800${Buffer.from(nonce.subarray(0, 12)).toString("hex")}`);
    return aes(Buffer.from((m ^ k1).toString(16).padStart(32, "0"), "hex"));
  });
  const cipher = createCipheriv("aes-256-gcm", Buffer.concat(derived), nonce.subarray(12));
  cipher.setAAD(aad);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}
