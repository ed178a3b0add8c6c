/* What the test programs share: random bytes, and the choices of kernels. */
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
