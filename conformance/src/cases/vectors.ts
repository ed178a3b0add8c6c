/** The published test cases, whole, in place and in pieces. */
import type { Case, Target } from "../case.js";
import { concat, equalBytes, fromHex } from "../check.js";
import { GCM_SPEC, type Vector } from "../vectors/gcm-spec.js";
import { openPieces, sealPieces } from "./common.js";

function runVector(target: Target, vector: Vector): void {
  const gcm = target.create(fromHex(vector.key));
  const [iv, aad, plaintext] = [vector.iv, vector.aad, vector.plaintext].map(fromHex);
  const tag = fromHex(vector.tag);
  const ciphertext = fromHex(vector.ciphertext);
  const sealed = concat(ciphertext, tag);
  equalBytes(gcm.encrypt(iv, plaintext, { aad }), sealed, "encrypt");
  equalBytes(gcm.decrypt(iv, sealed, { aad }), plaintext, "decrypt");
  const pieces = [plaintext.subarray(0, 5), plaintext.subarray(5)];
  equalBytes(sealPieces(gcm, iv, [aad], pieces), sealed, "encryptor");
  equalBytes(openPieces(gcm, iv, [aad], [ciphertext], tag), plaintext, "decryptor");
  const place = concat(plaintext, tag);
  gcm.encryptInto(iv, place.subarray(0, plaintext.length), place, { aad });
  equalBytes(place, sealed, "encrypt in place");
  gcm.destroy();
}

/** One case per vector. */
export const vectorCases: readonly Case[] = GCM_SPEC.map((vector) => ({
  name: `vectors: GCM specification, ${vector.name}`,
  run: (target) => runVector(target, vector),
}));
