/* GCM in one pass: the keystream of eight blocks is made while the ciphertext of eight blocks is hashed. This
 * is the body of gcm_armv8.c and gcm_armv8_eor3.c, which define
 *   EV_GCM_INLINE   static, inlined, with the target that the instructions need
 *   EV_GCM          the same without inlining
 *   EV_XOR3         the sum of three vectors of 16 bytes */
#include "armv8.h"

EV_GCM_INLINE uint64x2_t xor3(uint64x2_t a, uint64x2_t b, uint64x2_t c) {
  return vreinterpretq_u64_u8(
      EV_XOR3(vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(b), vreinterpretq_u8_u64(c)));
}

/* Adds the products of two neighbouring blocks, the first of which meets H^k. */
EV_GCM_INLINE void accumulate_pair(ev_products *sum, const ev_key *key, uint32_t k, uint64x2_t x1,
                                   uint64x2_t x2) {
  const uint64x2_t power1 = ev_power(key, k), power2 = ev_power(key, k - 1);
  /* Lane 0: sum of the halves of x1; lane 1: of x2. */
  const uint64x2_t halves = veorq_u64(vtrn1q_u64(x1, x2), vtrn2q_u64(x1, x2));
  sum->high = xor3(sum->high, ev_pmull_low(x1, power1), ev_pmull_low(x2, power2));
  sum->low = xor3(sum->low, ev_pmull_high(x1, power1), ev_pmull_high(x2, power2));
  sum->middle = xor3(sum->middle, ev_pmull_low(halves, ev_folded(key, k)),
                     ev_pmull_high(halves, ev_folded(key, k - 1)));
}

/* Absorbs n <= 8 blocks while no keystream is made. A block of zeros in front makes the number even: the sum
 * is the same, and H^8 is in the table. */
EV_GCM_INLINE uint64x2_t absorb_rest(const ev_key *key, uint64x2_t y, const uint8_t *data, uint32_t n) {
  ev_products sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
  if (n % 2 == 1) {
    accumulate_pair(&sum, key, n + 1, vdupq_n_u64(0), veorq_u64(y, ev_ghash_load(data)));
    y = vdupq_n_u64(0);
    data += 16;
    n--;
  }
  for (; n > 0; n -= 2, data += 32) {
    accumulate_pair(&sum, key, n, veorq_u64(y, ev_ghash_load(data)), ev_ghash_load(data + 16));
    y = vdupq_n_u64(0);
  }
  return ev_reduce(sum);
}

/* The keystream of n blocks (a constant), the last round key not added. */
EV_GCM_INLINE void keystream(const ev_key *key, uint32x4_t *counter, uint8x16_t *b, int n) {
  EV_UNROLL for (int i = 0; i < n; i++) b[i] = ev_counter_next(counter);
  for (uint32_t round = 0; round + 1 < key->rounds; round++)
    ev_aes_round(b, n, vld1q_u8(key->schedule[round]));
  ev_aes_last(b, n, vld1q_u8(key->schedule[key->rounds - 1]));
}

/* The keystream of eight blocks, and Y after the eight blocks at `data`: one block is multiplied per round,
 * so that the two kinds of work fill each other's latencies. */
EV_GCM_INLINE uint64x2_t keystream_and_ghash(const ev_key *key, uint32x4_t *counter, uint8x16_t *b,
                                             uint64x2_t y, const uint8_t *data) {
  ev_products sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
  EV_UNROLL for (int i = 0; i < 8; i++) b[i] = ev_counter_next(counter);
  EV_UNROLL for (uint32_t i = 0; i < 8; i += 2) {
    uint64x2_t x = ev_ghash_load(data + 16 * i);
    if (i == 0) x = veorq_u64(x, y);
    ev_aes_round(b, 8, vld1q_u8(key->schedule[i]));
    accumulate_pair(&sum, key, 8 - i, x, ev_ghash_load(data + 16 * i + 16));
    ev_aes_round(b, 8, vld1q_u8(key->schedule[i + 1]));
  }
  for (uint32_t round = 8; round + 1 < key->rounds; round++)
    ev_aes_round(b, 8, vld1q_u8(key->schedule[round]));
  ev_aes_last(b, 8, vld1q_u8(key->schedule[key->rounds - 1]));
  return ev_reduce(sum);
}

EV_GCM_INLINE void add_text(const uint8x16_t *b, uint32_t n, uint8x16_t last, const uint8_t *in,
                            uint8_t *out) {
  EV_UNROLL for (uint32_t i = 0; i < n; i++)
      vst1q_u8(out + 16 * i, EV_XOR3(b[i], last, vld1q_u8(in + 16 * i)));
}

/* GCTR of n < 8 blocks, four at a time whatever n is: the instructions that are wasted run in the shadow of
 * the others' latency. */
EV_GCM_INLINE void crypt_rest(const ev_key *key, uint32x4_t *counter, const uint8_t *in, uint8_t *out,
                              uint32_t n) {
  const uint8x16_t last = vld1q_u8(key->schedule[key->rounds]);
  uint32x4_t c = *counter;
  const uint32_t step[4] = {0, 0, 0, n};
  uint8x16_t b[4];
  *counter = vaddq_u32(c, vld1q_u32(step));
  if (n >= 4) {
    keystream(key, &c, b, 4);
    add_text(b, 4, last, in, out);
    n -= 4;
    in += 64;
    out += 64;
  }
  if (n == 0) return;
  keystream(key, &c, b, 4);
  vst1q_u8(out, EV_XOR3(b[0], last, vld1q_u8(in)));
  if (n > 1) vst1q_u8(out + 16, EV_XOR3(b[1], last, vld1q_u8(in + 16)));
  if (n > 2) vst1q_u8(out + 32, EV_XOR3(b[2], last, vld1q_u8(in + 32)));
}

/* Hashes the ciphertext of the eight blocks before, which it reads back from `out`. */
EV_GCM static void encrypt(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                           uint8_t *out, size_t blocks) {
  const uint8x16_t last = vld1q_u8(key->schedule[key->rounds]);
  uint32x4_t c = ev_counter_load(counter);
  uint64x2_t state = ev_ghash_load(y);
  uint8x16_t b[8];

  if (blocks >= 8) {
    keystream(key, &c, b, 8);
    add_text(b, 8, last, in, out);
    for (blocks -= 8, in += 128; blocks >= 8; blocks -= 8, in += 128, out += 128) {
      state = keystream_and_ghash(key, &c, b, state, out);
      add_text(b, 8, last, in, out + 128);
    }
    state = absorb_rest(key, state, out, 8);
    out += 128;
  }
  if (blocks > 0) {
    crypt_rest(key, &c, in, out, (uint32_t)blocks);
    state = absorb_rest(key, state, out, (uint32_t)blocks);
  }
  ev_counter_store(counter, c);
  ev_ghash_store(y, state);
}

EV_GCM static void decrypt(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                           uint8_t *out, size_t blocks) {
  const uint8x16_t last = vld1q_u8(key->schedule[key->rounds]);
  uint32x4_t c = ev_counter_load(counter);
  uint64x2_t state = ev_ghash_load(y);
  uint8x16_t b[8];

  for (; blocks >= 8; blocks -= 8, in += 128, out += 128) {
    state = keystream_and_ghash(key, &c, b, state, in);
    add_text(b, 8, last, in, out);
  }
  if (blocks > 0) {
    state = absorb_rest(key, state, in, (uint32_t)blocks);
    crypt_rest(key, &c, in, out, (uint32_t)blocks);
  }
  ev_counter_store(counter, c);
  ev_ghash_store(y, state);
}
