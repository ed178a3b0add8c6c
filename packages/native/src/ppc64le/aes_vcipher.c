/* AES key expansion with vsbox, and single blocks with vcipher. */
#include "power8.h"
#include "../schedule.h"

/* vsbox is SubBytes alone. */
EV_POWER8 static uint32_t sub_word(uint32_t word) {
  const ev_u32x4 columns = {word, word, word, word};
  return ((ev_u32x4)__builtin_crypto_vsbox((ev_u64x2)columns))[0];
}

EV_POWER8 static void expand(ev_key *key, const uint8_t *raw, size_t length) {
  ev_expand_schedule(key, raw, length, sub_word);
}

EV_POWER8 static void encrypt_block(const ev_key *key, const uint8_t in[16], uint8_t out[16]) {
  ev_u64x2 block = ev_load_block(in) ^ ev_load_block(key->schedule[0]);
  for (uint32_t round = 1; round < key->rounds; round++)
    ev_aes_round(&block, 1, ev_load_block(key->schedule[round]));
  ev_store_block(out, __builtin_crypto_vcipherlast(block, ev_load_block(key->schedule[key->rounds])));
}

const ev_kernel ev_aes_vcipher = {
    .name = "aes_vcipher",
    .role = EV_ROLE_AES,
    .features = EV_POWER_CRYPTO,
    .expand = expand,
    .encrypt_block = encrypt_block,
};
