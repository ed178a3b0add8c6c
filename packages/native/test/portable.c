/* The portable kernels against the definitions of the standards: they are the model of all others. */
#include "test.h"
#include "../src/portable/bitslice.h"

/* FIPS 197 clause 4.2: multiplication in GF(2^8), bit by bit. */
static uint8_t multiply8(uint8_t a, uint8_t b) {
  unsigned product = 0, x = a;
  for (int i = 0; i < 8; i++) {
    if (b >> i & 1) product ^= x;
    x = x << 1 ^ (x >> 7 & 1) * 0x11b;
  }
  return (uint8_t)product;
}

/* FIPS 197 clause 5.1.1: the inverse, then the affine map. */
static uint8_t sub_byte(uint8_t a) {
  uint8_t inverse = 1, result = 0x63;
  for (int i = 0; i < 254; i++)
    inverse = multiply8(inverse, a);
  for (int i = 0; i < 5; i++)
    result ^= (uint8_t)(inverse << i | inverse >> (8 - i));
  return result;
}

static void test_sub_bytes(void) {
  for (int start = 0; start < 256; start += 64) {
    uint8_t bytes[64];
    uint64_t planes[8];
    for (int i = 0; i < 64; i++)
      bytes[i] = (uint8_t)(start + i);
    ev_to_planes(bytes, planes);
    ev_planes_sub_bytes(planes);
    ev_from_planes(planes, bytes);
    for (int i = 0; i < 64; i++)
      CHECK(bytes[i] == sub_byte((uint8_t)(start + i)), "S-box at %d", start + i);
  }
}

/* FIPS 197 appendix C. */
static void test_aes(void) {
  static const uint8_t expected[3][16] = {
      {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
      {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91},
      {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89},
  };
  uint8_t raw[32], plaintext[16], out[16];
  for (int i = 0; i < 32; i++)
    raw[i] = (uint8_t)i;
  for (int i = 0; i < 16; i++)
    plaintext[i] = (uint8_t)(i * 0x11);
  for (size_t i = 0; i < ev_kernel_count(); i++) {
    const ev_kernel *kernel = ev_kernel_at(i);
    if (kernel->role != EV_ROLE_AES || ev_kernel_missing(i)) continue;
    for (size_t k = 0; k < 3; k++) {
      ev_key key;
      kernel->expand(&key, raw, 16 + 8 * k);
      kernel->encrypt_block(&key, plaintext, out);
      CHECK(memcmp(out, expected[k], 16) == 0, "%s, key of %zu bytes", kernel->name, 16 + 8 * k);
    }
  }
}

/* SP 800-38D clause 6.3, algorithm 1: Z = X * Y. */
static void multiply128(const uint8_t x[16], uint8_t y[16]) {
  uint8_t z[16] = {0}, v[16];
  memcpy(v, y, 16);
  for (int i = 0; i < 128; i++) {
    if (x[i / 8] >> (7 - i % 8) & 1)
      for (int j = 0; j < 16; j++)
        z[j] ^= v[j];
    const uint8_t carry = v[15] & 1;
    for (int j = 15; j > 0; j--)
      v[j] = (uint8_t)(v[j] >> 1 | v[j - 1] << 7);
    v[0] = (uint8_t)(v[0] >> 1 ^ carry * 0xe1);
  }
  memcpy(y, z, 16);
}

static void test_ghash(void) {
  for (size_t i = 0; i < ev_kernel_count(); i++) {
    const ev_kernel *kernel = ev_kernel_at(i);
    if (kernel->role != EV_ROLE_GHASH || ev_kernel_missing(i)) continue;
    for (size_t round = 0; round < 300; round++) {
      ev_key key;
      uint8_t data[70 * 16], y[16], expected[16];
      const size_t blocks = round % 71;
      memset(&key, 0, sizeof key);
      test_fill(key.h, 16);
      if (round < 128) {
        memset(key.h, 0, 16);
        key.h[round / 8] = (uint8_t)(0x80 >> round % 8);
      }
      if (kernel->prepare) kernel->prepare(&key);
      if (kernel->extend) kernel->extend(&key);
      test_fill(data, sizeof data);
      test_fill(y, 16);
      memcpy(expected, y, 16);
      for (size_t b = 0; b < blocks; b++) {
        for (int j = 0; j < 16; j++)
          expected[j] ^= data[16 * b + (size_t)j];
        multiply128(key.h, expected);
      }
      kernel->ghash(&key, y, data, blocks);
      CHECK(memcmp(y, expected, 16) == 0, "%s, %zu blocks", kernel->name, blocks);
    }
  }
}

void test_portable(void) {
  test_sub_bytes();
  test_aes();
  test_ghash();
}
