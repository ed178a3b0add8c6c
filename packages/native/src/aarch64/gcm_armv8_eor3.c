/* GCM with AESE, PMULL and the three-way exclusive or of FEAT_SHA3 (Apple M1, Neoverse V1 and later). */
#define EV_GCM __attribute__((target(EV_SHA3_TARGET)))
#define EV_GCM_INLINE static inline __attribute__((always_inline, target(EV_SHA3_TARGET)))
#define EV_XOR3(a, b, c) veor3q_u8(a, b, c)
#include "gcm_armv8.h"

const ev_kernel ev_gcm_armv8_eor3 = {
    .name = "gcm_armv8_eor3",
    .role = EV_ROLE_GCM,
    .features = EV_ARM_AES | EV_ARM_PMULL | EV_ARM_SHA3,
    .prepare = ev_pmull_prepare,
    .encrypt = encrypt,
    .decrypt = decrypt,
};
