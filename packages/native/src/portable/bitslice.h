/* AES on bit planes: plane k holds bit k of 64 bytes, four blocks of 16, so that one pass of Boolean
 * instructions computes four blocks without a table. Byte (row, column) of block b is at bit 16 * b + 4 * row
 * + column of each plane: ShiftRows turns nibbles, MixColumns turns 16-bit lanes. */
#ifndef EVARISTE_BITSLICE_H
#define EVARISTE_BITSLICE_H

#include "../kernel.h"

#define EV_LANES(x) ((uint64_t)(x)*0x0001000100010001u)

/* Exchanges the bits of `b` under `mask` with those of `a` above them by `shift`. */
static inline void ev_swap_bits(uint64_t *a, uint64_t *b, uint64_t mask, int shift) {
  const uint64_t t = ((*a >> shift) ^ *b) & mask;
  *b ^= t;
  *a ^= t << shift;
}

/* An 8 x 8 transposition of the bits of each byte column; its own inverse. */
static inline void ev_transpose(uint64_t p[8]) {
  for (int i = 0; i < 8; i += 2)
    ev_swap_bits(&p[i], &p[i + 1], 0x5555555555555555u, 1);
  for (int i = 0; i < 8; i += 4) {
    ev_swap_bits(&p[i], &p[i + 2], 0x3333333333333333u, 2);
    ev_swap_bits(&p[i + 1], &p[i + 3], 0x3333333333333333u, 2);
  }
  for (int i = 0; i < 4; i++)
    ev_swap_bits(&p[i], &p[i + 4], 0x0f0f0f0f0f0f0f0fu, 4);
}

/* Word j = 4 * (row & 1) + column holds, at byte 2 * block + (row >> 1), that byte of that block; after the
 * transposition it is bit j of that byte in each plane. */
static inline void ev_to_planes(const uint8_t blocks[64], uint64_t p[8]) {
  for (int column = 0; column < 4; column++) {
    uint64_t even = 0, odd = 0;
    for (int block = 0; block < 4; block++) {
      const uint8_t *c = blocks + 16 * block + 4 * column;
      even |= ((uint64_t)c[0] | (uint64_t)c[2] << 8) << (16 * block);
      odd |= ((uint64_t)c[1] | (uint64_t)c[3] << 8) << (16 * block);
    }
    p[column] = even;
    p[4 + column] = odd;
  }
  ev_transpose(p);
}

/* Destroys the planes. */
static inline void ev_from_planes(uint64_t p[8], uint8_t blocks[64]) {
  ev_transpose(p);
  for (int column = 0; column < 4; column++) {
    for (int block = 0; block < 4; block++) {
      uint8_t *c = blocks + 16 * block + 4 * column;
      const uint32_t even = (uint32_t)(p[column] >> (16 * block));
      const uint32_t odd = (uint32_t)(p[4 + column] >> (16 * block));
      c[0] = (uint8_t)even;
      c[1] = (uint8_t)odd;
      c[2] = (uint8_t)(even >> 8);
      c[3] = (uint8_t)(odd >> 8);
    }
  }
}

void ev_planes_sub_bytes(uint64_t p[8]);
/* AES on four blocks in planes, with key->planes. */
void ev_planes_encrypt(const ev_key *key, uint64_t p[8]);
/* gctr_portable's and aes_portable's `prepare`: key->planes from key->schedule. */
void ev_planes_prepare(ev_key *key);

#endif
