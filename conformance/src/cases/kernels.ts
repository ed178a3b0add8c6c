/** The forced kernel ran, and the ones that were switched off did not. */
import type { Case, Target } from "../case.js";
import { check, equal } from "../check.js";
import { aad, keyOf, NONCE, openPieces, sealPieces, text } from "./common.js";

function ranAlone(target: Target): void {
  const before = { ...target.kernelCalls() };
  for (const name of target.kernels) check(name in before, `no trace counter for ${name}`);
  for (const length of [16, 1024, 70_000]) {
    const gcm = target.create(keyOf(16));
    const sealed = gcm.encrypt(NONCE, text(length), { aad: aad(20) });
    gcm.decrypt(NONCE, sealed, { aad: aad(20) });
    sealPieces(gcm, NONCE, [aad(20)], [text(length)]);
    openPieces(gcm, NONCE, [aad(20)], [sealed.subarray(0, length)], sealed.subarray(length));
    gcm.destroy();
  }
  const after = target.kernelCalls();
  for (const name of target.kernels) check(after[name] > before[name], `${name} did not run`);
  for (const name of target.disable) {
    if (name in before) equal(after[name], before[name], `calls of ${name}, which is switched off`);
  }
}

/** The trace counters. */
export const kernelCases: readonly Case[] = [
  { name: "kernel: the one that was asked for runs, those switched off do not", run: ranAlone },
];
