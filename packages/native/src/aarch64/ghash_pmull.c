/* GHASH with PMULL, eight blocks before each reduction. */
#include "armv8.h"

/* Adds the products of `x` and H^k. */
EV_CRYPTO_INLINE void accumulate(ev_products *sum, const ev_key *key, uint32_t k, uint64x2_t x) {
  const uint64x2_t power = ev_power(key, k);
  const uint64x2_t folded = veorq_u64(x, ev_swap_halves(x));
  sum->high = veorq_u64(sum->high, ev_pmull_low(x, power));
  sum->low = veorq_u64(sum->low, ev_pmull_high(x, power));
  sum->middle = veorq_u64(sum->middle, ev_pmull_low(folded, ev_folded(key, k)));
}

/* Y <- (Y + X_1) H^8 + X_2 H^7 + ... + X_8 H. */
EV_CRYPTO_INLINE uint64x2_t absorb_eight(const ev_key *key, uint64x2_t y, const uint8_t *data) {
  ev_products sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
  EV_UNROLL for (uint32_t i = 0; i < EV_FIRST_POWERS; i++) {
    uint64x2_t x = ev_ghash_load(data + 16 * i);
    if (i == 0) x = veorq_u64(x, y);
    accumulate(&sum, key, EV_FIRST_POWERS - i, x);
  }
  return ev_reduce(sum);
}

/* The same with 1 to 7 blocks, the first of which meets H^n. */
EV_CRYPTO_INLINE uint64x2_t absorb_rest(const ev_key *key, uint64x2_t y, const uint8_t *data, uint32_t n) {
  ev_products sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
  for (; n > 0; n--, data += 16) {
    accumulate(&sum, key, n, veorq_u64(ev_ghash_load(data), y));
    y = vdupq_n_u64(0);
  }
  return ev_reduce(sum);
}

EV_CRYPTO static void ghash(const ev_key *key, uint8_t y[16], const uint8_t *data, size_t blocks) {
  uint64x2_t state = ev_ghash_load(y);
  for (; blocks >= EV_FIRST_POWERS; blocks -= EV_FIRST_POWERS, data += 16 * EV_FIRST_POWERS)
    state = absorb_eight(key, state, data);
  if (blocks > 0) state = absorb_rest(key, state, data, (uint32_t)blocks);
  ev_ghash_store(y, state);
}

EV_CRYPTO static void store_power(ev_key *key, uint32_t k, uint64x2_t power) {
  vst1q_u64((uint64_t *)(void *)key->powers[EV_POWERS - k], power);
  vst1q_u64((uint64_t *)(void *)key->folded[EV_POWERS - k], veorq_u64(power, ev_swap_halves(power)));
}

EV_CRYPTO void ev_pmull_prepare(ev_key *key) {
  const uint64_t high = ev_load64_be(key->h), low = ev_load64_be(key->h + 8);
  /* H * x, reduced: all ones where the top bit leaves. */
  const uint64_t carry = (uint64_t)0 - (high >> 63);
  const uint64_t shifted[2] = {(high << 1 | low >> 63) ^ (carry & UINT64_C(0xc200000000000000)),
                               low << 1 ^ (carry & 1)};
  uint64x2_t power = vld1q_u64(shifted);

  store_power(key, 1, power);
  for (uint32_t k = 2; k <= EV_FIRST_POWERS; k++) {
    ev_products sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
    accumulate(&sum, key, 1, power);
    power = ev_reduce(sum);
    store_power(key, k, power);
  }
  key->powers_ready = EV_FIRST_POWERS;
}

const ev_kernel ev_ghash_pmull = {
    .name = "ghash_pmull",
    .role = EV_ROLE_GHASH,
    .features = EV_ARM_PMULL,
    .prepare = ev_pmull_prepare,
    .ghash = ghash,
};
