/* gcm_woven.h on 512-bit registers: VAES and VPCLMULQDQ with AVX-512, sixteen blocks in flight. */
#include "clmul.h"

#define WOVEN_TARGET __attribute__((target("ssse3,sse4.1,pclmul,aes,avx2,vaes,vpclmulqdq,avx512f,avx512bw")))
#define WOVEN_LANES 4
#define WOVEN_VECTORS 4
#define VEC EV_INLINE WOVEN_TARGET

typedef __m512i vec;

VEC vec vec_zero(void) {
  return _mm512_setzero_si512();
}
VEC vec vec_load(const void *p) {
  return _mm512_loadu_si512(p);
}
VEC void vec_store(void *p, vec v) {
  _mm512_storeu_si512(p, v);
}
VEC vec vec_broadcast(const void *block) {
  return _mm512_broadcast_i32x4(ev_load(block));
}
VEC vec vec_xor(vec a, vec b) {
  return _mm512_xor_si512(a, b);
}
VEC vec vec_swap_bytes(vec v) {
  const __m128i order = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  return _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(order));
}
VEC vec vec_swap_halves(vec v) {
  return _mm512_shuffle_epi32(v, 0x4e);
}
VEC vec vec_multiply_low(vec a, vec b) {
  return _mm512_clmulepi64_epi128(a, b, 0x00);
}
VEC vec vec_multiply_high(vec a, vec b) {
  return _mm512_clmulepi64_epi128(a, b, 0x11);
}
VEC vec vec_aes_round(vec s, vec k) {
  return _mm512_aesenc_epi128(s, k);
}
VEC vec vec_aes_last_round(vec s, vec k) {
  return _mm512_aesenclast_epi128(s, k);
}
VEC vec vec_counters(__m128i first) {
  return _mm512_add_epi32(_mm512_broadcast_i32x4(first),
                          _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
}
VEC vec vec_next_counter(vec counter) {
  return _mm512_add_epi32(counter, _mm512_broadcast_i32x4(_mm_set_epi32(0, 0, 0, 4)));
}
VEC vec vec_from_block(__m128i block) {
  return _mm512_inserti32x4(_mm512_setzero_si512(), block, 0);
}
VEC __m128i vec_sum_lanes(vec v) {
  const __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}
VEC vec vec_and(vec a, vec b) {
  return _mm512_and_si512(a, b);
}
VEC vec vec_join(const __m128i *lanes) {
  const vec two = _mm512_inserti32x4(vec_from_block(lanes[0]), lanes[1], 1);
  return _mm512_inserti32x4(_mm512_inserti32x4(two, lanes[2], 2), lanes[3], 3);
}
VEC void vec_split(vec v, __m128i *lanes) {
  const __m256i low = _mm512_castsi512_si256(v), high = _mm512_extracti64x4_epi64(v, 1);
  lanes[0] = _mm256_castsi256_si128(low);
  lanes[1] = _mm256_extracti128_si256(low, 1);
  lanes[2] = _mm256_castsi256_si128(high);
  lanes[3] = _mm256_extracti128_si256(high, 1);
}

#include "gcm_woven.h"

const ev_kernel ev_gcm_vaes_avx512 = {
    .name = "gcm_vaes_avx512",
    .role = EV_ROLE_GCM,
    .features = EV_AVX512F | EV_AVX512BW | EV_VAES | EV_VPCLMULQDQ | EV_AVX2 | EV_AES | EV_PCLMULQDQ |
                EV_SSSE3 | EV_SSE41,
    .prepare = ev_clmul_prepare,
    .extend = ev_clmul_extend,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .seal = seal,
    .open = open,
    .seal_many = seal_many,
    .open_many = open_many,
};
