/* Messages done many at once against the same messages one by one. */
#include "test.h"

#define MOST 70
#define MARGIN 64

typedef struct {
  uint8_t ivs[12 * MOST], in[MOST * (EV_MANY_LENGTH + 16)];
  uint8_t expected[MOST * (EV_MANY_LENGTH + 16)], out[MOST * (EV_MANY_LENGTH + 16) + MARGIN];
} memory;

static void seal_each(ev_key *model, const memory *m, uint8_t *out, size_t length, size_t count) {
  const size_t step = length + 16;
  for (size_t i = 0; i < count; i++)
    ev_seal(model, m->ivs + 12 * i, 12, NULL, 0, m->in + i * length, out + i * step, length,
            out + i * step + length, 16);
}

static void check_margin(const kernel_set *set, const uint8_t *end, size_t length) {
  for (size_t i = 0; i < MARGIN; i++)
    CHECK(end[i] == 0xa5, "%s: wrote past out, messages of %zu bytes", set->name, length);
}

static void seal(ev_key *key, const kernel_set *set, memory *m, size_t length, size_t count) {
  const size_t step = length + 16;
  memset(m->out, 0xa5, sizeof m->out);
  const size_t done = ev_seal_many(key, &(ev_many){.ivs = m->ivs,
                                                   .in = m->in,
                                                   .out = m->out,
                                                   .tags = m->out + length,
                                                   .in_step = length,
                                                   .out_step = step,
                                                   .tag_step = step,
                                                   .length = length,
                                                   .count = count});
  CHECK(done <= count && count - done < 32, "%s: %zu of %zu messages", set->name, done, count);
  CHECK(memcmp(m->out, m->expected, done * step) == 0, "%s: %zu messages of %zu bytes", set->name, done,
        length);
  check_margin(set, m->out + done * step, length);
}

/* Every third message is forged, a bit of text or tag each. */
static void open(ev_key *key, const kernel_set *set, memory *m, size_t length, size_t count) {
  const size_t step = length + 16;
  uint8_t verdicts[MOST];
  static const uint8_t zeros[EV_MANY_LENGTH];
  memset(m->out, 0xa5, sizeof m->out);
  for (size_t i = 0; i < count; i += 3)
    m->expected[i * step + test_random() % step] ^= (uint8_t)(1 << test_random() % 8);
  const ev_many messages = {.ivs = m->ivs,
                            .in = m->expected,
                            .out = m->out,
                            .in_step = step,
                            .out_step = length,
                            .length = length,
                            .count = count};
  const size_t done = ev_open_many(key, &messages, verdicts);
  CHECK(done <= count && count - done < 32, "%s: %zu of %zu messages", set->name, done, count);
  for (size_t i = 0; i < done; i++) {
    const uint8_t *right = i % 3 == 0 ? zeros : m->in + i * length;
    CHECK(verdicts[i] == (i % 3 != 0), "%s: verdict on message %zu of %zu bytes", set->name, i, length);
    CHECK(memcmp(m->out + i * length, right, length) == 0, "%s: message %zu of %zu bytes", set->name, i,
          length);
  }
  check_margin(set, m->out + done * length, length);
}

void test_many(const kernel_set *set) {
  static const size_t counts[] = {0, 1, 3, 4, 5, 8, 15, 16, 33, MOST};
  static memory m;
  ev_key model, key;
  uint8_t raw[32];
  for (size_t length = 1; length <= EV_MANY_LENGTH; length++) {
    const size_t key_length = 16 + 8 * (length % 3);
    test_fill(raw, sizeof raw);
    ev_key_init(&model, raw, key_length, MODEL, test_calls);
    ev_key_init(&key, raw, key_length, set->disabled, test_calls);
    if (!ev_does_many(&key, length)) continue;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
      test_fill(m.ivs, sizeof m.ivs);
      test_fill(m.in, sizeof m.in);
      seal_each(&model, &m, m.expected, length, counts[c]);
      seal(&key, set, &m, length, counts[c]);
      open(&key, set, &m, length, counts[c]);
    }
  }
}
