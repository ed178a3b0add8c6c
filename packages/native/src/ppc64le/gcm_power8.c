/* GCM in one pass on POWER8 and later: the keystream of eight blocks is made while the ciphertext of eight
 * blocks is hashed. */
#include "power8.h"

EV_POWER8_INLINE void begin(ev_u64x2 *b, int n, ev_u32x4 *counter, ev_u64x2 first) {
  EV_UNROLL for (int i = 0; i < n; i++) b[i] = ev_counter_next(counter) ^ first;
}

/* vcipherlast adds its round key last, so text and round key are added beforehand. */
EV_POWER8_INLINE void finish(const ev_u64x2 *b, uint32_t n, ev_u64x2 last, const uint8_t *in, uint8_t *out) {
  EV_UNROLL for (uint32_t i = 0; i < n; i++)
      ev_store_block(out + 16 * i, __builtin_crypto_vcipherlast(b[i], last ^ ev_load_block(in + 16 * i)));
}

EV_POWER8_INLINE void keystream(const ev_key *key, ev_u32x4 *counter, ev_u64x2 *b, int n) {
  begin(b, n, counter, ev_load_block(key->schedule[0]));
  for (uint32_t round = 1; round < key->rounds; round++)
    ev_aes_round(b, n, ev_load_block(key->schedule[round]));
}

/* The same for eight blocks, and Y after the eight blocks at `data`: two rounds to a pair of blocks, so that
 * the two kinds of work fill each other's latencies. */
EV_POWER8_INLINE ev_u64x2 keystream_and_ghash(const ev_key *key, ev_u32x4 *counter, ev_u64x2 *b, ev_u64x2 y,
                                              const uint8_t *data) {
  const ev_u64x2 zero = {0, 0};
  ev_products sum = {zero, zero, zero};
  begin(b, 8, counter, ev_load_block(key->schedule[0]));
  EV_UNROLL for (uint32_t i = 0; i < 8; i += 2) {
    ev_u64x2 x = ev_load_block(data + 16 * i);
    if (i == 0) x ^= y;
    ev_aes_round(b, 8, ev_load_block(key->schedule[i + 1]));
    ev_accumulate_pair(&sum, key, 8 - i, x, ev_load_block(data + 16 * i + 16));
    ev_aes_round(b, 8, ev_load_block(key->schedule[i + 2]));
  }
  for (uint32_t round = 9; round < key->rounds; round++)
    ev_aes_round(b, 8, ev_load_block(key->schedule[round]));
  return ev_reduce(sum);
}

/* GCTR of n < 8 blocks, four at a time whatever n is: the instructions that are wasted run in the shadow of
 * the others' latency. */
EV_POWER8_INLINE void crypt_rest(const ev_key *key, ev_u32x4 *counter, const uint8_t *in, uint8_t *out,
                                 uint32_t n) {
  const ev_u64x2 last = ev_load_block(key->schedule[key->rounds]);
  ev_u32x4 c = *counter;
  ev_u64x2 b[4];
  *counter += (ev_u32x4){n, 0, 0, 0};
  if (n >= 4) {
    keystream(key, &c, b, 4);
    finish(b, 4, last, in, out);
    n -= 4;
    in += 64;
    out += 64;
  }
  if (n == 0) return;
  keystream(key, &c, b, 4);
  finish(b, 1, last, in, out);
  if (n > 1) finish(b + 1, 1, last, in + 16, out + 16);
  if (n > 2) finish(b + 2, 1, last, in + 32, out + 32);
}

/* Hashes the ciphertext of the eight blocks before, which it reads back from `out`. */
EV_POWER8 static void encrypt(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                              uint8_t *out, size_t blocks) {
  const ev_u64x2 last = ev_load_block(key->schedule[key->rounds]);
  ev_u32x4 c = (ev_u32x4)ev_load_block(counter);
  ev_u64x2 state = ev_load_block(y), b[8];

  if (blocks >= 8) {
    keystream(key, &c, b, 8);
    finish(b, 8, last, in, out);
    for (blocks -= 8, in += 128; blocks >= 8; blocks -= 8, in += 128, out += 128) {
      state = keystream_and_ghash(key, &c, b, state, out);
      finish(b, 8, last, in, out + 128);
    }
    state = ev_absorb(key, state, out, 8);
    out += 128;
  }
  if (blocks > 0) {
    crypt_rest(key, &c, in, out, (uint32_t)blocks);
    state = ev_absorb(key, state, out, (uint32_t)blocks);
  }
  ev_store_block(counter, (ev_u64x2)c);
  ev_store_block(y, state);
}

EV_POWER8 static void decrypt(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                              uint8_t *out, size_t blocks) {
  const ev_u64x2 last = ev_load_block(key->schedule[key->rounds]);
  ev_u32x4 c = (ev_u32x4)ev_load_block(counter);
  ev_u64x2 state = ev_load_block(y), b[8];

  for (; blocks >= 8; blocks -= 8, in += 128, out += 128) {
    state = keystream_and_ghash(key, &c, b, state, in);
    finish(b, 8, last, in, out);
  }
  if (blocks > 0) {
    state = ev_absorb(key, state, in, (uint32_t)blocks);
    crypt_rest(key, &c, in, out, (uint32_t)blocks);
  }
  ev_store_block(counter, (ev_u64x2)c);
  ev_store_block(y, state);
}

const ev_kernel ev_gcm_power8 = {
    .name = "gcm_power8",
    .role = EV_ROLE_GCM,
    .features = EV_POWER_CRYPTO,
    .prepare = ev_vpmsumd_prepare,
    .encrypt = encrypt,
    .decrypt = decrypt,
};
