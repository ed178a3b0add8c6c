/* The kernels of x86-64, and what the CPU and the operating system allow (Intel SDM volume 1, 14.3 and 15.2).
 */
#include <cpuid.h>
#include "clmul.h"

extern const ev_kernel ev_gcm_vaes_avx512, ev_gcm_vaes_avx2, ev_gcm_aesni_clmul, ev_ghash_clmul,
    ev_gctr_aesni, ev_aes_aesni;

const ev_kernel *const ev_arch_kernels[] = {
    &ev_gcm_vaes_avx512, &ev_gcm_vaes_avx2, &ev_gcm_aesni_clmul,
    &ev_ghash_clmul,     &ev_gctr_aesni,    &ev_aes_aesni,
};
const size_t ev_arch_kernel_count = sizeof ev_arch_kernels / sizeof ev_arch_kernels[0];

/* XCR0: which registers the operating system saves. */
static uint32_t saved_registers(void) {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static uint32_t detect(void) {
  uint32_t a, b, c, d, features = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  if (c & bit_SSSE3) features |= EV_SSSE3;
  if (c & bit_SSE4_1) features |= EV_SSE41;
  if (c & bit_PCLMUL) features |= EV_PCLMULQDQ;
  if (c & bit_AES) features |= EV_AES;

  const bool avx = (c & bit_OSXSAVE) && (c & bit_AVX);
  const uint32_t saved = avx ? saved_registers() : 0;
  const uint32_t ymm = 0x06, zmm = 0xe6;
  if ((saved & ymm) != ymm || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return features;
  if (b & bit_AVX2) features |= EV_AVX2;
  if (c & bit_VAES) features |= EV_VAES;
  if (c & bit_VPCLMULQDQ) features |= EV_VPCLMULQDQ;
  if ((saved & zmm) != zmm) return features;
  if (b & bit_AVX512F) features |= EV_AVX512F;
  if (b & bit_AVX512BW) features |= EV_AVX512BW;
  return features;
}

uint32_t ev_arch_features(void) {
  /* Bit 31 says that the rest is known. CPUID traps under virtual machines, so it is asked once; a race
   * between threads stores the same value twice. */
  static _Atomic uint32_t known;
  uint32_t features = atomic_load_explicit(&known, memory_order_relaxed);
  if (features == 0) {
    features = detect() | 1u << 31;
    atomic_store_explicit(&known, features, memory_order_relaxed);
  }
  return features & ~(1u << 31);
}

const char *ev_arch_feature_name(uint32_t bit) {
  static const char *const names[] = {"ssse3", "sse4.1",     "pclmulqdq", "aes",     "avx2",
                                      "vaes",  "vpclmulqdq", "avx512f",   "avx512bw"};
  for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (bit == 1u << i) return names[i];
  return "unknown";
}
