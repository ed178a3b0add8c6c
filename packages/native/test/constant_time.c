/* Runs every kernel under valgrind with the key and the text marked undefined: memcheck reports each branch
 * and each address that depends on them. With the argument "leak" it makes such a branch itself, to show that
 * it is seen. */
#include "test.h"

#define TEXT 700

static void secret(void *p, size_t length) {
  VALGRIND_MAKE_MEM_UNDEFINED(p, length);
}

/* Sixteen messages that are secret, and their forgeries. */
static void run_many(ev_key *key, size_t length) {
  static uint8_t ivs[16 * 12], text[16 * EV_MANY_LENGTH], sealed[16 * (EV_MANY_LENGTH + 16)];
  uint8_t verdicts[16];
  if (!ev_does_many(key, length)) return;
  secret(text, sizeof text);
  ev_many m = {.ivs = ivs,
               .in = text,
               .out = sealed,
               .tags = sealed + length,
               .in_step = length,
               .out_step = length + 16,
               .tag_step = length + 16,
               .length = length,
               .count = 16};
  const size_t done = ev_seal_many(key, &m);
  for (size_t i = 0; i < done; i += 2)
    sealed[i * (length + 16)] ^= 1;
  m.in = sealed;
  m.out = text;
  m.in_step = length + 16;
  m.out_step = length;
  CHECK(ev_open_many(key, &m, verdicts) == done, "%zu bytes", length);
  for (size_t i = 0; i < done; i++)
    CHECK(verdicts[i] == i % 2, "verdict on message %zu of %zu bytes", i, length);
}

static void run(const kernel_set *set, size_t key_length, size_t length) {
  static uint8_t text[TEXT], sealed[TEXT], opened[TEXT];
  uint8_t raw[32], iv[16], aad[40], tag[16], y[16];
  ev_key key, hash_key;
  ev_stream stream;
  test_fill(raw, sizeof raw);
  test_fill(iv, sizeof iv);
  test_fill(aad, sizeof aad);
  test_fill(text, length);
  test_fill(y, sizeof y);
  secret(raw, sizeof raw);
  secret(text, length);
  secret(y, sizeof y);
  ev_key_init(&key, raw, key_length, set->disabled, test_calls);
  ev_seal(&key, iv, 12, aad, length % 40, text, sealed, length, tag, 16);
  CHECK(ev_open(&key, iv, 12, aad, length % 40, sealed, opened, length, tag, 16), "%s: %zu bytes", set->name,
        length);
  tag[0] ^= 1;
  CHECK(!ev_open(&key, iv, 12, aad, length % 40, sealed, opened, length, tag, 16), "%s: %zu bytes", set->name,
        length);
  ev_seal(&key, iv, 16, aad, 40, text, sealed, length, tag, 13);

  run_many(&key, length);

  ev_stream_start(&stream, &key, iv, 16, false);
  ev_stream_aad(&stream, &key, aad, 7);
  ev_stream_aad(&stream, &key, aad, 33);
  ev_stream_update(&stream, &key, text, sealed, length / 3);
  ev_stream_update(&stream, &key, text + length / 3, sealed + length / 3, length - length / 3);
  ev_stream_finish(&stream, &key, tag);
  ev_ghash(&key, y, text, length);
  ev_gctr(&key, y, text, sealed, length);
  ev_hash_key_init(&hash_key, key.h, set->disabled, test_calls);
  ev_ghash(&hash_key, y, text, length);
  ev_key_wipe(&hash_key);
  ev_key_wipe(&key);
}

int main(int argc, char **argv) {
  static const size_t lengths[] = {0, 1, 15, 16, 33, 100, 127, 128, 200, 256, 272, 511, 600, TEXT};
  static kernel_set sets[64];
  const size_t count = test_kernel_sets(sets, sizeof sets / sizeof sets[0]);
  if (argc > 1 && strcmp(argv[1], "leak") == 0) {
    volatile uint8_t bit = 1;
    secret((void *)&bit, 1);
    if (bit) puts("a branch on a secret");
    return 0;
  }
  for (size_t i = 0; i < ev_kernel_count(); i++)
    if (ev_kernel_missing(i))
      printf("%s does not run here: valgrind's CPU lacks what it needs\n", ev_kernel_at(i)->name);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 16; k <= 32; k += 8)
      for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++)
        run(&sets[i], k, lengths[n]);
    printf("ok %s\n", sets[i].name);
  }
  return 0;
}
