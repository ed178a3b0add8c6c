/* AES without tables: bit planes, and the S-box as a circuit. */
#include "bitslice.h"
#include "../schedule.h"

/* The S-box as 113 gates: Boyar and Peralta, "New logic minimization techniques with applications to
 * cryptology", IACR ePrint 2009/191; names y, t, z, s are the paper's, x0 is the most significant bit. */
void ev_planes_sub_bytes(uint64_t p[8]) {
  const uint64_t x0 = p[7], x1 = p[6], x2 = p[5], x3 = p[4], x4 = p[3], x5 = p[2], x6 = p[1], x7 = p[0];

  const uint64_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
  const uint64_t y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8;
  const uint64_t t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9;
  const uint64_t y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16,
                 y18 = x0 ^ y16;

  const uint64_t t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2;
  const uint64_t t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7, t11 = t10 ^ t7;
  const uint64_t t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12;
  const uint64_t t17 = t4 ^ t14, t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16;
  const uint64_t t21 = t17 ^ y20, t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18;
  const uint64_t t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22;
  const uint64_t t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33;
  const uint64_t t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38;
  const uint64_t t40 = t25 ^ t39, t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37;
  const uint64_t t45 = t42 ^ t41;

  const uint64_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
  const uint64_t z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3,
                 z11 = t33 & y4;
  const uint64_t z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14,
                 z17 = t41 & y8;

  const uint64_t t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12;
  const uint64_t t51 = z2 ^ z5, t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48;
  const uint64_t t57 = t50 ^ t53, t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57;
  const uint64_t t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63;
  const uint64_t t67 = t64 ^ t65, s3 = t53 ^ t66;

  p[7] = t59 ^ t63;
  p[6] = t64 ^ ~s3;
  p[5] = t55 ^ ~t67;
  p[4] = s3;
  p[3] = t51 ^ t66;
  p[2] = t47 ^ t65;
  p[1] = t56 ^ ~t62;
  p[0] = t48 ^ ~t60;
}

/* Row r (a nibble of each lane) turns by r columns. */
static uint64_t shift_rows(uint64_t x) {
  return (x & EV_LANES(0x000f)) | ((x >> 1) & EV_LANES(0x0070)) | ((x & EV_LANES(0x0010)) << 3) |
         ((x >> 2) & EV_LANES(0x0300)) | ((x & EV_LANES(0x0300)) << 2) | ((x >> 3) & EV_LANES(0x1000)) |
         ((x & EV_LANES(0x7000)) << 1);
}

/* Row r of the result is row r + 1, or r + 2, of the argument. */
static uint64_t next_row(uint64_t x) {
  return ((x >> 4) & EV_LANES(0x0fff)) | ((x & EV_LANES(0x000f)) << 12);
}

static uint64_t second_row(uint64_t x) {
  return ((x >> 8) & EV_LANES(0x00ff)) | ((x & EV_LANES(0x00ff)) << 8);
}

/* FIPS 197 clause 5.1.3 with t_r = a_r + a_(r+1): b_r = 2 t_r + a_(r+1) + t_(r+2). */
static void mix_columns(uint64_t p[8]) {
  uint64_t next[8], t[8];
  for (int k = 0; k < 8; k++) {
    next[k] = next_row(p[k]);
    t[k] = p[k] ^ next[k];
  }
  for (int k = 0; k < 8; k++)
    p[k] = next[k] ^ second_row(t[k]) ^ t[(k + 7) & 7];
  p[1] ^= t[7];
  p[3] ^= t[7];
  p[4] ^= t[7];
}

void ev_planes_encrypt(const ev_key *key, uint64_t p[8]) {
  for (int k = 0; k < 8; k++)
    p[k] ^= key->planes[0][k];
  for (uint32_t round = 1; round <= key->rounds; round++) {
    ev_planes_sub_bytes(p);
    for (int k = 0; k < 8; k++)
      p[k] = shift_rows(p[k]);
    if (round < key->rounds) mix_columns(p);
    for (int k = 0; k < 8; k++)
      p[k] ^= key->planes[round][k];
  }
}

void ev_planes_prepare(ev_key *key) {
  uint8_t blocks[64];
  for (uint32_t round = 0; round <= key->rounds; round++) {
    for (int i = 0; i < 4; i++)
      memcpy(blocks + 16 * i, key->schedule[round], 16);
    ev_to_planes(blocks, key->planes[round]);
  }
  ev_wipe(blocks, sizeof blocks);
}

static uint32_t sub_word(uint32_t word) {
  uint8_t blocks[64] = {0};
  uint64_t p[8];
  ev_store32_le(blocks, word);
  ev_to_planes(blocks, p);
  ev_planes_sub_bytes(p);
  ev_from_planes(p, blocks);
  word = ev_load32_le(blocks);
  ev_wipe(blocks, sizeof blocks);
  ev_wipe(p, sizeof p);
  return word;
}

static void expand(ev_key *key, const uint8_t *raw, size_t length) {
  ev_expand_schedule(key, raw, length, sub_word);
  ev_planes_prepare(key);
}

static void encrypt_block(const ev_key *key, const uint8_t in[16], uint8_t out[16]) {
  uint8_t blocks[64] = {0};
  uint64_t p[8];
  memcpy(blocks, in, 16);
  ev_to_planes(blocks, p);
  ev_planes_encrypt(key, p);
  ev_from_planes(p, blocks);
  memcpy(out, blocks, 16);
  ev_wipe(blocks, sizeof blocks);
  ev_wipe(p, sizeof p);
}

const ev_kernel ev_aes_portable = {
    .name = "aes_portable",
    .role = EV_ROLE_AES,
    .expand = expand,
    .encrypt_block = encrypt_block,
};
