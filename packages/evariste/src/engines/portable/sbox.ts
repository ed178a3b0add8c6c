/**
 * SubBytes on bit planes: 32 bytes at once, as a circuit without tables or branches.
 *
 * The circuit is that of Boyar and Peralta ("A depth-16 circuit for the AES S-box", 2011; 113 gates, names y, t and
 * z as there). Its four complemented outputs are left out: {@link subPlanes} gives S(x) xor 63, and the round keys
 * make up for it, since ShiftRows and MixColumns leave a state with 63 in every byte as it is.
 */

/**
 * The state that all functions of this folder work on, cleared by whoever started: 4 groups of 8 words, word p of a
 * group being bit plane p (bit p of each of 32 bytes). One buffer of the module, because optimised code addresses it
 * without loading or checking anything.
 */
export const state = new Int32Array(32);

/** What {@link subPlanes} leaves out, in each byte. */
export const SBOX_CONSTANT = 0x63;

/**
 * Replaces the first `groups` groups of 8 planes by their images under S(x) xor 63.
 *
 * @param groups 1 to 4
 */
export function subPlanes(groups: number): void {
  for (let o = 0; o < 8 * groups; o += 8) {
    const x0 = state[o + 7];
    const x1 = state[o + 6];
    const x2 = state[o + 5];
    const x3 = state[o + 4];
    const x4 = state[o + 3];
    const x5 = state[o + 2];
    const x6 = state[o + 1];
    const x7 = state[o];

    const y14 = x3 ^ x5;
    const y13 = x0 ^ x6;
    const y9 = x0 ^ x3;
    const y8 = x0 ^ x5;
    const t0 = x1 ^ x2;
    const y1 = t0 ^ x7;
    const y4 = y1 ^ x3;
    const y12 = y13 ^ y14;
    const y2 = y1 ^ x0;
    const y5 = y1 ^ x6;
    const y3 = y5 ^ y8;
    const t1 = x4 ^ y12;
    const y15 = t1 ^ x5;
    const y20 = t1 ^ x1;
    const y6 = y15 ^ x7;
    const y10 = y15 ^ t0;
    const y11 = y20 ^ y9;
    const y7 = x7 ^ y11;
    const y17 = y10 ^ y11;
    const y19 = y10 ^ y8;
    const y16 = t0 ^ y11;
    const y21 = y13 ^ y16;
    const y18 = x0 ^ y16;

    const t2 = y12 & y15;
    const t4 = (y3 & y6) ^ t2;
    const t6 = (y4 & x7) ^ t2;
    const t7 = y13 & y16;
    const t9 = (y5 & y1) ^ t7;
    const t11 = (y2 & y7) ^ t7;
    const t12 = y9 & y11;
    const t14 = (y14 & y17) ^ t12;
    const t16 = (y8 & y10) ^ t12;
    const t21 = t4 ^ t14 ^ y20;
    const t22 = t6 ^ t16 ^ y19;
    const t23 = t9 ^ t14 ^ y21;
    const t24 = t11 ^ t16 ^ y18;

    const t25 = t21 ^ t22;
    const t26 = t21 & t23;
    const t27 = t24 ^ t26;
    const t29 = (t25 & t27) ^ t22;
    const t33 = ((t22 ^ t26) & (t23 ^ t24)) ^ t24;
    const t36 = t24 & (t27 ^ t33);
    const t37 = t36 ^ t23 ^ t33;
    const t40 = t25 ^ (t29 & (t27 ^ t36));
    const t41 = t40 ^ t37;
    const t42 = t29 ^ t33;
    const t43 = t29 ^ t40;
    const t44 = t33 ^ t37;
    const t45 = t42 ^ t41;

    const z0 = t44 & y15;
    const z1 = t37 & y6;
    const z2 = t33 & x7;
    const z3 = t43 & y16;
    const z4 = t40 & y1;
    const z5 = t29 & y7;
    const z6 = t42 & y11;
    const z7 = t45 & y17;
    const z8 = t41 & y10;
    const z9 = t44 & y12;
    const z10 = t37 & y3;
    const z11 = t33 & y4;
    const z12 = t43 & y13;
    const z13 = t40 & y5;
    const z14 = t29 & y2;
    const z15 = t42 & y9;
    const z16 = t45 & y14;
    const z17 = t41 & y8;

    const t46 = z15 ^ z16;
    const t48 = z5 ^ z13;
    const t53 = z0 ^ z3;
    const t54 = z6 ^ z7;
    const t57 = z2 ^ z12 ^ t53;
    const t58 = z4 ^ t46;
    const t59 = z3 ^ t54;
    const t62 = z7 ^ z8 ^ t58;
    const t63 = z9 ^ z10 ^ t58;
    const t64 = z4 ^ t59;
    const t65 = z14 ^ t57 ^ t62;
    const t66 = z1 ^ t63;
    const s3 = t53 ^ t66;
    state[o + 7] = t59 ^ t63;
    state[o + 6] = t64 ^ s3;
    state[o + 5] = z16 ^ z17 ^ t64 ^ t65;
    state[o + 4] = s3;
    state[o + 3] = z2 ^ z5 ^ t66;
    state[o + 2] = z10 ^ z11 ^ t65;
    state[o + 1] = z12 ^ t48 ^ t62;
    state[o] = t48 ^ t46 ^ t57;
  }
}
