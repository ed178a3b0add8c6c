/* Runs every test under every choice of kernels that this machine can make. */
#include "test.h"

ev_counter test_calls[EV_MAX_KERNELS];
static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

/* xorshift64*, Vigna 2016: the same numbers in every run. */
uint64_t test_random(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (state * UINT64_C(0x2545f4914f6cdd1d)) >> 16;
}

void test_fill(uint8_t *p, size_t length) {
  for (size_t i = 0; i < length; i++)
    p[i] = (uint8_t)test_random();
}

size_t test_kernel_sets(kernel_set *sets, size_t capacity) {
  const size_t kernels = ev_kernel_count();
  size_t count = 0;
  int seen[64][4];
  for (uint32_t disabled = 0; disabled < (uint32_t)1 << (kernels - 3); disabled++) {
    int chosen[4];
    bool known = false;
    for (int role = 0; role < 4; role++)
      chosen[role] = ev_kernel_choose((enum ev_role)role, disabled);
    for (size_t i = 0; i < count && !known; i++)
      known = memcmp(seen[i], chosen, sizeof chosen) == 0;
    if (known) continue;
    CHECK(count < capacity && count < 64, "more choices of kernels than expected");
    memcpy(seen[count], chosen, sizeof chosen);
    const int gcm = chosen[EV_ROLE_GCM];
    snprintf(
        sets[count].name, sizeof sets[count].name, "%s/%s/%s/%s",
        gcm < 0 ? "apart" : ev_kernel_at((size_t)gcm)->name, ev_kernel_at((size_t)chosen[EV_ROLE_GCTR])->name,
        ev_kernel_at((size_t)chosen[EV_ROLE_GHASH])->name, ev_kernel_at((size_t)chosen[EV_ROLE_AES])->name);
    sets[count].disabled = disabled;
    sets[count].woven = gcm >= 0;
    count++;
  }
  return count;
}

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
    test_guard_pages(&sets[i], first ? 600 : 200);
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
