/**
 * Tables that the vector-permute S-box needs, derived when the kernels are emitted from FIPS 197 and from the tower
 * GF(16)(s), s^2 + s + c = 0 (M. Hamburg, "Accelerating AES with vector permute instructions", CHES 2009).
 *
 * For x = i + k·s and j = i + k: io = j + 1/(1/i + a/k) and jo = i + 1/(1/j + a/k), where a = 1/c, satisfy
 * 1/io = (k + a·i)/N and 1/jo = (k + a·j)/N with N = a·(i^2 + i·k + c·k^2), so 1/x is linear in them. "1/0" is a byte
 * with bit 7 set: a look-up gives zero for it, and adding to it leaves it infinite, which makes every case come out.
 */

/** Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, FIPS 197 clause 4.2. */
function mul(a: number, b: number): number {
  let product = 0;
  for (let bit = 0; bit < 8; bit++) {
    if ((b >> bit) & 1) product ^= a << bit;
  }
  for (let bit = 14; bit >= 8; bit--) {
    if ((product >> bit) & 1) product ^= 0x11b << (bit - 8);
  }
  return product;
}

function inverse(a: number): number {
  let power = 1;
  for (let i = 0; i < 254; i++) power = mul(power, a);
  return power;
}

/** The constant of SubBytes, FIPS 197 clause 5.1.1. Kernels leave it out and add it to the round keys instead. */
export const SUB_CONSTANT = 0x63;

/** SubBytes without its constant 0x63, FIPS 197 clause 5.1.1: linear in the inverse. */
function affine(a: number): number {
  let r = 0;
  for (let turn = 0; turn < 5; turn++) r ^= (a << turn) | (a >> (8 - turn));
  return r & 0xff;
}

/** SubBytes, FIPS 197 clause 5.1.1. */
export function subByte(a: number): number {
  return affine(a === 0 ? 0 : inverse(a)) ^ SUB_CONSTANT;
}

const INFINITY = 0x80;
const NIBBLES = Array.from({ length: 16 }, (_, n) => n);
const BYTES = Array.from({ length: 256 }, (_, n) => n);

// The subfield GF(16) is the set of roots of x^16 = x; a basis of it over GF(2) names its elements by nibbles.
const sixteenthPower = (a: number) => [0, 1, 2, 3].reduce((power) => mul(power, power), a);
const subfield = BYTES.filter((a) => sixteenthPower(a) === a);

function spanOf(basis: readonly number[]): number[] {
  return Array.from({ length: 1 << basis.length }, (_, n) =>
    basis.reduce((sum, element, bit) => ((n >> bit) & 1 ? sum ^ element : sum), 0),
  );
}

const basis: number[] = [];
for (const element of subfield) {
  if (!spanOf(basis).includes(element)) basis.push(element);
}
/** nibble -> element of the AES field */
const elementOf = spanOf(basis);
/** element -> nibble */
const nibbleOf = new Map(elementOf.map((element, nibble) => [element, nibble]));

// s with s^2 + s = c in the subfield, s outside it: then 1, s is a basis over GF(16).
const s = BYTES.find((a) => !nibbleOf.has(a) && nibbleOf.has(mul(a, a) ^ a)) as number;
const a = inverse(mul(s, s) ^ s);

/** Tower form of an AES byte: i in the low nibble, k in the high one. */
const towerOf = new Map<number, number>();
for (const k of NIBBLES) {
  for (const i of NIBBLES) towerOf.set(elementOf[i] ^ mul(elementOf[k], s), (k << 4) | i);
}
/** Tower form of an AES byte, as the tables of `aes-permute.ts` hold it. */
export const toTower = (byte: number): number => towerOf.get(byte) as number;

const nibbleInverse = (factor: number) =>
  NIBBLES.map((n) => (n === 0 ? INFINITY : (nibbleOf.get(mul(factor, inverse(elementOf[n]))) as number)));

/** The part of 1/x that depends on io (or on jo), for every nibble; zero has no inverse and is never looked up. */
function inverseParts(): { fromIo: number[]; fromJo: number[] } {
  const reciprocal = (n: number) => (n === 0 ? 0 : inverse(elementOf[n]));
  // u = 1/io, w = 1/jo: u + w = a·k/N and u = (k + a·i)/N. The conjugate of x is (i + k) + k·s and its norm N/a, so
  // 1/x = a·((i + k) + k·s)/N = (u + k/N) + a·(k/N)·(1 + s), with k/N = (u + w)/a.
  const combine = (u: number, w: number) => {
    const kOverN = mul(u ^ w, inverse(a));
    return u ^ kOverN ^ mul(mul(a, kOverN), 1 ^ s);
  };
  return {
    fromIo: NIBBLES.map((n) => combine(reciprocal(n), 0)),
    fromJo: NIBBLES.map((n) => combine(0, reciprocal(n))),
  };
}

const parts = inverseParts();
const double = (byte: number) => mul(byte, 2);
const table = (values: readonly number[], map: (byte: number) => number) => values.map(map);

/** Tables of 16 bytes, by nibble. Outputs leave out the constant 0x63, which the round keys carry. */
export const PERMUTE_TABLES = {
  /** Low and high nibble of an AES byte to tower form. */
  inLow: NIBBLES.map(toTower),
  inHigh: NIBBLES.map((n) => toTower(n << 4)),
  inv: nibbleInverse(1),
  invTimesA: nibbleInverse(a),
  /** S-box output in tower form, from io and jo. */
  subIo: table(parts.fromIo, (x) => toTower(affine(x))),
  subJo: table(parts.fromJo, (x) => toTower(affine(x))),
  /** Twice the S-box output in tower form. */
  twiceIo: table(parts.fromIo, (x) => toTower(double(affine(x)))),
  twiceJo: table(parts.fromJo, (x) => toTower(double(affine(x)))),
  /** S-box output as an AES byte. */
  lastIo: table(parts.fromIo, affine),
  lastJo: table(parts.fromJo, affine),
} as const;

/** Multiplication by x in GHASH's bit order reduces by this at byte 0 (SP 800-38D clause 6.3, R = 11100001 || 0^120). */
export const GHASH_R = 0xe1;
