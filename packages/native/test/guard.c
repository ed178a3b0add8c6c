/* Buffers between pages that may not be touched: a read or write outside a range ends the program. */
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#include <unistd.h>
#include "test.h"

typedef struct {
  uint8_t *start, *end;
} region;

static region guarded(size_t pages) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *p = mmap(NULL, (pages + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(p != MAP_FAILED, "mmap");
  CHECK(mprotect(p + page, pages * page, PROT_READ | PROT_WRITE) == 0, "mprotect");
  return (region){p + page, p + page + pages * page};
}

static uint8_t *place(region r, bool at_end, size_t length) {
  return at_end ? r.end - length : r.start;
}

static region text, out, aad, iv, tag;

/* Sixteen messages, the most that a kernel takes at once, end where the page does. */
static void guard_many(ev_key *key, const kernel_set *set, bool at_end, size_t length) {
  const size_t count = 16, step = length + 16;
  uint8_t *ivs = place(iv, at_end, 12 * count), *in = place(text, at_end, length * count);
  uint8_t *sealed = place(out, at_end, step * count), *opened = place(aad, at_end, length * count),
          verdicts[16];
  test_fill(ivs, 12 * count);
  test_fill(in, length * count);
  ev_many m = {.ivs = ivs,
               .in = in,
               .out = sealed,
               .tags = sealed + length,
               .in_step = length,
               .out_step = step,
               .tag_step = step,
               .length = length,
               .count = count};
  const size_t done = ev_seal_many(key, &m);
  m.in = sealed;
  m.out = opened;
  m.in_step = step;
  m.out_step = length;
  CHECK(ev_open_many(key, &m, verdicts) == done, "%s: %zu bytes", set->name, length);
  CHECK(memcmp(opened, in, length * done) == 0, "%s: %zu messages of %zu bytes", set->name, done, length);
}

void test_guard_pages(const kernel_set *set, size_t limit) {
  uint8_t raw[32];
  ev_key key;
  if (!text.start) {
    text = guarded(1);
    out = guarded(1);
    aad = guarded(1);
    iv = guarded(1);
    tag = guarded(1);
  }
  test_fill(raw, sizeof raw);
  test_fill(text.start, 2048);
  ev_key_init(&key, raw, 16, set->disabled, test_calls);
  for (size_t n = 0; n <= limit; n++) {
    for (int side = 0; side < 2; side++) {
      const size_t aad_length = n * 7 % 50, iv_length = n % 5 == 4 ? 1 + n % 20 : 12, tag_length = 12 + n % 5;
      uint8_t *p = place(text, side, n), *o = place(out, side, n), *a = place(aad, side, aad_length);
      uint8_t *v = place(iv, side, iv_length), *t = place(tag, side, tag_length);
      test_fill(p, n);
      ev_seal(&key, v, iv_length, a, aad_length, p, o, n, t, tag_length);
      CHECK(ev_open(&key, v, iv_length, a, aad_length, o, o, n, t, tag_length), "%s: %zu bytes", set->name,
            n);
      CHECK(memcmp(o, p, n) == 0, "%s: %zu bytes", set->name, n);
      /* The AAD long, the text short. */
      ev_seal(&key, v, iv_length, p, n, a, a, aad_length, t, tag_length);
      CHECK(ev_open(&key, v, iv_length, p, n, a, a, aad_length, t, tag_length), "%s: AAD of %zu bytes",
            set->name, n);
      uint8_t y[16] = {0};
      ev_ghash(&key, y, p, n);
      ev_gctr(&key, y, p, o, n);
    }
  }
  for (size_t n = 1; n <= EV_MANY_LENGTH && ev_does_many(&key, n); n++)
    for (int side = 0; side < 2; side++)
      guard_many(&key, set, side, n);
  ev_key_wipe(&key);
}
