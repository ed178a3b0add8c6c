/* GHASH with vpmsumd, eight blocks before each reduction. */
#include "power8.h"

EV_POWER8 static void ghash(const ev_key *key, uint8_t y[16], const uint8_t *data, size_t blocks) {
  ev_u64x2 state = ev_load_block(y);
  for (; blocks >= EV_FIRST_POWERS; blocks -= EV_FIRST_POWERS, data += 16 * EV_FIRST_POWERS)
    state = ev_absorb(key, state, data, EV_FIRST_POWERS);
  if (blocks > 0) state = ev_absorb(key, state, data, (uint32_t)blocks);
  ev_store_block(y, state);
}

/* Entries of H^k and H^(k-1), k even: low halves, high halves, sums. */
EV_POWER8 static void store_pair(ev_key *key, uint32_t k, ev_u64x2 power, ev_u64x2 before) {
  const ev_u64x2 low = vec_mergeh(power, before), high = vec_mergel(power, before);
  vec_xst(low, 0, (unsigned long long *)(void *)key->powers[EV_POWERS - k]);
  vec_xst(high, 0, (unsigned long long *)(void *)key->powers[EV_POWERS - k + 1]);
  vec_xst(low ^ high, 0, (unsigned long long *)(void *)key->folded[EV_POWERS - k]);
}

/* x * H, of which `h` is the table's form. */
EV_POWER8 static ev_u64x2 multiply(ev_u64x2 x, ev_u64x2 h) {
  const ev_u64x2 zero = {0, 0};
  const ev_u64x2 low = vec_mergeh(x, zero), high = vec_mergel(x, zero);
  const ev_u64x2 h_low = vec_mergeh(h, zero), h_high = vec_mergel(h, zero);
  return ev_reduce((ev_products){
      .low = __builtin_crypto_vpmsumd(low, h_low),
      .high = __builtin_crypto_vpmsumd(high, h_high),
      .middle = __builtin_crypto_vpmsumd(low ^ high, h_low ^ h_high),
  });
}

EV_POWER8 void ev_vpmsumd_prepare(ev_key *key) {
  const uint64_t high = ev_load64_be(key->h), low = ev_load64_be(key->h + 8);
  /* H * x, reduced: all ones where the top bit leaves. */
  const uint64_t carry = (uint64_t)0 - (high >> 63);
  const ev_u64x2 h = {low << 1 ^ (carry & 1),
                      (high << 1 | low >> 63) ^ (carry & UINT64_C(0xc200000000000000))};
  ev_u64x2 odd = h;
  for (uint32_t k = 2; k <= EV_FIRST_POWERS; k += 2) {
    const ev_u64x2 even = multiply(odd, h);
    store_pair(key, k, even, odd);
    odd = multiply(even, h);
  }
  key->powers_ready = EV_FIRST_POWERS;
}

const ev_kernel ev_ghash_vpmsumd = {
    .name = "ghash_vpmsumd",
    .role = EV_ROLE_GHASH,
    .features = EV_POWER_CRYPTO,
    .prepare = ev_vpmsumd_prepare,
    .ghash = ghash,
};
