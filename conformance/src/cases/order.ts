/** All orders of calls as a state machine (openssl#32011, #32875): random programs run beside a plain model. */
import { AuthenticationError, type GcmDecryptor, type GcmEncryptor, StateError } from "evariste";
import fc from "fast-check";
import type { Case, Target } from "../case.js";
import { concat, equal, equalBytes, throws } from "../check.js";
import type { Model } from "../model.js";
import { aad, keyOf, modelOf, NONCE, text } from "./common.js";

/** What a stream has taken so far, as plain bytes. */
interface Expected {
  phase: "aad" | "text" | "finished";
  readonly model: Model;
  readonly encrypts: boolean;
  aad: Uint8Array;
  /** Plaintext when encrypting, ciphertext when decrypting. */
  text: Uint8Array;
}

type Stream = { readonly encryptor: GcmEncryptor } | { readonly decryptor: GcmDecryptor };
type Step = fc.Command<Expected, Stream>;

function step(name: string, run: (expected: Expected, stream: Stream) => void): Step {
  return { check: () => true, run, toString: () => name };
}

function aadStep(length: number): Step {
  return step(`aad(${length})`, (expected, stream) => {
    const target = "encryptor" in stream ? stream.encryptor : stream.decryptor;
    if (expected.phase !== "aad") {
      throws(StateError, () => target.aad(aad(length)), "aad");
      return;
    }
    target.aad(aad(length));
    expected.aad = concat(expected.aad, aad(length));
  });
}

function updateStep(length: number, inPlace: boolean): Step {
  return step(`update(${length}${inPlace ? ", in place" : ""})`, (expected, stream) => {
    const chunk = text(length);
    const out = inPlace ? chunk : undefined;
    const update = () =>
      "encryptor" in stream
        ? stream.encryptor.update(chunk, out)
        : stream.decryptor.updateUnverified(chunk, out);
    if (expected.phase === "finished") {
      throws(StateError, update, "update");
      return;
    }
    const before = expected.text.length;
    expected.phase = "text";
    expected.text = concat(expected.text, text(length));
    const wanted = expected.model.seal(NONCE, aad(0), expected.text).subarray(before, before + length);
    equalBytes(update(), wanted, "output");
  });
}

function finishStep(forge: boolean): Step {
  return step(forge ? "finish(forged)" : "finish", (expected, stream) => {
    const tag = tagOf(expected);
    if (forge) tag[tag[0] & 15] ^= 1;
    const finish = () => ("encryptor" in stream ? stream.encryptor.finish() : stream.decryptor.finish(tag));
    if (expected.phase === "finished") throws(StateError, finish, "finish");
    else if ("encryptor" in stream) equalBytes(stream.encryptor.finish(), tagOf(expected), "tag");
    else if (forge) throws(AuthenticationError, finish, "forged");
    else equal(stream.decryptor.finish(tag), undefined, "finish");
    expected.phase = "finished";
  });
}

function tagOf({ model, encrypts, aad: header, text: taken }: Expected): Uint8Array {
  const sealed = model.seal(NONCE, header, taken);
  // CTR is its own inverse: the model's ciphertext of a ciphertext is the plaintext.
  const ciphertext = encrypts ? sealed.subarray(0, taken.length) : taken;
  return model.tag(model.j0(NONCE), header, ciphertext);
}

const cancelStep = step("cancel", (expected, stream) => {
  ("encryptor" in stream ? stream.encryptor : stream.decryptor).cancel();
  expected.phase = "finished";
});

const program = fc.commands(
  [
    fc.integer({ min: 0, max: 40 }).map(aadStep),
    fc
      .tuple(fc.integer({ min: 0, max: 70 }), fc.boolean())
      .map(([length, inPlace]) => updateStep(length, inPlace)),
    fc.boolean().map(finishStep),
    fc.constant(cancelStep),
  ],
  { maxCommands: 12 },
);

/** @throws with the seed and the smallest failing program */
function anyOrder(target: Target, encrypts: boolean): void {
  const gcm = target.create(keyOf(16));
  fc.assert(
    fc.property(program, (steps) => {
      fc.modelRun(
        () => ({
          model: { phase: "aad", model: modelOf(16), encrypts, aad: aad(0), text: text(0) } as Expected,
          real: encrypts ? { encryptor: gcm.encryptor(NONCE) } : { decryptor: gcm.decryptor(NONCE) },
        }),
        steps,
      );
    }),
    { numRuns: 150 },
  );
  gcm.destroy();
}

/** The row on calls in the wrong order. */
export const orderCases: readonly Case[] = [
  { name: "order: any order of an encryptor's calls", run: (target) => anyOrder(target, true) },
  { name: "order: any order of a decryptor's calls", run: (target) => anyOrder(target, false) },
];
