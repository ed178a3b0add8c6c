/* The list of kernels, and the choice of one per role. */
#include "evariste.h"

static const ev_kernel *const portable[] = {&ev_ghash_portable, &ev_gctr_portable, &ev_aes_portable};
#define PORTABLE_COUNT (sizeof portable / sizeof portable[0])

size_t ev_kernel_count(void) {
  return ev_arch_kernel_count + PORTABLE_COUNT;
}

const ev_kernel *ev_kernel_at(size_t index) {
  return index < ev_arch_kernel_count ? ev_arch_kernels[index] : portable[index - ev_arch_kernel_count];
}

uint32_t ev_kernel_missing(size_t index) {
  return ev_kernel_at(index)->features & ~ev_arch_features();
}

int ev_kernel_choose(enum ev_role role, uint32_t disabled) {
  for (size_t i = 0; i < ev_kernel_count(); i++) {
    const bool off = i < ev_arch_kernel_count && (disabled >> i & 1);
    if (ev_kernel_at(i)->role == role && !off && ev_kernel_missing(i) == 0) return (int)i;
  }
  return -1;
}
