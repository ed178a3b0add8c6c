/* GHASH and AES on 128-bit registers, shared by the kernels of x86-64.
 *
 * A block is held with its bytes reversed, which makes GHASH's bit order the polynomial's reversed.
 * Multiplication by H is then POLYVAL's dot product with H * x (RFC 8452 appendix A): a 256-bit carry-less
 * product and a reduction from below, after S. Gueron, "AES-GCM-SIV" and Gueron and Kounavis, "Intel
 * Carry-Less Multiplication Instruction and its Usage for Computing the GCM Mode". key->powers holds H^k * x
 * in that form, key->folded the sum of its halves. */
#ifndef EVARISTE_CLMUL_H
#define EVARISTE_CLMUL_H

#include <immintrin.h>
#include "../kernel.h"

#define EV_INLINE static inline __attribute__((always_inline))
#define EV_SSE __attribute__((target("ssse3,sse4.1")))
#define EV_CLMUL __attribute__((target("ssse3,sse4.1,pclmul")))
#define EV_AESNI __attribute__((target("ssse3,sse4.1,aes")))

#if defined(__clang__)
#define EV_UNROLL _Pragma("clang loop unroll(full)")
#else
#define EV_UNROLL _Pragma("GCC unroll 16")
#endif

/* Feature bits of ev_arch_features() on x86-64. */
enum {
  EV_SSSE3 = 1 << 0,
  EV_SSE41 = 1 << 1,
  EV_PCLMULQDQ = 1 << 2,
  EV_AES = 1 << 3,
  EV_AVX2 = 1 << 4,
  EV_VAES = 1 << 5,
  EV_VPCLMULQDQ = 1 << 6,
  EV_AVX512F = 1 << 7,
  EV_AVX512BW = 1 << 8,
};

/* The key, which the compiler now believes to be another: it reads round keys and powers from there where
 * they are used, instead of keeping more of them than there are registers. */
EV_INLINE const ev_key *ev_again(const ev_key *key) {
  __asm__ volatile("" : "+r"(key));
  return key;
}

/* Makes the compiler have this vector now. Left alone, GCC turns a running sum into a balanced tree, whose
 * leaves are more than there are registers. */
#define EV_PIN(v) __asm__("" : "+v"(v))

/* The kernels' common `prepare` and `extend`, in ghash_clmul.c. */
void ev_clmul_prepare(ev_key *key);
void ev_clmul_extend(ev_key *key);

EV_INLINE EV_SSE __m128i ev_load(const void *p) {
  return _mm_loadu_si128((const __m128i *)p);
}

EV_INLINE EV_SSE void ev_store(void *p, __m128i v) {
  _mm_storeu_si128((__m128i *)p, v);
}

EV_INLINE EV_SSE __m128i ev_swap_bytes(__m128i v) {
  return _mm_shuffle_epi8(v, _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f));
}

EV_INLINE EV_SSE __m128i ev_swap_halves(__m128i v) {
  return _mm_shuffle_epi32(v, 0x4e);
}

/* 1 to 15 bytes, zeros above them; reads no byte outside p[0 .. n). */
EV_INLINE EV_SSE __m128i ev_load_partial(const uint8_t *p, size_t n) {
  uint64_t low = 0, high = 0;
  if (n >= 8) {
    memcpy(&low, p, 8);
    memcpy(&high, p + n - 8, 8);
    /* The shift is done in two, because n may be 8. */
    high = high >> 8 >> (8 * (15 - n));
  } else if (n >= 4) {
    uint32_t first, last;
    memcpy(&first, p, 4);
    memcpy(&last, p + n - 4, 4);
    low = first | (uint64_t)last << (8 * (n - 4));
  } else {
    low = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
  }
  return _mm_set_epi64x((long long)high, (long long)low);
}

EV_INLINE EV_SSE void ev_store_partial(uint8_t *p, __m128i v, size_t n) {
  const uint64_t low = (uint64_t)_mm_cvtsi128_si64(v), high = (uint64_t)_mm_extract_epi64(v, 1);
  if (n >= 8) {
    const uint64_t last = n == 8 ? low : low >> (8 * (n - 8)) | high << (8 * (16 - n));
    memcpy(p, &low, 8);
    memcpy(p + n - 8, &last, 8);
  } else if (n >= 4) {
    const uint32_t first = (uint32_t)low, last = (uint32_t)(low >> (8 * (n - 4)));
    memcpy(p, &first, 4);
    memcpy(p + n - 4, &last, 4);
  } else {
    p[0] = (uint8_t)low;
    p[n / 2] = (uint8_t)(low >> (8 * (n / 2)));
    p[n - 1] = (uint8_t)(low >> (8 * (n - 1)));
  }
}

/* The first n bytes, zeros above them. */
EV_INLINE EV_SSE __m128i ev_keep_bytes(__m128i v, size_t n) {
  static const uint8_t mask[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                   255, 255, 255, 255, 255, 255, 255, 255};
  return _mm_and_si128(v, ev_load(mask + 16 - n));
}

/* A sum of products, not reduced; `middle` is Karatsuba's, still with low and high in it. */
typedef struct {
  __m128i low, middle, high;
} ev_product;

/* Adds data * H^power. */
EV_INLINE EV_CLMUL void ev_product_add(ev_product *p, const ev_key *key, __m128i data, size_t power) {
  const __m128i h = ev_load(key->powers[EV_POWERS - power]), folded = ev_load(key->folded[EV_POWERS - power]);
  const __m128i sum = _mm_xor_si128(data, ev_swap_halves(data));
  p->low = _mm_xor_si128(p->low, _mm_clmulepi64_si128(data, h, 0x00));
  p->high = _mm_xor_si128(p->high, _mm_clmulepi64_si128(data, h, 0x11));
  p->middle = _mm_xor_si128(p->middle, _mm_clmulepi64_si128(sum, folded, 0x00));
  EV_PIN(p->low);
  EV_PIN(p->high);
  EV_PIN(p->middle);
}

EV_INLINE EV_CLMUL ev_product ev_product_zero(void) {
  return (ev_product){_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
}

/* Each step clears 64 bits from below with x^128 + x^127 + x^126 + x^121 + 1. */
EV_INLINE EV_CLMUL __m128i ev_product_reduce(ev_product p) {
  const __m128i polynomial = _mm_set_epi64x(0, (long long)0xc200000000000000u);
  __m128i middle = _mm_xor_si128(p.middle, _mm_xor_si128(p.low, p.high));
  middle = _mm_xor_si128(middle, ev_swap_halves(p.low));
  middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(p.low, polynomial, 0x00));
  const __m128i high = _mm_xor_si128(p.high, ev_swap_halves(middle));
  return _mm_xor_si128(high, _mm_clmulepi64_si128(middle, polynomial, 0x00));
}

/* GHASH of whole blocks, eight to a reduction; Y in reversed form. */
EV_INLINE EV_CLMUL __m128i ev_clmul_ghash(const ev_key *key, __m128i y, const uint8_t *data, size_t blocks) {
  for (; blocks >= 8; blocks -= 8, data += 128) {
    ev_product p = ev_product_zero();
    key = ev_again(key);
    EV_UNROLL for (size_t i = 0; i < 8; i++) {
      __m128i block = ev_swap_bytes(ev_load(data + 16 * i));
      if (i == 0) block = _mm_xor_si128(block, y);
      ev_product_add(&p, key, block, 8 - i);
    }
    y = ev_product_reduce(p);
  }
  if (blocks > 0) {
    ev_product p = ev_product_zero();
    for (; blocks > 0; blocks--, data += 16) {
      ev_product_add(&p, key, _mm_xor_si128(ev_swap_bytes(ev_load(data)), y), blocks);
      y = _mm_setzero_si128();
    }
    y = ev_product_reduce(p);
  }
  return y;
}

/* AES on n blocks at once, n a constant; the blocks already hold the first round key. FIPS 197 clause 5.1. */
EV_INLINE EV_AESNI void ev_aesni_rounds(const ev_key *key, __m128i *s, const size_t n) {
  const uint32_t rounds = key->rounds;
  EV_UNROLL for (size_t r = 1; r <= 9; r++) {
    const __m128i k = ev_load(key->schedule[r]);
    EV_UNROLL for (size_t i = 0; i < n; i++) s[i] = _mm_aesenc_si128(s[i], k);
  }
  for (size_t r = 10; r < rounds; r++) {
    const __m128i k = ev_load(key->schedule[r]);
    EV_UNROLL for (size_t i = 0; i < n; i++) s[i] = _mm_aesenc_si128(s[i], k);
  }
  const __m128i k = ev_load(key->schedule[rounds]);
  EV_UNROLL for (size_t i = 0; i < n; i++) s[i] = _mm_aesenclast_si128(s[i], k);
}

/* The keystream of n counter blocks; the counter is in reversed form, so that its low 32 bits add by
 * themselves (inc32, clause 6.2) and wrap without a carry. */
EV_INLINE EV_AESNI void ev_aesni_keystream(const ev_key *key, __m128i *counter, __m128i *s, const size_t n) {
  key = ev_again(key);
  const __m128i k = ev_load(key->schedule[0]);
  EV_UNROLL for (size_t i = 0; i < n; i++) {
    const __m128i block = _mm_add_epi32(*counter, _mm_set_epi32(0, 0, 0, (int)i));
    s[i] = _mm_xor_si128(ev_swap_bytes(block), k);
  }
  *counter = _mm_add_epi32(*counter, _mm_set_epi32(0, 0, 0, (int)n));
  ev_aesni_rounds(key, s, n);
}

#endif
