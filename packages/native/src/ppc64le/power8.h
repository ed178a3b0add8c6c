/* What the POWER8 kernels share: features, loads in the order of the vector unit, AES rounds, and the
 * arithmetic of GHASH with vpmsumd. Vectors are named by their register: its leftmost byte is the first byte
 * of a block, so that one form serves vcipher and, as a 128-bit integer, vpmsumd and the counter. */
#ifndef EVARISTE_POWER8_H
#define EVARISTE_POWER8_H

#include <altivec.h>
/* altivec.h makes these words macros, which C11 has other plans for. */
#undef vector
#undef pixel
#undef bool
#include "../kernel.h"

/* Bit of ev_arch_features(): the vector cryptography category of Power ISA 2.07. */
#define EV_POWER_CRYPTO 1u

/* POWER8 is the least that little-endian Linux runs on; GCC may have been told of a lesser one. */
#if defined(__clang__)
#define EV_POWER8
#define EV_POWER8_INLINE static inline __attribute__((always_inline))
#define EV_UNROLL _Pragma("clang loop unroll(full)")
#define __builtin_crypto_vpmsumd __builtin_altivec_crypto_vpmsumd
#else
#define EV_POWER8 __attribute__((target("cpu=power8")))
#define EV_POWER8_INLINE static inline __attribute__((always_inline, target("cpu=power8")))
#define EV_UNROLL _Pragma("GCC unroll 8")
#endif

typedef __vector unsigned char ev_u8x16;
typedef __vector unsigned int ev_u32x4;
typedef __vector unsigned long long ev_u64x2;

extern const ev_kernel ev_aes_vcipher, ev_gctr_vcipher, ev_ghash_vpmsumd, ev_gcm_power8;

/* ghash_vpmsumd's `prepare`, for the kernels that use its table. */
void ev_vpmsumd_prepare(ev_key *key);

EV_POWER8_INLINE ev_u64x2 ev_load_block(const uint8_t *p) {
  return (ev_u64x2)vec_xl_be(0, (unsigned char *)(uintptr_t)p);
}

EV_POWER8_INLINE void ev_store_block(uint8_t *p, ev_u64x2 x) {
  vec_xst_be((ev_u8x16)x, 0, (unsigned char *)p);
}

/* The counter block `*c`, which then moves on by one: element 0 is the rightmost word. */
EV_POWER8_INLINE ev_u64x2 ev_counter_next(ev_u32x4 *c) {
  const ev_u64x2 block = (ev_u64x2)*c;
  *c += (ev_u32x4){1, 0, 0, 0};
  return block;
}

/* One round but the last, on n blocks, n a constant. */
EV_POWER8_INLINE void ev_aes_round(ev_u64x2 *b, int n, ev_u64x2 round_key) {
  EV_UNROLL for (int i = 0; i < n; i++) b[i] = __builtin_crypto_vcipher(b[i], round_key);
}

/* The products of GHASH, summed: low halves, high halves, and sums of the halves (Karatsuba). vpmsumd adds
 * the products of its two pairs of doublewords, so it multiplies two blocks at once when the halves of two
 * neighbouring blocks, and of two neighbouring powers of H, share a vector. */
typedef struct {
  ev_u64x2 low, high, middle;
} ev_products;

EV_POWER8_INLINE ev_u64x2 ev_swap_halves(ev_u64x2 x) {
  return vec_xxpermdi(x, x, 2);
}

EV_POWER8_INLINE ev_u64x2 ev_table_load(const uint8_t *entry) {
  return vec_xl(0, (unsigned long long *)(uintptr_t)entry);
}

/* Adds the products of x1 with H^k and x2 with H^(k-1), k even: two entries of key->powers hold the low and
 * the high halves of the two powers, and key->folded their sums. */
EV_POWER8_INLINE void ev_accumulate_pair(ev_products *sum, const ev_key *key, uint32_t k, ev_u64x2 x1,
                                         ev_u64x2 x2) {
  const ev_u64x2 low = vec_mergeh(x1, x2), high = vec_mergel(x1, x2);
  sum->low ^= __builtin_crypto_vpmsumd(low, ev_table_load(key->powers[EV_POWERS - k]));
  sum->high ^= __builtin_crypto_vpmsumd(high, ev_table_load(key->powers[EV_POWERS - k + 1]));
  sum->middle ^= __builtin_crypto_vpmsumd(low ^ high, ev_table_load(key->folded[EV_POWERS - k]));
}

/* 256-bit sum -> 128 bits, the reduction of Gueron and Kounaves, "Intel Carry-Less Multiplication Instruction
 * and its Usage for Computing the GCM Mode" (2010, rev. 2.02), 64 bits at a time from below: with
 * x^128 + x^127 + x^126 + x^121 + 1 (the standard's polynomial reversed) a low doubleword w counts as
 * w * 0xc2 << 56 at the next place, and as itself one place further. Powers in the table are H^k * x, which
 * puts right both the reversal and the shift. */
EV_POWER8_INLINE ev_u64x2 ev_reduce(ev_products p) {
  const ev_u64x2 fold = {UINT64_C(0xc200000000000000), 0};
  ev_u64x2 middle = p.middle ^ p.low ^ p.high;
  middle ^= ev_swap_halves(p.low) ^ __builtin_crypto_vpmsumd(p.low, fold);
  return p.high ^ ev_swap_halves(middle) ^ __builtin_crypto_vpmsumd(middle, fold);
}

/* Absorbs n blocks, 1 <= n <= 8: Y <- (Y + X_1) H^n + X_2 H^(n-1) + ... + X_n H. A block of zeros in front
 * makes the number even without a change of the sum. */
EV_POWER8_INLINE ev_u64x2 ev_absorb(const ev_key *key, ev_u64x2 y, const uint8_t *data, uint32_t n) {
  const ev_u64x2 zero = {0, 0};
  ev_products sum = {zero, zero, zero};
  if (n % 2 == 1) {
    ev_accumulate_pair(&sum, key, n + 1, zero, y ^ ev_load_block(data));
    y = zero;
    data += 16;
    n--;
  }
  for (; n > 0; n -= 2, data += 32) {
    ev_accumulate_pair(&sum, key, n, y ^ ev_load_block(data), ev_load_block(data + 16));
    y = zero;
  }
  return ev_reduce(sum);
}

#endif
