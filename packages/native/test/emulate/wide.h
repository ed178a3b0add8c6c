/* The vectors of 256 and 512 bits that the x86-64 kernels use, as two or four vectors of 128 bits: each wide
 * instruction is defined lane by lane (Intel SDM volume 2), so that this proves a wide kernel's arithmetic on
 * a CPU with AES-NI, PCLMULQDQ and AVX2 only. It is included before a kernel's source. */
#ifndef EVARISTE_TEST_WIDE_H
#define EVARISTE_TEST_WIDE_H

#include <immintrin.h>
#include "../../src/x86_64/clmul.h"

/* Intrinsics with an immediate are macros in some compilers' headers. */
#undef _mm256_extracti128_si256
#undef _mm256_inserti128_si256
#undef _mm256_shuffle_epi32
#undef _mm256_clmulepi64_epi128
#undef _mm512_extracti64x4_epi64
#undef _mm512_inserti32x4
#undef _mm512_shuffle_epi32
#undef _mm512_clmulepi64_epi128

/* Only steers the compiler, and takes nothing wider than a register. */
#undef EV_PIN
#define EV_PIN(v) ((void)(v))

#define EV_MACHINE "ssse3,sse4.1,pclmul,aes,avx2"
#define WIDE static inline __attribute__((always_inline, target(EV_MACHINE)))

typedef struct {
  __m128i lane[2];
} wide256;

typedef struct {
  __m128i lane[4];
} wide512;

#define LANES(width) (width / 128)

/* A function of two wide vectors: a 128-bit intrinsic on each lane. */
#define EACH_LANE(width, name, intrinsic)                                                                    \
  WIDE wide##width name(wide##width a, wide##width b) {                                                      \
    for (int i = 0; i < LANES(width); i++)                                                                   \
      a.lane[i] = intrinsic(a.lane[i], b.lane[i]);                                                           \
    return a;                                                                                                \
  }

#define BOTH_WIDTHS(width)                                                                                   \
  EACH_LANE(width, wide##width##_xor, _mm_xor_si128)                                                         \
  EACH_LANE(width, wide##width##_and, _mm_and_si128)                                                         \
  EACH_LANE(width, wide##width##_add, _mm_add_epi32)                                                         \
  EACH_LANE(width, wide##width##_shuffle_bytes, _mm_shuffle_epi8)                                            \
  EACH_LANE(width, wide##width##_aesenc, _mm_aesenc_si128)                                                   \
  EACH_LANE(width, wide##width##_aesenclast, _mm_aesenclast_si128)                                           \
  WIDE wide##width wide##width##_broadcast(__m128i v) {                                                      \
    wide##width r;                                                                                           \
    for (int i = 0; i < LANES(width); i++)                                                                   \
      r.lane[i] = v;                                                                                         \
    return r;                                                                                                \
  }                                                                                                          \
  WIDE wide##width wide##width##_load(const void *p) {                                                       \
    wide##width r;                                                                                           \
    for (int i = 0; i < LANES(width); i++)                                                                   \
      r.lane[i] = _mm_loadu_si128((const __m128i *)p + i);                                                   \
    return r;                                                                                                \
  }                                                                                                          \
  WIDE void wide##width##_store(void *p, wide##width v) {                                                    \
    for (int i = 0; i < LANES(width); i++)                                                                   \
      _mm_storeu_si128((__m128i *)p + i, v.lane[i]);                                                         \
  }                                                                                                          \
  /* Only the controls that the kernels use, which are constants there. */                                   \
  WIDE wide##width wide##width##_clmul(wide##width a, wide##width b, int control) {                          \
    for (int i = 0; i < LANES(width); i++)                                                                   \
      a.lane[i] = control == 0x11 ? _mm_clmulepi64_si128(a.lane[i], b.lane[i], 0x11)                         \
                                  : _mm_clmulepi64_si128(a.lane[i], b.lane[i], 0x00);                        \
    return a;                                                                                                \
  }                                                                                                          \
  WIDE wide##width wide##width##_swap_halves(wide##width a) {                                                \
    for (int i = 0; i < LANES(width); i++)                                                                   \
      a.lane[i] = _mm_shuffle_epi32(a.lane[i], 0x4e);                                                        \
    return a;                                                                                                \
  }                                                                                                          \
  WIDE wide##width wide##width##_insert(wide##width a, __m128i v, int i) {                                   \
    a.lane[i] = v;                                                                                           \
    return a;                                                                                                \
  }

BOTH_WIDTHS(256)
BOTH_WIDTHS(512)

WIDE wide256 wide512_half(wide512 v, int half) {
  return (wide256){{v.lane[2 * half], v.lane[2 * half + 1]}};
}

#define __m256i wide256
#define _mm256_setzero_si256() wide256_broadcast(_mm_setzero_si128())
#define _mm256_set_epi32(h, g, f, e, d, c, b, a)                                                             \
  ((wide256){{_mm_set_epi32(d, c, b, a), _mm_set_epi32(h, g, f, e)}})
#define _mm256_loadu_si256(p) wide256_load(p)
#define _mm256_storeu_si256(p, v) wide256_store(p, v)
#define _mm256_broadcastsi128_si256(v) wide256_broadcast(v)
#define _mm256_castsi256_si128(v) ((v).lane[0])
#define _mm256_extracti128_si256(v, i) ((v).lane[i])
#define _mm256_inserti128_si256(v, block, i) wide256_insert(v, block, i)
#define _mm256_xor_si256(a, b) wide256_xor(a, b)
#define _mm256_and_si256(a, b) wide256_and(a, b)
#define _mm256_add_epi32(a, b) wide256_add(a, b)
#define _mm256_shuffle_epi8(v, order) wide256_shuffle_bytes(v, order)
#define _mm256_shuffle_epi32(v, order) WIDE_SWAP(256, v, order)
#define _mm256_clmulepi64_epi128(a, b, control) wide256_clmul(a, b, control)
#define _mm256_aesenc_epi128(s, k) wide256_aesenc(s, k)
#define _mm256_aesenclast_epi128(s, k) wide256_aesenclast(s, k)

#define __m512i wide512
#define _mm512_setzero_si512() wide512_broadcast(_mm_setzero_si128())
#define _mm512_set_epi32(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)                                     \
  ((wide512){{_mm_set_epi32(d, c, b, a), _mm_set_epi32(h, g, f, e), _mm_set_epi32(l, k, j, i),               \
              _mm_set_epi32(p, o, n, m)}})
#define _mm512_loadu_si512(p) wide512_load(p)
#define _mm512_storeu_si512(p, v) wide512_store(p, v)
#define _mm512_broadcast_i32x4(v) wide512_broadcast(v)
#define _mm512_castsi512_si256(v) wide512_half(v, 0)
#define _mm512_extracti64x4_epi64(v, i) wide512_half(v, i)
#define _mm512_inserti32x4(v, block, i) wide512_insert(v, block, i)
#define _mm512_xor_si512(a, b) wide512_xor(a, b)
#define _mm512_and_si512(a, b) wide512_and(a, b)
#define _mm512_add_epi32(a, b) wide512_add(a, b)
#define _mm512_shuffle_epi8(v, order) wide512_shuffle_bytes(v, order)
#define _mm512_shuffle_epi32(v, order) WIDE_SWAP(512, v, order)
#define _mm512_clmulepi64_epi128(a, b, control) wide512_clmul(a, b, control)
#define _mm512_aesenc_epi128(s, k) wide512_aesenc(s, k)
#define _mm512_aesenclast_epi128(s, k) wide512_aesenclast(s, k)

/* No other order of 32-bit words is used; another one does not compile. */
#define WIDE_SWAP(width, v, order) wide##width##_swap_halves((v)) WIDE_ONLY_ORDER_##order
#define WIDE_ONLY_ORDER_0x4e

/* From here on nothing may be compiled for instructions that this machine lacks. */
#define target(features) target(EV_MACHINE)

#endif
