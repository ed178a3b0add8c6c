/* gcm_woven.h on 128-bit registers: AES-NI and PCLMULQDQ, eight blocks in flight. */
#include "clmul.h"

#define WOVEN_TARGET __attribute__((target("ssse3,sse4.1,pclmul,aes")))
#define WOVEN_LANES 1
#define WOVEN_VECTORS 8
#define VEC EV_INLINE WOVEN_TARGET

typedef __m128i vec;

VEC vec vec_zero(void) {
  return _mm_setzero_si128();
}
VEC vec vec_load(const void *p) {
  return ev_load(p);
}
VEC void vec_store(void *p, vec v) {
  ev_store(p, v);
}
VEC vec vec_broadcast(const void *block) {
  return ev_load(block);
}
VEC vec vec_xor(vec a, vec b) {
  return _mm_xor_si128(a, b);
}
VEC vec vec_swap_bytes(vec v) {
  return ev_swap_bytes(v);
}
VEC vec vec_swap_halves(vec v) {
  return ev_swap_halves(v);
}
VEC vec vec_multiply_low(vec a, vec b) {
  return _mm_clmulepi64_si128(a, b, 0x00);
}
VEC vec vec_multiply_high(vec a, vec b) {
  return _mm_clmulepi64_si128(a, b, 0x11);
}
VEC vec vec_aes_round(vec s, vec k) {
  return _mm_aesenc_si128(s, k);
}
VEC vec vec_aes_last_round(vec s, vec k) {
  return _mm_aesenclast_si128(s, k);
}
VEC vec vec_counters(__m128i first) {
  return first;
}
VEC vec vec_next_counter(vec counter) {
  return _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1));
}
VEC vec vec_from_block(__m128i block) {
  return block;
}
VEC __m128i vec_sum_lanes(vec v) {
  return v;
}
VEC vec vec_and(vec a, vec b) {
  return _mm_and_si128(a, b);
}
VEC vec vec_join(const __m128i *lanes) {
  return lanes[0];
}
VEC void vec_split(vec v, __m128i *lanes) {
  lanes[0] = v;
}

#include "gcm_woven.h"

const ev_kernel ev_gcm_aesni_clmul = {
    .name = "gcm_aesni_clmul",
    .role = EV_ROLE_GCM,
    .features = EV_AES | EV_PCLMULQDQ | EV_SSSE3 | EV_SSE41,
    .prepare = ev_clmul_prepare,
    .extend = ev_clmul_extend,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .seal = seal,
    .open = open,
    .seal_many = seal_many,
    .open_many = open_many,
};
