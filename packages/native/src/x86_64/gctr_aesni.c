/* GCTR with AES-NI, eight blocks in flight: an AES round takes 3 to 7 cycles and one or two start in each. */
#include "clmul.h"

EV_INLINE EV_AESNI void crypt(const ev_key *key, __m128i *counter, const uint8_t *in, uint8_t *out,
                              const size_t n) {
  __m128i s[8];
  ev_aesni_keystream(key, counter, s, n);
  EV_UNROLL for (size_t i = 0; i < n; i++) ev_store(out + 16 * i, _mm_xor_si128(s[i], ev_load(in + 16 * i)));
}

EV_AESNI static void gctr(const ev_key *key, uint8_t counter[16], const uint8_t *in, uint8_t *out,
                          size_t blocks) {
  __m128i count = ev_swap_bytes(ev_load(counter));
  for (; blocks >= 8; blocks -= 8, in += 128, out += 128)
    crypt(key, &count, in, out, 8);
  if (blocks >= 4) {
    crypt(key, &count, in, out, 4);
    blocks -= 4;
    in += 64;
    out += 64;
  }
  for (; blocks > 0; blocks--, in += 16, out += 16)
    crypt(key, &count, in, out, 1);
  ev_store(counter, ev_swap_bytes(count));
}

const ev_kernel ev_gctr_aesni = {
    .name = "gctr_aesni",
    .role = EV_ROLE_GCTR,
    .features = EV_AES | EV_SSSE3 | EV_SSE41,
    .gctr = gctr,
};
