/**
 * GF(2^128) as GHASH sees it (SP 800-38D, clause 6.3), in time independent of the elements.
 *
 * An element is an Int32Array of 4 big-endian words: the first bit of the block, the coefficient of x^0, is the
 * most significant bit of word 0. Signed words, because V8 keeps those in plain registers.
 *
 * Products come from integer multiplication with holes: of two 16-bit factors every third bit is kept, so a column
 * of the product adds at most 6 bits, and 6 fits in the three places up to the next column: nothing reaches the
 * lowest of them from below. The idea is Thomas Pornin's (BearSSL, "ghash_ctmul"); 16-bit factors are used because
 * their 31-bit products fit in `Math.imul`, so no second, bit-reversed multiplication is needed for high halves.
 * It relies on the processor's 32-bit multiplication taking the same time for all operands.
 */

import { load32, store32 } from "./bytes.js";

/** Words in the form of a factor that {@link multiply} takes: the words and their Karatsuba sums. */
export const FACTOR_WORDS = 9;

/** Every third bit of a word, from bit 0, bit 1 and bit 2. */
const COLUMN0 = 0x49249249;
const COLUMN1 = 0x92492492 | 0;
const COLUMN2 = 0x24924924;

// Scratch longer than 64 bytes lies outside V8's heap, and optimised code addresses it without checks.
const left = new Int32Array(2 * FACTOR_WORDS);
/** The nine products of 64 bits, low word first; then the product of 256 bits in the first eight words. */
const product = new Int32Array(2 * FACTOR_WORDS);

/** The buffers that products are computed in, for tests that look whether they are clear. */
export const scratch: readonly Int32Array[] = [left, product];

/** Clears what the last operation left behind. The functions below call it; loops over {@link multiply} must. */
export function clearScratch(): void {
  for (let i = 0; i < 2 * FACTOR_WORDS; i++) {
    left[i] = 0;
    product[i] = 0;
  }
}

/** The element in the 16 bytes at `offset`. */
export function fromBytes(bytes: Uint8Array, offset = 0): Int32Array {
  const element = new Int32Array(4);
  for (let i = 0; i < 4; i++) element[i] = load32(bytes, offset + 4 * i);
  return element;
}

/** Writes the element to the 16 bytes at `offset`. */
export function toBytes(element: Int32Array, bytes: Uint8Array, offset = 0): void {
  for (let i = 0; i < 4; i++) store32(bytes, offset + 4 * i, element[i]);
}

/** Expands an element into the {@link FACTOR_WORDS} words that {@link multiply} takes. */
export function expandFactor(element: Int32Array, factor: Int32Array): void {
  expand(element[3], element[2], element[1], element[0], factor);
}

/** Two levels of Karatsuba, from 128 to 32 bits: `a` is the lowest word of the integer, `d` the highest. */
function expand(a: number, b: number, c: number, d: number, to: Int32Array): void {
  to[0] = a;
  to[1] = b;
  to[2] = a ^ b;
  to[3] = c;
  to[4] = d;
  to[5] = c ^ d;
  to[6] = a ^ c;
  to[7] = b ^ d;
  to[8] = a ^ b ^ c ^ d;
}

/** Multiplies `element` by an expanded factor, in place. Leaves scratch: see {@link clearScratch}. */
export function multiply(element: Int32Array, factor: Int32Array): void {
  expand(element[3], element[2], element[1], element[0], left);
  multiplyWords(factor);
  joinProducts();
  reduce(element);
}

/** The nine carry-less products of 32-bit words, each from three of 16 bits (Karatsuba). */
function multiplyWords(factor: Int32Array): void {
  for (let i = 0; i < FACTOR_WORDS; i++) {
    const x = left[i];
    const y = factor[i];
    const low = multiply16(x & 0xffff, y & 0xffff);
    const high = multiply16(x >>> 16, y >>> 16);
    const middle = multiply16((x ^ (x >>> 16)) & 0xffff, (y ^ (y >>> 16)) & 0xffff) ^ low ^ high;
    product[2 * i] = low ^ (middle << 16);
    product[2 * i + 1] = high ^ (middle >>> 16);
  }
}

/** Carry-less product of two 16-bit numbers. */
function multiply16(x: number, y: number): number {
  const x0 = x & COLUMN0;
  const x1 = x & COLUMN1;
  const x2 = x & COLUMN2;
  const y0 = y & COLUMN0;
  const y1 = y & COLUMN1;
  const y2 = y & COLUMN2;
  return (
    ((Math.imul(x0, y0) ^ Math.imul(x1, y2) ^ Math.imul(x2, y1)) & COLUMN0) |
    ((Math.imul(x0, y1) ^ Math.imul(x1, y0) ^ Math.imul(x2, y2)) & COLUMN1) |
    ((Math.imul(x0, y2) ^ Math.imul(x2, y0) ^ Math.imul(x1, y1)) & COLUMN2)
  );
}

/** Joins the nine products into the one of 256 bits, in the first eight words. */
function joinProducts(): void {
  const p = product;
  // Two words times two words: three products become words l0…l3 (low), h0…h3 (high) and m0…m3 (of the sums).
  const l0 = p[0];
  const l3 = p[3];
  const l1 = p[1] ^ p[0] ^ p[2] ^ p[4];
  const l2 = p[2] ^ p[1] ^ p[3] ^ p[5];
  const h0 = p[6];
  const h3 = p[9];
  const h1 = p[7] ^ p[6] ^ p[8] ^ p[10];
  const h2 = p[8] ^ p[7] ^ p[9] ^ p[11];
  const m0 = p[12] ^ l0 ^ h0;
  const m3 = p[15] ^ l3 ^ h3;
  const m1 = p[13] ^ p[12] ^ p[14] ^ p[16] ^ l1 ^ h1;
  const m2 = p[14] ^ p[13] ^ p[15] ^ p[17] ^ l2 ^ h2;
  p[0] = l0;
  p[1] = l1;
  p[2] = l2 ^ m0;
  p[3] = l3 ^ m1;
  p[4] = h0 ^ m2;
  p[5] = h1 ^ m3;
  p[6] = h2;
  p[7] = h3;
}

/**
 * Reduces the first eight words of `product` modulo x^128 + x^7 + x^2 + x + 1. The bits being reversed, the integer
 * product of 255 bits stands one place too low, and its low words hold the high powers of x.
 */
function reduce(element: Int32Array): void {
  const p = product;
  const z0 = p[0] << 1;
  const z1 = (p[1] << 1) | (p[0] >>> 31);
  const z2 = (p[2] << 1) | (p[1] >>> 31);
  let z3 = (p[3] << 1) | (p[2] >>> 31);
  let z4 = (p[4] << 1) | (p[3] >>> 31);
  let z5 = (p[5] << 1) | (p[4] >>> 31);
  let z6 = (p[6] << 1) | (p[5] >>> 31);
  let z7 = (p[7] << 1) | (p[6] >>> 31);
  z3 ^= (z0 << 31) ^ (z0 << 30) ^ (z0 << 25);
  z4 ^= z0 ^ (z0 >>> 1) ^ (z0 >>> 2) ^ (z0 >>> 7) ^ (z1 << 31) ^ (z1 << 30) ^ (z1 << 25);
  z5 ^= z1 ^ (z1 >>> 1) ^ (z1 >>> 2) ^ (z1 >>> 7) ^ (z2 << 31) ^ (z2 << 30) ^ (z2 << 25);
  z6 ^= z2 ^ (z2 >>> 1) ^ (z2 >>> 2) ^ (z2 >>> 7) ^ (z3 << 31) ^ (z3 << 30) ^ (z3 << 25);
  z7 ^= z3 ^ (z3 >>> 1) ^ (z3 >>> 2) ^ (z3 >>> 7);
  element[0] = z7;
  element[1] = z6;
  element[2] = z5;
  element[3] = z4;
}

/** Squares in place: in a field of characteristic 2 this only spreads the bits. */
function squareInPlace(element: Int32Array): void {
  for (let i = 0; i < 4; i++) {
    product[2 * i] = spread(element[3 - i] & 0xffff);
    product[2 * i + 1] = spread(element[3 - i] >>> 16);
  }
  reduce(element);
}

/** Moves bit i of a 16-bit number to bit 2i. */
function spread(half: number): number {
  let x = half;
  x = (x | (x << 8)) & 0x00ff00ff;
  x = (x | (x << 4)) & 0x0f0f0f0f;
  x = (x | (x << 2)) & 0x33333333;
  return (x | (x << 1)) & 0x55555555;
}

/** The product of two elements. */
export function mul(a: Int32Array, b: Int32Array): Int32Array {
  const result = a.slice();
  multiplyBy(result, b);
  clearScratch();
  return result;
}

function multiplyBy(element: Int32Array, other: Int32Array): void {
  const factor = new Int32Array(FACTOR_WORDS);
  expandFactor(other, factor);
  multiply(element, factor);
  factor.fill(0);
}

/** The square of an element. */
export function square(a: Int32Array): Int32Array {
  return squareTimes(a, 1);
}

/** a^(2^times). `times` is public. */
function squareTimes(a: Int32Array, times: number): Int32Array {
  const result = a.slice();
  for (let i = 0; i < times; i++) squareInPlace(result);
  clearScratch();
  return result;
}

/**
 * a^n, as for jumping over n blocks in GHASH. The time depends on n, which is public, not on `a`.
 *
 * @param n an integer from 0 to 2^53 - 1; a^0 is 1, also for a = 0
 */
export function pow(a: Int32Array, n: number): Int32Array {
  const result = new Int32Array([0x80000000, 0, 0, 0]);
  const base = a.slice();
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) multiplyBy(result, base);
    squareInPlace(base);
  }
  base.fill(0);
  clearScratch();
  return result;
}

/**
 * a^-1 = a^(2^128 - 2); 0 gives 0. Itoh and Tsujii: from a^(2^k - 1) follow a^(2^2k - 1) and a^(2^(k+1) - 1) by
 * squarings and one multiplication, here for the leading bits of 127.
 */
export function inverse(a: Int32Array): Int32Array {
  let ones: Int32Array = a.slice();
  for (let k = 1; k < 127; k = 2 * k + 1) {
    const shifted = squareTimes(ones, k);
    multiplyBy(shifted, ones);
    ones.fill(0);
    squareInPlace(shifted);
    multiplyBy(shifted, a);
    ones = shifted;
  }
  squareInPlace(ones);
  clearScratch();
  return ones;
}

/** The square root, which every element has exactly once: a^(2^127). */
export function sqrt(a: Int32Array): Int32Array {
  return squareTimes(a, 127);
}

/**
 * The 16-byte IV whose J0 (clause 7.1 step 2) is the given block: GHASH_H(IV || 0^64 || [128]_64) solved for IV,
 * IV = ((J0 · H^-1) xor [128]) · H^-1. With it a one-shot AES-GCM starts at any counter block.
 *
 * @param j0 16 bytes
 * @param hInverse {@link inverse} of the hash subkey, which must not be zero
 */
export function ivForJ0(j0: Uint8Array, hInverse: Int32Array): Uint8Array {
  const element = fromBytes(j0);
  multiplyBy(element, hInverse);
  element[3] ^= 128;
  multiplyBy(element, hInverse);
  const iv = new Uint8Array(16);
  toBytes(element, iv);
  element.fill(0);
  clearScratch();
  return iv;
}
