/* GHASH without tables: carry-less products made of integer multiplications, as Thomas Pornin describes in
 * "Constant-time crypto" (BearSSL, 2016 and later). Operands are cut into four with three zero bits between
 * the bits that stay; at most 16 partial products meet at one bit, and their carries end in the holes.
 * Constant time where the 64-bit multiplication is, which holds on every CPU that Node runs on. */
#include "../kernel.h"

#define HOLES UINT64_C(0x1111111111111111)

/* The low 64 bits of the carry-less product. */
static uint64_t multiply_low(uint64_t x, uint64_t y) {
  uint64_t a[4], b[4], z = 0;
  for (int i = 0; i < 4; i++) {
    a[i] = x & (HOLES << i);
    b[i] = y & (HOLES << i);
  }
  for (int i = 0; i < 4; i++) {
    uint64_t sum = 0;
    for (int j = 0; j < 4; j++)
      sum ^= a[j] * b[(i - j) & 3];
    z |= sum & (HOLES << i);
  }
  return z;
}

static uint64_t reverse_bits(uint64_t x) {
  x = ((x >> 1) & 0x5555555555555555u) | ((x & 0x5555555555555555u) << 1);
  x = ((x >> 2) & 0x3333333333333333u) | ((x & 0x3333333333333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fu) | ((x & 0x0f0f0f0f0f0f0f0fu) << 4);
  x = ((x >> 8) & 0x00ff00ff00ff00ffu) | ((x & 0x00ff00ff00ff00ffu) << 8);
  x = ((x >> 16) & 0x0000ffff0000ffffu) | ((x & 0x0000ffff0000ffffu) << 16);
  return x >> 32 | x << 32;
}

/* h_words: low, high and their sum, then the same three with their bits reversed. The top half of a product
 * is the low half of the product of the reversed operands, reversed. */
static void prepare(ev_key *key) {
  uint64_t *w = key->h_words;
  w[0] = ev_load64_be(key->h + 8);
  w[1] = ev_load64_be(key->h);
  w[2] = w[0] ^ w[1];
  for (int i = 0; i < 3; i++)
    w[3 + i] = reverse_bits(w[i]);
}

/* y <- y * H. The words hold the bits of the standard's polynomials reversed, so the 255-bit product is one
 * place too low; then x^128 = x^7 + x^2 + x + 1 folds the half of high powers, which is the lower one. */
static void multiply(const uint64_t w[6], uint64_t *high, uint64_t *low) {
  const uint64_t y[3] = {*low, *high, *low ^ *high};
  uint64_t bottom[3], top[3];
  for (int i = 0; i < 3; i++) {
    bottom[i] = multiply_low(y[i], w[i]);
    top[i] = reverse_bits(multiply_low(reverse_bits(y[i]), w[3 + i])) >> 1;
  }
  const uint64_t middle = bottom[2] ^ bottom[0] ^ bottom[1];
  const uint64_t middle_top = top[2] ^ top[0] ^ top[1];
  uint64_t v0 = bottom[0], v1 = top[0] ^ middle, v2 = bottom[1] ^ middle_top, v3 = top[1];

  v3 = v3 << 1 | v2 >> 63;
  v2 = v2 << 1 | v1 >> 63;
  v1 = v1 << 1 | v0 >> 63;
  v0 <<= 1;

  v2 ^= v0 ^ v0 >> 1 ^ v0 >> 2 ^ v0 >> 7;
  v1 ^= v0 << 63 ^ v0 << 62 ^ v0 << 57;
  v3 ^= v1 ^ v1 >> 1 ^ v1 >> 2 ^ v1 >> 7;
  v2 ^= v1 << 63 ^ v1 << 62 ^ v1 << 57;
  *high = v3;
  *low = v2;
}

static void ghash(const ev_key *key, uint8_t y[16], const uint8_t *data, size_t blocks) {
  uint64_t high = ev_load64_be(y), low = ev_load64_be(y + 8);
  for (; blocks > 0; blocks--, data += 16) {
    high ^= ev_load64_be(data);
    low ^= ev_load64_be(data + 8);
    multiply(key->h_words, &high, &low);
  }
  ev_store64_be(y, high);
  ev_store64_be(y + 8, low);
}

const ev_kernel ev_ghash_portable = {
    .name = "ghash_portable",
    .role = EV_ROLE_GHASH,
    .prepare = prepare,
    .ghash = ghash,
};
