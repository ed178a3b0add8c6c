/** AES straight from FIPS 197, slow and with secret-dependent indices: the model that tests compare with. */

/** Multiplication in GF(2^8), FIPS 197 clause 4.2. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let i = 0, x = a; i < 8; i++) {
    if ((b >> i) & 1) product ^= x;
    x = (x << 1) ^ (x & 0x80 ? 0x11b : 0);
  }
  return product;
}

/** SubBytes, clause 5.1.1: inversion, found by trying, then the affine map. */
export const SBOX: readonly number[] = Array.from({ length: 256 }, (_, x) => {
  let inverse = 0;
  for (let y = 0; y < 256; y++) if (multiply(x, y) === 1) inverse = y;
  let image = 0;
  for (let i = 0; i < 8; i++) {
    const bit = [0, 4, 5, 6, 7].reduce((sum, j) => sum ^ (inverse >> ((i + j) % 8)), 0x63 >> i);
    image |= (bit & 1) << i;
  }
  return image;
});

/** KeyExpansion, clause 5.2: the words of the round keys as groups of 4 bytes. */
export function expandKey(key: Uint8Array): number[][] {
  const nk = key.length / 4;
  const w: number[][] = [];
  let rcon = 1;
  for (let i = 0; i < 4 * (nk + 7); i++) {
    if (i < nk) {
      w.push([...key.subarray(4 * i, 4 * i + 4)]);
      continue;
    }
    let temp = w[i - 1];
    if (i % nk === 0) {
      temp = [...temp.slice(1), temp[0]].map((byte) => SBOX[byte]);
      temp[0] ^= rcon;
      rcon = multiply(rcon, 2);
    } else if (nk > 6 && i % nk === 4) {
      temp = temp.map((byte) => SBOX[byte]);
    }
    w.push(temp.map((byte, j) => byte ^ w[i - nk][j]));
  }
  return w;
}

/** Cipher, clause 5.1; byte r + 4c of the state is row r, column c. */
export function encryptBlock(key: Uint8Array, block: Uint8Array): Uint8Array {
  const w = expandKey(key);
  const rounds = w.length / 4 - 1;
  const addRoundKey = (state: number[], round: number) =>
    state.map((x, i) => x ^ w[4 * round + (i >> 2)][i & 3]);
  let state = addRoundKey([...block], 0);
  for (let round = 1; round <= rounds; round++) {
    state = state.map((x) => SBOX[x]);
    state = state.map((_, i) => state[(i + 4 * (i & 3)) % 16]);
    if (round < rounds) state = mixColumns(state);
    state = addRoundKey(state, round);
  }
  return Uint8Array.from(state);
}

/** MixColumns, clause 5.1.3. */
function mixColumns(state: number[]): number[] {
  return state.map((_, i) => {
    const column = i & ~3;
    return [2, 3, 1, 1].reduce((sum, factor, j) => sum ^ multiply(factor, state[column + ((i + j) & 3)]), 0);
  });
}
