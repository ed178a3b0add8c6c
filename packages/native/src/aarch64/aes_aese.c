/* AES key expansion and single blocks with the crypto extension. */
#include "armv8.h"
#include "../schedule.h"

/* With four equal columns ShiftRows changes nothing, so AESE with a zero key is SubWord. */
EV_CRYPTO static uint32_t sub_word(uint32_t word) {
  const uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
  return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}

EV_CRYPTO static void expand(ev_key *key, const uint8_t *raw, size_t length) {
  ev_expand_schedule(key, raw, length, sub_word);
}

EV_CRYPTO static void encrypt_block(const ev_key *key, const uint8_t in[16], uint8_t out[16]) {
  uint8x16_t block = vld1q_u8(in);
  for (uint32_t round = 0; round + 1 < key->rounds; round++)
    ev_aes_round(&block, 1, vld1q_u8(key->schedule[round]));
  ev_aes_last(&block, 1, vld1q_u8(key->schedule[key->rounds - 1]));
  vst1q_u8(out, veorq_u8(block, vld1q_u8(key->schedule[key->rounds])));
}

const ev_kernel ev_aes_aese = {
    .name = "aes_aese",
    .role = EV_ROLE_AES,
    .features = EV_ARM_AES,
    .expand = expand,
    .encrypt_block = encrypt_block,
};
