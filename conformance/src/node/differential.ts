/**
 * Random messages sealed by node:crypto. It refuses IVs of more than 128 bytes; for those it gets the 16-byte IV that
 * the model finds to lead to the same J0, so that it still computes the whole message independently.
 */
import { createCipheriv } from "node:crypto";
import { KEY_LENGTHS } from "../cases/common.js";
import type { ExpectedMessage } from "../differential.js";
import { Model } from "../model.js";
import { Random } from "../random.js";

const LONGEST_IV_OF_NODE = 128;
/** The model's set-up costs more than a message, so that several messages share a key. */
const MESSAGES_PER_KEY = 50;

/** GCM-AE by node:crypto, whatever the IV's length. */
export function nodeSeal(
  key: Uint8Array,
  iv: Uint8Array,
  aad: Uint8Array,
  plaintext: Uint8Array,
  model: () => Model = () => new Model(key),
): Uint8Array {
  const usable = iv.length <= LONGEST_IV_OF_NODE ? iv : model().ivFor(model().j0(iv));
  const cipher = createCipheriv(`aes-${key.length * 8}-gcm` as "aes-128-gcm", key, usable);
  cipher.setAAD(aad);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** `count` messages: texts of 0 to 5,000 bytes, AAD of 0 to 300, IVs of 1 to 300, three key lengths. */
export function* randomMessages(seed: number, count: number): Generator<ExpectedMessage> {
  const random = new Random(seed);
  for (let i = 0; i < count; ) {
    const key = random.bytes(random.pick(KEY_LENGTHS));
    const model = new Model(key);
    for (let j = 0; j < MESSAGES_PER_KEY && i < count; i++, j++) {
      const iv = random.bytes(random.between(1, 300));
      const aad = random.bytes(random.between(0, 300));
      const plaintext = random.bytes(random.between(0, 5000));
      yield { key, iv, aad, plaintext, sealed: nodeSeal(key, iv, aad, plaintext, () => model) };
    }
  }
}
