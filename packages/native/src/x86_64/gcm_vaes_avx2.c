/* gcm_woven.h on 256-bit registers: VAES and VPCLMULQDQ without AVX-512, sixteen blocks in flight. */
#include "clmul.h"

#define WOVEN_TARGET __attribute__((target("ssse3,sse4.1,pclmul,aes,avx2,vaes,vpclmulqdq")))
#define WOVEN_LANES 2
#define WOVEN_VECTORS 8
#define VEC EV_INLINE WOVEN_TARGET

typedef __m256i vec;

VEC vec vec_zero(void) {
  return _mm256_setzero_si256();
}
VEC vec vec_load(const void *p) {
  return _mm256_loadu_si256((const __m256i *)p);
}
VEC void vec_store(void *p, vec v) {
  _mm256_storeu_si256((__m256i *)p, v);
}
VEC vec vec_broadcast(const void *block) {
  return _mm256_broadcastsi128_si256(ev_load(block));
}
VEC vec vec_xor(vec a, vec b) {
  return _mm256_xor_si256(a, b);
}
VEC vec vec_swap_bytes(vec v) {
  const __m128i order = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(order));
}
VEC vec vec_swap_halves(vec v) {
  return _mm256_shuffle_epi32(v, 0x4e);
}
VEC vec vec_multiply_low(vec a, vec b) {
  return _mm256_clmulepi64_epi128(a, b, 0x00);
}
VEC vec vec_multiply_high(vec a, vec b) {
  return _mm256_clmulepi64_epi128(a, b, 0x11);
}
VEC vec vec_aes_round(vec s, vec k) {
  return _mm256_aesenc_epi128(s, k);
}
VEC vec vec_aes_last_round(vec s, vec k) {
  return _mm256_aesenclast_epi128(s, k);
}
VEC vec vec_counters(__m128i first) {
  return _mm256_add_epi32(_mm256_broadcastsi128_si256(first), _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0));
}
VEC vec vec_next_counter(vec counter) {
  return _mm256_add_epi32(counter, _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2));
}
VEC vec vec_from_block(__m128i block) {
  return _mm256_inserti128_si256(_mm256_setzero_si256(), block, 0);
}
VEC __m128i vec_sum_lanes(vec v) {
  return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}
VEC vec vec_and(vec a, vec b) {
  return _mm256_and_si256(a, b);
}
VEC vec vec_join(const __m128i *lanes) {
  return _mm256_inserti128_si256(vec_from_block(lanes[0]), lanes[1], 1);
}
VEC void vec_split(vec v, __m128i *lanes) {
  lanes[0] = _mm256_castsi256_si128(v);
  lanes[1] = _mm256_extracti128_si256(v, 1);
}

#include "gcm_woven.h"

const ev_kernel ev_gcm_vaes_avx2 = {
    .name = "gcm_vaes_avx2",
    .role = EV_ROLE_GCM,
    .features = EV_VAES | EV_VPCLMULQDQ | EV_AVX2 | EV_AES | EV_PCLMULQDQ | EV_SSSE3 | EV_SSE41,
    .prepare = ev_clmul_prepare,
    .extend = ev_clmul_extend,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .seal = seal,
    .open = open,
    .seal_many = seal_many,
    .open_many = open_many,
};
