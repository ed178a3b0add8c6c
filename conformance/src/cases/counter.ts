/** The 32-bit counter at its wrap (openssl#17607), through IVs that are solved for a chosen J0. */
import type { Case, Target } from "../case.js";
import { equalBytes } from "../check.js";
import { addToCounter } from "../model.js";
import { aad, KEY_LENGTHS, keyOf, modelOf, once, openPieces, sealPieces, text } from "./common.js";

/** Last words of J0: the wrap before the first text block, after it, and inside wide strides. */
const LAST_WORDS = [
  0xffffffff, 0xfffffffe, 0xfffffffd, 0xfffffff9, 0xfffffff0, 0xffffffe1, 0xffffffc0, 0x7fffffff,
];
const BLOCKS = [1, 2, 3, 8, 16, 32, 33, 65, 130];

function endingIn(lastWord: number): Uint8Array {
  const block = text(16);
  new DataView(block.buffer).setUint32(12, lastWord);
  return block;
}

/** The longest message per J0; shorter ones have prefixes of its ciphertext. */
const expected = once(() =>
  KEY_LENGTHS.flatMap((keyLength) =>
    LAST_WORDS.map((lastWord) => {
      const model = modelOf(keyLength);
      const j0 = endingIn(lastWord);
      const ciphertext = model.gctr(addToCounter(j0, 1), text(16 * BLOCKS[BLOCKS.length - 1]));
      const tags = BLOCKS.map((blocks) => model.tag(j0, aad(20), ciphertext.subarray(0, 16 * blocks - 3)));
      return { keyLength, lastWord, iv: model.ivFor(j0), ciphertext, tags };
    }),
  ),
);

function wholeAndPieces(target: Target): void {
  for (const { keyLength, lastWord, iv, ciphertext, tags } of expected()) {
    const gcm = target.create(keyOf(keyLength));
    BLOCKS.forEach((blocks, i) => {
      const what = `AES-${keyLength * 8}, J0 ends in ${lastWord.toString(16)}, ${blocks} blocks`;
      const length = 16 * blocks - 3;
      const plaintext = text(length);
      const sealed = new Uint8Array([...ciphertext.subarray(0, length), ...tags[i]]);
      equalBytes(gcm.encrypt(iv, plaintext, { aad: aad(20) }), sealed, what);
      equalBytes(gcm.decrypt(iv, sealed, { aad: aad(20) }), plaintext, `${what}, decrypt`);
      const pieces = [plaintext.subarray(0, 17), plaintext.subarray(17)];
      equalBytes(sealPieces(gcm, iv, [aad(20)], pieces), sealed, `${what}, pieces`);
      const parts = [sealed.subarray(0, 9), sealed.subarray(9, length)];
      equalBytes(openPieces(gcm, iv, [aad(20)], parts, tags[i]), plaintext, `${what}, pieces, decrypt`);
    });
    gcm.destroy();
  }
}

function gctrAlone(target: Target): void {
  const key = target.engineKey(keyOf(16));
  for (const lastWord of LAST_WORDS) {
    const icb = endingIn(lastWord);
    const wanted = modelOf(16).gctr(icb, text(16 * 70 + 5));
    for (const length of [1, 15, 16, 17, 32, 100, 128, 129, 16 * 70 + 5]) {
      const out = new Uint8Array(length);
      key.gctr(icb, text(length), out);
      equalBytes(out, wanted.subarray(0, length), `gctr from ${lastWord.toString(16)}, ${length} bytes`);
      equalBytes(icb, endingIn(lastWord), "gctr changed its counter block");
    }
  }
  key.wipe();
}

function ghashAlone(target: Target): void {
  const key = target.engineKey(keyOf(32));
  for (const length of [0, 1, 15, 16, 17, 64, 127, 128, 129, 1000, 4096 + 13]) {
    for (const start of [new Uint8Array(16), text(16)]) {
      const y = Uint8Array.from(start);
      key.ghash(text(length), y);
      equalBytes(y, modelOf(32).ghash(text(length), start), `ghash of ${length} bytes`);
    }
  }
  key.wipe();
}

/** Counter wrap, and the engine's own GCTR and GHASH. */
export const counterCases: readonly Case[] = [
  { name: "counter: wraps at 32 bits, in no wider way", run: wholeAndPieces },
  { name: "counter: GCTR alone wraps at 32 bits", run: gctrAlone },
  { name: "engine: GHASH alone, from any state and for any length", run: ghashAlone },
];
