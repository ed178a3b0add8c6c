/* In place of x86_64/arch.c: what wide.h stands in for counts as present. */
#define ev_arch_features detected_features
#include "../../src/x86_64/arch.c"
#undef ev_arch_features

uint32_t ev_arch_features(void);

uint32_t ev_arch_features(void) {
  return detected_features() | EV_VAES | EV_VPCLMULQDQ | EV_AVX512F | EV_AVX512BW;
}
