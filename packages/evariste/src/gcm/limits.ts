/** Sizes that NIST SP 800-38D clause 5.2.1.1 sets for one message, in bytes, and what of them a number can count. */

/** Block length of AES, in bytes. */
export const BLOCK = 16;

/** Longest plaintext of one message: 2^39 − 256 bits. */
export const MAX_PLAINTEXT = 2 ** 36 - 32;

/**
 * Longest AAD that is counted exactly. The standard allows 2^61 − 1 bytes; a JavaScript number is exact up to
 * 2^53 − 1, which at 100 GB/s takes a day to reach.
 */
export const MAX_AAD = Number.MAX_SAFE_INTEGER;

/** Longest IV, 2^32 bytes: more than any view could hold when this was written; the standard allows 2^61 − 1. */
export const MAX_IV = 2 ** 32;

/** IV length that J0 is built from without GHASH (clause 7.1 step 2). */
export const NONCE_LENGTH = 12;

/** Tag lengths of clause 5.2.1.2 that are always allowed. */
export const TAG_LENGTHS: readonly number[] = [12, 13, 14, 15, 16];

/** Tag lengths of appendix C: only for protocols that bound how much an attacker can try. */
export const SHORT_TAG_LENGTHS: readonly number[] = [4, 8];

/** Messages under one key with random 96-bit IVs (clause 8.3). */
export const MAX_RANDOM_NONCES = 2 ** 32;
