/* Runs every test under every choice of kernels that this machine can make. */
#include "test.h"

static void report_kernels(void) {
  for (size_t i = 0; i < ev_kernel_count(); i++) {
    const uint32_t missing = ev_kernel_missing(i);
    printf("%-18s", ev_kernel_at(i)->name);
    if (missing == 0) printf(" here");
    for (uint32_t bit = 1; bit != 0 && bit <= missing; bit <<= 1)
      if (missing & bit) printf(" no %s", ev_arch_feature_name(bit));
    putchar('\n');
  }
}

int main(int argc, char **argv) {
  static kernel_set sets[64];
  /* An argument bounds the lengths, for slow emulators. */
  const size_t limit = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 4096;
  /* A second argument bounds the choices of kernels: 1 leaves what this machine would choose by itself. */
  const size_t all = test_kernel_sets(sets, sizeof sets / sizeof sets[0]);
  const size_t most = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : all;
  const size_t count = most < all ? most : all;
  uint64_t previous = 0;

  report_kernels();
  test_portable();
  for (size_t i = 0; i < count; i++) {
    /* Which ghash, gctr and aes accompany a gcm kernel matters little: the long tests take the first of each.
     */
    const bool first = !sets[i].woven || i == 0 || strncmp(sets[i].name, sets[i - 1].name, 16) != 0;
    test_vectors(&sets[i]);
    test_counter_wrap(&sets[i]);
    test_streams(&sets[i]);
    test_many(&sets[i]);
    test_guard_pages(&sets[i], first && limit > 600 ? 600 : limit / 8);
    test_lengths(&sets[i], first ? limit : limit / 8);
    if (first && limit >= 4096) test_shapes(&sets[i]);
    printf("ok %s\n", sets[i].name);
    fflush(stdout);
  }
  for (size_t i = 0; i < ev_kernel_count(); i++) {
    const uint64_t calls = test_calls[i];
    CHECK(count < all || ev_kernel_missing(i) != 0 || calls > 0, "%s never ran", ev_kernel_at(i)->name);
    previous += calls;
  }
  printf("%llu kernel calls, all as the model\n", (unsigned long long)previous);
  return 0;
}
