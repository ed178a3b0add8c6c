/** One cipher, one message, into the caller's memory. */
import type { Cipher, CipherGCM, Decipher, DecipherGCM } from "node:crypto";

/**
 * Bytes per update. Each update allocates its output: of this size the allocator gives the same memory again, warm in
 * the cache, where one update of megabytes would pay a page fault for every 4 KiB. Input, output and copy of a piece
 * together fit a second-level cache of 256 KiB. `npm run bench -- openssl-by-hand` has the sizes around it.
 */
const PIECE = 64 * 1024;

/** Bytes that one call takes: node:crypto refuses 2^31 and more. */
export const LONGEST_UPDATE = 2 ** 30;

/** Absorbs an AAD of any length. */
export function absorbAad(cipher: CipherGCM | DecipherGCM, aad: Uint8Array): void {
  if (aad.length === 0) return;
  if (aad.length <= LONGEST_UPDATE) cipher.setAAD(aad);
  else
    for (let at = 0; at < aad.length; at += LONGEST_UPDATE)
      cipher.setAAD(aad.subarray(at, at + LONGEST_UPDATE));
}

/** Runs `input` through the cipher and copies what comes out to the start of `out`. */
export function pump(cipher: Cipher | Decipher, input: Uint8Array, out: Uint8Array): void {
  if (input.length === 0) return;
  // No view for the most frequent case: it costs as much as the copy.
  if (input.length <= PIECE) out.set(cipher.update(input));
  else
    for (let at = 0; at < input.length; at += PIECE)
      out.set(cipher.update(input.subarray(at, at + PIECE)), at);
}

/** As {@link pump}, and clears node:crypto's own copies of the output: they hold plaintext or keystream. */
export function pumpSecret(cipher: Cipher | Decipher, input: Uint8Array, out: Uint8Array): void {
  if (input.length === 0) return;
  if (input.length <= PIECE) moveSecret(cipher.update(input), out, 0);
  else
    for (let at = 0; at < input.length; at += PIECE)
      moveSecret(cipher.update(input.subarray(at, at + PIECE)), out, at);
}

function moveSecret(piece: Uint8Array, out: Uint8Array, at: number): void {
  out.set(piece, at);
  piece.fill(0);
}
