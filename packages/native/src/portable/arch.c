/* The architecture of machines for which there is no kernel of their own. */
#include "../kernel.h"

const ev_kernel *const ev_arch_kernels[] = {NULL};
const size_t ev_arch_kernel_count = 0;

uint32_t ev_arch_features(void) {
  return 0;
}

const char *ev_arch_feature_name(uint32_t bit) {
  (void)bit;
  return "none";
}
