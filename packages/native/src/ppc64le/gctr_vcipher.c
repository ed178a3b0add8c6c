/* GCTR with vcipher, eight blocks in flight. */
#include "power8.h"

/* n blocks, n a constant. vcipherlast adds its round key last, so text and round key are added beforehand. */
EV_POWER8_INLINE void crypt(const ev_key *key, ev_u32x4 *counter, const uint8_t *in, uint8_t *out, int n) {
  const ev_u64x2 first = ev_load_block(key->schedule[0]), last = ev_load_block(key->schedule[key->rounds]);
  ev_u64x2 b[8];
  EV_UNROLL for (int i = 0; i < n; i++) b[i] = ev_counter_next(counter) ^ first;
  for (uint32_t round = 1; round < key->rounds; round++)
    ev_aes_round(b, n, ev_load_block(key->schedule[round]));
  EV_UNROLL for (int i = 0; i < n; i++)
      ev_store_block(out + 16 * i, __builtin_crypto_vcipherlast(b[i], last ^ ev_load_block(in + 16 * i)));
}

EV_POWER8 static void gctr(const ev_key *key, uint8_t counter[16], const uint8_t *in, uint8_t *out,
                           size_t blocks) {
  ev_u32x4 c = (ev_u32x4)ev_load_block(counter);
  for (; blocks >= 8; blocks -= 8, in += 128, out += 128)
    crypt(key, &c, in, out, 8);
  if (blocks >= 4) {
    crypt(key, &c, in, out, 4);
    blocks -= 4;
    in += 64;
    out += 64;
  }
  for (; blocks > 0; blocks--, in += 16, out += 16)
    crypt(key, &c, in, out, 1);
  ev_store_block(counter, (ev_u64x2)c);
}

const ev_kernel ev_gctr_vcipher = {
    .name = "gctr_vcipher",
    .role = EV_ROLE_GCTR,
    .features = EV_POWER_CRYPTO,
    .gctr = gctr,
};
