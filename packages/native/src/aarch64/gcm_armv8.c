/* GCM with AESE and PMULL: every AArch64 CPU with the crypto extension. */
#define EV_GCM __attribute__((target(EV_CRYPTO_TARGET)))
#define EV_GCM_INLINE static inline __attribute__((always_inline, target(EV_CRYPTO_TARGET)))
#define EV_XOR3(a, b, c) veorq_u8(veorq_u8(a, b), c)
#include "gcm_armv8.h"

const ev_kernel ev_gcm_armv8 = {
    .name = "gcm_armv8",
    .role = EV_ROLE_GCM,
    .features = EV_ARM_AES | EV_ARM_PMULL,
    .prepare = ev_pmull_prepare,
    .encrypt = encrypt,
    .decrypt = decrypt,
};
