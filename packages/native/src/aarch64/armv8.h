/* What the AArch64 kernels share: features, counters, AES rounds on NEON registers, and the arithmetic of
 * GHASH with PMULL. */
#ifndef EVARISTE_ARMV8_H
#define EVARISTE_ARMV8_H

/* Before clang 16 the header had the intrinsics of the extensions only when the whole file was compiled for
 * them, and the attribute had no plus signs. The intrinsics are inlined into functions that have the
 * attribute. */
#if defined(__clang__) && __clang_major__ < 16
#ifndef __ARM_FEATURE_AES
#define __ARM_FEATURE_AES 1
#endif
#ifndef __ARM_FEATURE_SHA3
#define __ARM_FEATURE_SHA3 1
#endif
#define EV_CRYPTO_TARGET "crypto"
#define EV_SHA3_TARGET "crypto,sha3"
#else
#define EV_CRYPTO_TARGET "+crypto"
#define EV_SHA3_TARGET "arch=armv8.2-a+crypto+sha3"
#endif

#include <arm_neon.h>
#include "../kernel.h"

/* Bits of ev_arch_features(). */
#define EV_ARM_AES 1u
#define EV_ARM_PMULL 2u
#define EV_ARM_SHA3 4u

/* The crypto extension holds AESE, AESMC and PMULL of 64 bits. */
#define EV_CRYPTO __attribute__((target(EV_CRYPTO_TARGET)))
#define EV_CRYPTO_INLINE static inline __attribute__((always_inline, target(EV_CRYPTO_TARGET)))

#if defined(__clang__)
#define EV_UNROLL _Pragma("clang loop unroll(full)")
#else
#define EV_UNROLL _Pragma("GCC unroll 8")
#endif

extern const ev_kernel ev_aes_aese, ev_gctr_aese, ev_ghash_pmull, ev_gcm_armv8, ev_gcm_armv8_eor3;

/* ghash_pmull's `prepare`, for the kernels that use its table. */
void ev_pmull_prepare(ev_key *key);

/* Counter blocks are kept with each 32-bit word in native order, so that inc32 is an addition to word 3. */
EV_CRYPTO_INLINE uint32x4_t ev_counter_load(const uint8_t counter[16]) {
  return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(counter)));
}

EV_CRYPTO_INLINE void ev_counter_store(uint8_t counter[16], uint32x4_t c) {
  vst1q_u8(counter, vrev32q_u8(vreinterpretq_u8_u32(c)));
}

/* The block of `*c`, which then moves on by one. */
EV_CRYPTO_INLINE uint8x16_t ev_counter_next(uint32x4_t *c) {
  static const uint32_t one[4] = {0, 0, 0, 1};
  const uint8x16_t block = vrev32q_u8(vreinterpretq_u8_u32(*c));
  *c = vaddq_u32(*c, vld1q_u32(one));
  return block;
}

/* One round on `n` blocks, n a constant: AESE adds the round key before SubBytes and ShiftRows. */
EV_CRYPTO_INLINE void ev_aes_round(uint8x16_t *b, int n, uint8x16_t round_key) {
  EV_UNROLL for (int i = 0; i < n; i++) b[i] = vaesmcq_u8(vaeseq_u8(b[i], round_key));
}

/* The last SubBytes and ShiftRows; the last round key is left to the caller to add. */
EV_CRYPTO_INLINE void ev_aes_last(uint8x16_t *b, int n, uint8x16_t round_key) {
  EV_UNROLL for (int i = 0; i < n; i++) b[i] = vaeseq_u8(b[i], round_key);
}

/* GHASH works on blocks whose 64-bit halves are byte-reversed by one REV64: lane 0 is the half of x^0 to
 * x^63, its bits the standard's reversed, hence the more significant one of the reversed polynomial. */
EV_CRYPTO_INLINE uint64x2_t ev_ghash_load(const uint8_t *p) {
  return vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(p)));
}

EV_CRYPTO_INLINE void ev_ghash_store(uint8_t *p, uint64x2_t x) {
  vst1q_u8(p, vrev64q_u8(vreinterpretq_u8_u64(x)));
}

EV_CRYPTO_INLINE uint64x2_t ev_swap_halves(uint64x2_t x) {
  return vextq_u64(x, x, 1);
}

EV_CRYPTO_INLINE uint64x2_t ev_pmull_low(uint64x2_t a, uint64x2_t b) {
  return vreinterpretq_u64_p128(vmull_p64((poly64_t)vgetq_lane_u64(a, 0), (poly64_t)vgetq_lane_u64(b, 0)));
}

EV_CRYPTO_INLINE uint64x2_t ev_pmull_high(uint64x2_t a, uint64x2_t b) {
  return vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
}

/* Sums of the three products of Karatsuba's multiplication, before one reduction for all. */
typedef struct {
  uint64x2_t low, high, middle;
} ev_products;

/* The table's entry for H^k. */
EV_CRYPTO_INLINE uint64x2_t ev_power(const ev_key *key, uint32_t k) {
  return vld1q_u64((const uint64_t *)(const void *)key->powers[EV_POWERS - k]);
}

/* Sum of the halves of H^k, in both lanes. */
EV_CRYPTO_INLINE uint64x2_t ev_folded(const ev_key *key, uint32_t k) {
  return vld1q_u64((const uint64_t *)(const void *)key->folded[EV_POWERS - k]);
}

/* 256-bit sum -> 128 bits, the reduction of Gueron and Kounaves, "Intel Carry-Less Multiplication Instruction
 * and its Usage for Computing the GCM Mode" (2010, rev. 2.02), in the form that folds from below 64 bits at a
 * time: x^128 + x^127 + x^126 + x^121 + 1 (reversed) makes a low word w count as w * 0xc2 << 56 at the next
 * place, and as itself one place further. Powers in the table are H^k * x, which puts right both the reversal
 * and the shift. Lane 0 of products is the less significant; the result has the halves of ev_ghash_load. */
EV_CRYPTO_INLINE uint64x2_t ev_reduce(ev_products p) {
  const uint64x2_t fold = vdupq_n_u64(UINT64_C(0xc200000000000000));
  uint64x2_t middle = veorq_u64(p.middle, veorq_u64(p.low, p.high));
  middle = veorq_u64(middle, veorq_u64(ev_swap_halves(p.low), ev_pmull_low(p.low, fold)));
  const uint64x2_t folded = veorq_u64(p.high, ev_pmull_low(middle, fold));
  return veorq_u64(ev_swap_halves(folded), middle);
}

#endif
