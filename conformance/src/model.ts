/**
 * AES-GCM by the book (FIPS 197, NIST SP 800-38D), to compare engines with: as plain as it can be, slow, and not
 * constant time. For tests only.
 */

/** The S-box of FIPS 197 clause 5.1.1: the inverse in GF(2^8), then the affine map. */
const SBOX = makeSbox();

const R = 0xe1n << 120n;
const LOW_64 = (1n << 64n) - 1n;

function double8(x: number): number {
  return ((x << 1) ^ (x & 0x80 ? 0x11b : 0)) & 0xff;
}

function multiply8(x: number, y: number): number {
  let product = 0;
  for (let a = x, b = y; b > 0; a = double8(a), b >>= 1) if (b & 1) product ^= a;
  return product;
}

function makeSbox(): Uint8Array {
  const sbox = new Uint8Array(256);
  for (let x = 0; x < 256; x++) {
    let inverse = 0;
    for (let y = 1; y < 256 && inverse === 0; y++) if (multiply8(x, y) === 1) inverse = y;
    let s = 0;
    for (let turn = 0; turn < 5; turn++) s ^= (inverse << turn) | (inverse >> (8 - turn));
    sbox[x] = (s & 0xff) ^ 0x63;
  }
  return sbox;
}

/** FIPS 197 clause 5.2: the round keys, 16 bytes each, end to end. */
function expandKey(key: Uint8Array): Uint8Array {
  const rounds = key.length / 4 + 6;
  const w = new Uint8Array(16 * (rounds + 1));
  w.set(key);
  for (let i = key.length, rcon = 1; i < w.length; i += 4) {
    let word = [...w.subarray(i - 4, i)];
    if (i % key.length === 0) {
      word = [...word.slice(1), word[0]].map((byte) => SBOX[byte]);
      word[0] ^= rcon;
      rcon = double8(rcon);
    } else if (key.length === 32 && i % 32 === 16) {
      word = word.map((byte) => SBOX[byte]);
    }
    for (let j = 0; j < 4; j++) w[i + j] = w[i - key.length + j] ^ word[j];
  }
  return w;
}

/** The model of one AES key. */
export class Model {
  readonly #roundKeys: Uint8Array;
  /** The hash subkey as a number whose top bit is the first bit of the block. */
  readonly #h: bigint;
  /** `#multiples[i][b]`: H times byte b standing at place i of a block. */
  readonly #multiples: readonly (readonly bigint[])[];

  constructor(key: Uint8Array) {
    this.#roundKeys = expandKey(key);
    this.#h = toNumber(this.cipher(new Uint8Array(16)));
    this.#multiples = multiplesOf(this.#h);
  }

  /** CIPH_K, FIPS 197 clause 5.1: one block. */
  cipher(block: Uint8Array): Uint8Array {
    const last = this.#roundKeys.length / 16 - 1;
    let s: Uint8Array = block.map((byte, i) => byte ^ this.#roundKeys[i]);
    for (let round = 1; round <= last; round++) {
      // SubBytes and ShiftRows: row r of column c comes from column c + r.
      const t = s.map((_, i) => SBOX[s[(i + 4 * (i % 4)) % 16]]);
      s = round === last ? t : mixColumns(t);
      for (let i = 0; i < 16; i++) s[i] ^= this.#roundKeys[16 * round + i];
    }
    return s;
  }

  /** GHASH, clause 6.4, from the state `y` on, the last block padded with zeros. */
  ghash(data: Uint8Array, y: Uint8Array = new Uint8Array(16)): Uint8Array {
    let state = toNumber(y);
    for (let at = 0; at < data.length; at += 16) {
      const block = new Uint8Array(16);
      block.set(data.subarray(at, at + 16));
      state = this.#timesH(state ^ toNumber(block));
    }
    return toBlock(state);
  }

  /** GCTR, clause 6.5. */
  gctr(icb: Uint8Array, text: Uint8Array): Uint8Array {
    const out = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 16) {
      const mask = this.cipher(addToCounter(icb, at / 16));
      for (let i = at; i < Math.min(at + 16, text.length); i++) out[i] = text[i] ^ mask[i - at];
    }
    return out;
  }

  /** The pre-counter block, clause 7.1 step 2. */
  j0(iv: Uint8Array): Uint8Array {
    if (iv.length === 12) return Uint8Array.of(...iv, 0, 0, 0, 1);
    return this.ghash(lengthBlock(0, iv.length), this.ghash(iv));
  }

  /** The tag over a ciphertext, clause 7.1 steps 4 to 6. */
  tag(j0: Uint8Array, aad: Uint8Array, ciphertext: Uint8Array): Uint8Array {
    const hashed = this.ghash(ciphertext, this.ghash(aad));
    return this.gctr(j0, this.ghash(lengthBlock(aad.length, ciphertext.length), hashed));
  }

  /** GCM-AE, clause 7.1: ciphertext ‖ tag. */
  seal(iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array, tagLength = 16): Uint8Array {
    const j0 = this.j0(iv);
    const ciphertext = this.gctr(addToCounter(j0, 1), plaintext);
    const sealed = new Uint8Array(plaintext.length + tagLength);
    sealed.set(ciphertext);
    sealed.set(this.tag(j0, aad, ciphertext).subarray(0, tagLength), plaintext.length);
    return sealed;
  }

  /** The 16-byte IV that leads to a given J0: GHASH_H(IV ‖ 0^64 ‖ [128]_64) = J0, solved for IV. */
  ivFor(j0: Uint8Array): Uint8Array {
    const inverse = power(this.#h, (1n << 128n) - 2n);
    return toBlock(multiply(multiply(toNumber(j0), inverse) ^ 128n, inverse));
  }

  #timesH(x: bigint): bigint {
    let product = 0n;
    for (let i = 15, rest = x; i >= 0; i--, rest >>= 8n) product ^= this.#multiples[i][Number(rest & 0xffn)];
    return product;
  }
}

function mixColumns(s: Uint8Array): Uint8Array {
  return s.map((byte, i) => {
    const column = i - (i % 4);
    const at = (offset: number) => s[column + ((i + offset) % 4)];
    return double8(byte) ^ double8(at(1)) ^ at(1) ^ at(2) ^ at(3);
  });
}

/** inc32, clause 6.2, applied `blocks` times. */
export function addToCounter(block: Uint8Array, blocks: number): Uint8Array {
  const result = block.slice();
  const view = new DataView(result.buffer);
  view.setUint32(12, (view.getUint32(12) + blocks) % 2 ** 32);
  return result;
}

/** [len(A)]_64 ‖ [len(C)]_64, for lengths in bytes. */
export function lengthBlock(aadBytes: number, textBytes: number): Uint8Array {
  return toBlock((BigInt(aadBytes) << 67n) | (BigInt(textBytes) << 3n));
}

/** The product of clause 6.3, algorithm 1. */
function multiply(x: bigint, y: bigint): bigint {
  let z = 0n;
  for (let i = 127n, v = y; i >= 0n; i--) {
    if ((x >> i) & 1n) z ^= v;
    v = v & 1n ? (v >> 1n) ^ R : v >> 1n;
  }
  return z;
}

function power(x: bigint, exponent: bigint): bigint {
  let result = 1n << 127n;
  for (let base = x, rest = exponent; rest > 0n; rest >>= 1n, base = multiply(base, base))
    if (rest & 1n) result = multiply(result, base);
  return result;
}

function multiplesOf(h: bigint): bigint[][] {
  return Array.from({ length: 16 }, (_, place) => {
    const bits = Array.from({ length: 8 }, (_, bit) => multiply(1n << BigInt(8 * (15 - place) + bit), h));
    return Array.from({ length: 256 }, (_, byte) =>
      bits.reduce((sum, value, bit) => (byte & (1 << bit) ? sum ^ value : sum), 0n),
    );
  });
}

function toNumber(block: Uint8Array): bigint {
  const view = new DataView(block.buffer, block.byteOffset, 16);
  return (view.getBigUint64(0) << 64n) | view.getBigUint64(8);
}

function toBlock(x: bigint): Uint8Array {
  const view = new DataView(new ArrayBuffer(16));
  view.setBigUint64(0, x >> 64n);
  view.setBigUint64(8, x & LOW_64);
  return new Uint8Array(view.buffer);
}
