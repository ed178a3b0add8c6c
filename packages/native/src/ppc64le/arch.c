/* Kernels and features of 64-bit little-endian POWER under Linux. */
#include <sys/auxv.h>
#include "power8.h"

/* PPC_FEATURE2_VEC_CRYPTO of AT_HWCAP2, from the 64-bit ELF V2 ABI for Power, section 4.1.2.6. */
#define VEC_CRYPTO 0x02000000ul

const ev_kernel *const ev_arch_kernels[] = {&ev_gcm_power8, &ev_ghash_vpmsumd, &ev_gctr_vcipher,
                                            &ev_aes_vcipher};
const size_t ev_arch_kernel_count = sizeof ev_arch_kernels / sizeof ev_arch_kernels[0];

uint32_t ev_arch_features(void) {
  return getauxval(AT_HWCAP2) & VEC_CRYPTO ? EV_POWER_CRYPTO : 0;
}

const char *ev_arch_feature_name(uint32_t bit) {
  return bit == EV_POWER_CRYPTO ? "vec-crypto" : "unknown";
}
