/* Kernels and features of AArch64. */
#include "armv8.h"

#if defined(__linux__)
#include <sys/auxv.h>

/* Bits of AT_HWCAP, from the kernel's Documentation/arm64/elf_hwcaps.rst. */
#define CAP_AES (1ul << 3)
#define CAP_PMULL (1ul << 4)
#define CAP_SHA3 (1ul << 17)

static uint32_t detect(void) {
  const unsigned long caps = getauxval(AT_HWCAP);
  return (caps & CAP_AES ? EV_ARM_AES : 0) | (caps & CAP_PMULL ? EV_ARM_PMULL : 0) |
         (caps & CAP_SHA3 ? EV_ARM_SHA3 : 0);
}
#elif defined(__APPLE__)
#include <sys/sysctl.h>

static bool has(const char *name) {
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

/* Names of macOS 12 and later; before that, the names were of the architecture's version. All of Apple's
 * 64-bit CPUs have AES and PMULL. */
static uint32_t detect(void) {
  return EV_ARM_AES | EV_ARM_PMULL |
         (has("hw.optional.arm.FEAT_SHA3") || has("hw.optional.armv8_2_sha3") ? EV_ARM_SHA3 : 0);
}
#elif defined(_WIN32)
#include <windows.h>

#ifndef PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE
#define PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE 30
#endif

/* Windows names SHA3 only in its newest headers, and a wrong number would be worse than a slower kernel. */
static uint32_t detect(void) {
  return IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE) ? EV_ARM_AES | EV_ARM_PMULL : 0;
}
#else
static uint32_t detect(void) {
  return 0;
}
#endif

const ev_kernel *const ev_arch_kernels[] = {
    &ev_gcm_armv8_eor3, &ev_gcm_armv8, &ev_ghash_pmull, &ev_gctr_aese, &ev_aes_aese,
};
const size_t ev_arch_kernel_count = sizeof ev_arch_kernels / sizeof ev_arch_kernels[0];

uint32_t ev_arch_features(void) {
  return detect();
}

const char *ev_arch_feature_name(uint32_t bit) {
  switch (bit) {
  case EV_ARM_AES:
    return "aes";
  case EV_ARM_PMULL:
    return "pmull";
  case EV_ARM_SHA3:
    return "sha3";
  default:
    return "unknown";
  }
}
