/* GCTR with AESE and AESMC, eight blocks in flight. */
#include "armv8.h"

/* The keystream of `n` blocks, n a constant, without the last round key. */
EV_CRYPTO_INLINE void keystream(const ev_key *key, uint32x4_t *counter, uint8x16_t *b, int n) {
  EV_UNROLL for (int i = 0; i < n; i++) b[i] = ev_counter_next(counter);
  for (uint32_t round = 0; round + 1 < key->rounds; round++)
    ev_aes_round(b, n, vld1q_u8(key->schedule[round]));
  ev_aes_last(b, n, vld1q_u8(key->schedule[key->rounds - 1]));
}

EV_CRYPTO static void gctr(const ev_key *key, uint8_t counter[16], const uint8_t *in, uint8_t *out,
                           size_t blocks) {
  const uint8x16_t last = vld1q_u8(key->schedule[key->rounds]);
  uint32x4_t c = ev_counter_load(counter);
  uint8x16_t b[8];

  for (; blocks >= 8; blocks -= 8, in += 128, out += 128) {
    keystream(key, &c, b, 8);
    EV_UNROLL for (int i = 0; i < 8; i++)
        vst1q_u8(out + 16 * i, veorq_u8(vld1q_u8(in + 16 * i), veorq_u8(b[i], last)));
  }
  if (blocks >= 4) {
    keystream(key, &c, b, 4);
    EV_UNROLL for (int i = 0; i < 4; i++)
        vst1q_u8(out + 16 * i, veorq_u8(vld1q_u8(in + 16 * i), veorq_u8(b[i], last)));
    blocks -= 4;
    in += 64;
    out += 64;
  }
  for (; blocks > 0; blocks--, in += 16, out += 16) {
    keystream(key, &c, b, 1);
    vst1q_u8(out, veorq_u8(vld1q_u8(in), veorq_u8(b[0], last)));
  }
  ev_counter_store(counter, c);
}

const ev_kernel ev_gctr_aese = {
    .name = "gctr_aese",
    .role = EV_ROLE_GCTR,
    .features = EV_ARM_AES,
    .gctr = gctr,
};
