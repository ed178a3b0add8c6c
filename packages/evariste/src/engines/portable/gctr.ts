/** GCTR (SP 800-38D, clause 6.5) over the keystream of `aes.ts`. */

import { type AesKey, fillKeystream, keystream, MAX_BLOCKS } from "./aes.js";

/**
 * XORs `length` bytes with the keystream that starts at prefix || counter. Leaves keystream behind: whoever started
 * calls `clearKeystream` in the end. `out` may be the very memory of `input`.
 */
export function gctr(
  key: AesKey,
  prefix: Int32Array,
  counter: number,
  input: Uint8Array,
  inputOffset: number,
  out: Uint8Array,
  outOffset: number,
  length: number,
): void {
  let next = counter;
  for (let done = 0; done < length; ) {
    const take = Math.min(length - done, 16 * MAX_BLOCKS);
    fillKeystream(key, prefix, next, (take + 15) >>> 4);
    xorKeystream(0, input, inputOffset + done, out, outOffset + done, take);
    next = (next + MAX_BLOCKS) | 0;
    done += take;
  }
}

/**
 * XORs `length` bytes with words of the keystream.
 *
 * @param word the first of them
 */
export function xorKeystream(
  word: number,
  input: Uint8Array,
  inputOffset: number,
  out: Uint8Array,
  outOffset: number,
  length: number,
): void {
  const whole = length >>> 2;
  let from = inputOffset;
  let to = outOffset;
  for (let i = word; i < word + whole; i++) {
    const k = keystream[i];
    out[to] = input[from] ^ (k >>> 24);
    out[to + 1] = input[from + 1] ^ (k >>> 16);
    out[to + 2] = input[from + 2] ^ (k >>> 8);
    out[to + 3] = input[from + 3] ^ k;
    from += 4;
    to += 4;
  }
  const rest = length & 3;
  for (let i = 0; i < rest; i++) {
    out[to + i] = input[from + i] ^ (keystream[word + whole] >>> (24 - 8 * i));
  }
}
