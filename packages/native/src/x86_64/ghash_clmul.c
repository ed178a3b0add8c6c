/* GHASH with PCLMULQDQ, and the table of powers that all kernels of x86-64 share. */
#include "clmul.h"

/* H * x: a shift by one bit, and the polynomial where a bit leaves, without a branch. */
EV_CLMUL static __m128i times_x(__m128i h) {
  const __m128i polynomial = _mm_set_epi64x((long long)0xc200000000000000u, 1);
  const __m128i carry = _mm_srai_epi32(_mm_shuffle_epi32(h, 0xff), 31);
  const __m128i between = _mm_slli_si128(_mm_srli_epi64(h, 63), 8);
  const __m128i shifted = _mm_or_si128(_mm_slli_epi64(h, 1), between);
  return _mm_xor_si128(shifted, _mm_and_si128(carry, polynomial));
}

EV_CLMUL static void set_power(ev_key *key, size_t power, __m128i h) {
  ev_store(key->powers[EV_POWERS - power], h);
  ev_store(key->folded[EV_POWERS - power], _mm_xor_si128(h, ev_swap_halves(h)));
}

/* H^(base + i) for i from 1 to `count`: products that do not wait for each other. */
EV_CLMUL static void multiply_powers(ev_key *key, size_t base, size_t count) {
  for (size_t i = 1; i <= count; i++) {
    ev_product p = ev_product_zero();
    ev_product_add(&p, key, ev_load(key->powers[EV_POWERS - i]), base);
    set_power(key, base + i, ev_product_reduce(p));
  }
}

EV_CLMUL void ev_clmul_prepare(ev_key *key) {
  if (key->powers_ready > 0) return;
  set_power(key, 1, times_x(ev_swap_bytes(ev_load(key->h))));
  multiply_powers(key, 1, 1);
  multiply_powers(key, 2, 2);
  multiply_powers(key, 4, 4);
  key->powers_ready = EV_FIRST_POWERS;
}

EV_CLMUL void ev_clmul_extend(ev_key *key) {
  if (key->powers_ready == EV_POWERS) return;
  multiply_powers(key, 8, 8);
  multiply_powers(key, 16, 16);
  key->powers_ready = EV_POWERS;
}

EV_CLMUL static void ghash(const ev_key *key, uint8_t y[16], const uint8_t *data, size_t blocks) {
  const __m128i result = ev_clmul_ghash(key, ev_swap_bytes(ev_load(y)), data, blocks);
  ev_store(y, ev_swap_bytes(result));
}

const ev_kernel ev_ghash_clmul = {
    .name = "ghash_clmul",
    .role = EV_ROLE_GHASH,
    .features = EV_PCLMULQDQ | EV_SSSE3 | EV_SSE41,
    .prepare = ev_clmul_prepare,
    .ghash = ghash,
};
