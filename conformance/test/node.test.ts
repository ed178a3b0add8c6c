import { describe, expect, it } from "vitest";
import { runDifferential } from "../src/differential.js";
import { affords, targets } from "../src/index.js";
import { Model } from "../src/model.js";
import { nodeCases, nodeSeal, randomMessages } from "../src/node/index.js";
import { GCM_SPEC } from "../src/vectors/gcm-spec.js";

const COUNT = 10_000;
const seed = Number(process.env.EVARISTE_SEED ?? 1);
const messages = [...randomMessages(seed, COUNT)];
const bytes = (digits: string) => Uint8Array.from(Buffer.from(digits, "hex"));

describe("the model", () => {
  it.each(GCM_SPEC)("gives the published answer of $name, and so does node:crypto", (vector) => {
    const [key, iv, aad, plaintext] = [vector.key, vector.iv, vector.aad, vector.plaintext].map(bytes);
    const sealed = vector.ciphertext + vector.tag;
    expect(Buffer.from(new Model(key).seal(iv, aad, plaintext)).toString("hex")).toBe(sealed);
    expect(Buffer.from(nodeSeal(key, iv, aad, plaintext)).toString("hex")).toBe(sealed);
  });

  it("equals node:crypto on random messages, long IVs included", () => {
    for (const { key, iv, aad, plaintext, sealed } of messages.filter((_, i) => i % 100 === 0))
      expect(Buffer.compare(new Model(key).seal(iv, aad, plaintext), sealed)).toBe(0);
  });
});

describe.each(targets().map((target) => ({ name: target.name, target })))("$name", ({ target }) => {
  const count = target.chosen ? COUNT : COUNT / 5;
  it(
    `equals node:crypto on ${count} random messages, seed ${seed}`,
    () => runDifferential(target, messages.slice(0, count), seed),
    180_000,
  );
  for (const each of nodeCases.filter((one) => affords(target, one)))
    it(each.name, () => each.run(target), 120_000);
});
