/* AES key expansion and single blocks with AES-NI. */
#include "clmul.h"
#include "../schedule.h"

EV_AESNI static uint32_t sub_word(uint32_t word) {
  /* Lane 0 of the result is SubWord of lane 1 of the argument; the round constant stays out of it. */
  return (uint32_t)_mm_cvtsi128_si32(_mm_aeskeygenassist_si128(_mm_set1_epi32((int)word), 0));
}

EV_AESNI static void expand(ev_key *key, const uint8_t *raw, size_t length) {
  ev_expand_schedule(key, raw, length, sub_word);
}

EV_AESNI static void encrypt_block(const ev_key *key, const uint8_t in[16], uint8_t out[16]) {
  __m128i block = _mm_xor_si128(ev_load(in), ev_load(key->schedule[0]));
  ev_aesni_rounds(key, &block, 1);
  ev_store(out, block);
}

const ev_kernel ev_aes_aesni = {
    .name = "aes_aesni",
    .role = EV_ROLE_AES,
    .features = EV_AES | EV_SSSE3 | EV_SSE41,
    .expand = expand,
    .encrypt_block = encrypt_block,
};
