/* Every kernel against the portable ones, on every length and shape. */
#include "test.h"

#define MARGIN 64
#define LARGE (1024 * 1024 + 1024)

typedef struct {
  ev_key model, key;
} keys;

static const size_t key_lengths[] = {16, 24, 32};

static void random_keys(keys *k, const kernel_set *set, size_t key_length) {
  uint8_t raw[32];
  test_fill(raw, sizeof raw);
  ev_key_init(&k->model, raw, key_length, MODEL, test_calls);
  ev_key_init(&k->key, raw, key_length, set->disabled, test_calls);
}

/* One message: seal apart and in place, open apart and in place, a damaged tag; `shift` moves the buffers off
 * their alignment. Margins must keep their bytes. */
static void compare(keys *k, const kernel_set *set, const uint8_t *iv, size_t iv_length, size_t aad_length,
                    size_t length, size_t shift) {
  static uint8_t text[LARGE + 2 * MARGIN], out[LARGE + 2 * MARGIN], expected[LARGE + 2 * MARGIN], aad[LARGE];
  uint8_t tag[16], expected_tag[16];
  uint8_t *o = out + shift;
  CHECK(length <= LARGE && aad_length <= LARGE, "test buffer too small");
  test_fill(text, length);
  test_fill(aad, aad_length);
  ev_seal(&k->model, iv, iv_length, aad, aad_length, text, expected, length, expected_tag, 16);

  memset(out, 0xa5, shift + length + MARGIN);
  ev_seal(&k->key, iv, iv_length, aad, aad_length, text, o, length, tag, 16);
  CHECK(memcmp(o, expected, length) == 0, "%s: seal, %zu bytes, %zu of AAD", set->name, length, aad_length);
  CHECK(memcmp(tag, expected_tag, 16) == 0, "%s: tag, %zu bytes, %zu of AAD", set->name, length, aad_length);
  for (size_t i = 0; i < shift; i++)
    CHECK(out[i] == 0xa5, "%s: wrote before out, %zu bytes", set->name, length);
  for (size_t i = 0; i < MARGIN; i++)
    CHECK(o[length + i] == 0xa5, "%s: wrote past out, %zu bytes", set->name, length);

  CHECK(ev_open(&k->key, iv, iv_length, aad, aad_length, o, o, length, tag, 16),
        "%s: open in place, %zu bytes", set->name, length);
  CHECK(memcmp(o, text, length) == 0, "%s: open in place, %zu bytes", set->name, length);
  ev_seal(&k->key, iv, iv_length, aad, aad_length, o, o, length, tag, 16);
  CHECK(memcmp(o, expected, length) == 0, "%s: seal in place, %zu bytes", set->name, length);
  CHECK(memcmp(tag, expected_tag, 16) == 0, "%s: tag in place, %zu bytes", set->name, length);
  CHECK(ev_open(&k->key, iv, iv_length, aad, aad_length, expected, o, length, tag, 16), "%s: open, %zu bytes",
        set->name, length);
  CHECK(memcmp(o, text, length) == 0, "%s: open, %zu bytes", set->name, length);

  tag[test_random() % 16] ^= (uint8_t)(1 << test_random() % 8);
  CHECK(!ev_open(&k->key, iv, iv_length, aad, aad_length, expected, o, length, tag, 16),
        "%s: forged, %zu bytes", set->name, length);
  for (size_t i = 0; i < length; i++)
    CHECK(o[i] == 0, "%s: released at %zu of %zu", set->name, i, length);
}

/* A key of H alone hashes as the key that H belongs to, from any Y. */
static void compare_hash_key(keys *k, const kernel_set *set, size_t length) {
  static uint8_t data[LARGE];
  ev_key hash_key;
  uint8_t y[16], expected[16];
  test_fill(data, length);
  test_fill(y, sizeof y);
  memcpy(expected, y, sizeof y);
  ev_hash_key_init(&hash_key, k->model.h, set->disabled, test_calls);
  ev_ghash(&hash_key, y, data, length);
  ev_ghash(&k->model, expected, data, length);
  CHECK(memcmp(y, expected, sizeof y) == 0, "%s: GHASH by H alone, %zu bytes", set->name, length);
}

void test_lengths(const kernel_set *set, size_t limit) {
  for (size_t n = 0; n <= limit; n++) {
    keys k;
    uint8_t iv[12];
    /* A new key each time, so that every length also meets a key without its later powers of H. */
    random_keys(&k, set, key_lengths[n % 3]);
    test_fill(iv, sizeof iv);
    compare(&k, set, iv, 12, n % 37, n, n % 16);
    if (n < 256) compare(&k, set, iv, 12, 0, n, n % 16);
    compare_hash_key(&k, set, n);
  }
}

void test_shapes(const kernel_set *set) {
  static const size_t iv_lengths[] = {1, 7, 8, 11, 12, 13, 15, 16, 17, 128, 129, 65536};
  static const size_t aad_lengths[] = {0,   1,   12,  13,  15,  16,  17,  32,   48,
                                       127, 128, 129, 239, 240, 256, 513, 4097, 70000};
  static const size_t lengths[] = {0,   1,   15,  16,  17,  63,  112, 113, 127,
                                   128, 129, 240, 256, 272, 511, 512, 513, 1025};
  static const size_t multiples[] = {8192, 65536, 1024 * 1024};
  static uint8_t iv[65536];
  keys k;
  test_fill(iv, sizeof iv);
  for (size_t bits = 0; bits < 3; bits++) {
    random_keys(&k, set, key_lengths[bits]);
    for (size_t i = 0; i < sizeof iv_lengths / sizeof iv_lengths[0]; i++)
      compare(&k, set, iv, iv_lengths[i], 20, 300, 0);
    for (size_t a = 0; a < sizeof aad_lengths / sizeof aad_lengths[0]; a++)
      for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++)
        compare(&k, set, iv, 12, aad_lengths[a], lengths[n], 3);
    for (size_t m = 0; m < sizeof multiples / sizeof multiples[0]; m++)
      for (size_t near = 0; near <= 34; near += m == 2 ? 11 : 1)
        compare(&k, set, iv, 12, 0, multiples[m] + near - 17, near % 16);
  }
}

/* An initial counter close to 2^32 must wrap without a carry into the other 96 bits (clause 6.2), wherever in
 * a kernel's stride the wrap falls. With an IV of another length than 12 the same happens to whole messages.
 */
void test_counter_wrap(const kernel_set *set) {
  static uint8_t text[96 * 16], out[96 * 16], expected[96 * 16];
  keys k;
  test_fill(text, sizeof text);
  for (uint32_t before = 0; before <= 70; before++) {
    uint8_t icb[16], counter[16], model_counter[16], y[16] = {0}, model_y[16] = {0};
    random_keys(&k, set, key_lengths[before % 3]);
    test_fill(icb, sizeof icb);
    memset(icb + 8, 0xff, 4);
    ev_store32_be(icb + 12, 0u - before);
    ev_gctr(&k.model, icb, text, expected, sizeof text - before % 16);
    ev_gctr(&k.key, icb, text, out, sizeof text - before % 16);
    CHECK(memcmp(out, expected, sizeof text - before % 16) == 0, "%s: wrap after %u blocks", set->name,
          before);
    if (!k.key.gcm) continue;
    memcpy(counter, icb, 16);
    memcpy(model_counter, icb, 16);
    ev_key_prepare(&k.key);
    for (size_t blocks = 96; blocks > 0; blocks = blocks * 2 / 3) {
      k.key.gcm->encrypt(&k.key, counter, y, text, out, blocks);
      k.model.gctr->gctr(&k.model, model_counter, text, expected, blocks);
      k.model.ghash->ghash(&k.model, model_y, expected, blocks);
      CHECK(memcmp(out, expected, 16 * blocks) == 0, "%s: wrap after %u blocks, woven", set->name, before);
      k.key.gcm->decrypt(&k.key, counter, y, text, out, blocks);
      k.model.gctr->gctr(&k.model, model_counter, text, expected, blocks);
      k.model.ghash->ghash(&k.model, model_y, text, blocks);
      CHECK(memcmp(out, expected, 16 * blocks) == 0, "%s: wrap after %u blocks, woven back", set->name,
            before);
      CHECK(memcmp(counter, model_counter, 16) == 0, "%s: counter after %zu blocks", set->name, blocks);
      CHECK(memcmp(y, model_y, 16) == 0, "%s: Y after %zu blocks", set->name, blocks);
    }
    if (k.key.gcm->seal) {
      uint8_t tag[16], model_tag[16];
      ev_stream stream;
      k.key.gcm->seal(&k.key, (ev_block){ev_load64_be(icb), ev_load64_be(icb + 8)}, text, 20, text, out,
                      sizeof text - 5, tag);
      ev_stream_start(&stream, &k.model, icb, 12, false);
      memcpy(stream.j0, icb, 16);
      memcpy(stream.counter, icb, 16);
      ev_store32_be(stream.counter + 12, 1u - before);
      ev_stream_aad(&stream, &k.model, text, 20);
      ev_stream_update(&stream, &k.model, text, expected, sizeof text - 5);
      ev_stream_finish(&stream, &k.model, model_tag);
      CHECK(memcmp(out, expected, sizeof text - 5) == 0, "%s: wrap after %u blocks, whole", set->name,
            before);
      CHECK(memcmp(tag, model_tag, 16) == 0, "%s: tag, wrap after %u blocks, whole", set->name, before);
    }
  }
}

/* Two messages in pieces, turn by turn, under one key, with splits at random and around block borders. */
void test_streams(const kernel_set *set) {
  static uint8_t text[2][3000], out[2][3000], expected[3000], aad[2][300];
  for (int round = 0; round < 300; round++) {
    keys k;
    ev_stream streams[2];
    uint8_t iv[2][12], tag[16], expected_tag[16];
    size_t done[2] = {0, 0}, aad_done[2] = {0, 0}, length[2], aad_length[2];
    random_keys(&k, set, key_lengths[round % 3]);
    for (int s = 0; s < 2; s++) {
      length[s] = test_random() % (round % 2 ? 3000 : 100);
      aad_length[s] = test_random() % (round % 4 ? 40 : 300);
      test_fill(text[s], length[s]);
      test_fill(aad[s], aad_length[s]);
      test_fill(iv[s], 12);
      ev_stream_start(&streams[s], &k.key, iv[s], 12, s == 1);
    }
    while (done[0] < length[0] || done[1] < length[1] || aad_done[0] < aad_length[0] ||
           aad_done[1] < aad_length[1]) {
      const int s = (int)(test_random() % 2);
      const bool in_aad = aad_done[s] < aad_length[s];
      const size_t left = in_aad ? aad_length[s] - aad_done[s] : length[s] - done[s];
      size_t n = test_random() % (round % 3 ? 40 : 700);
      if (n > left) n = left;
      if (in_aad) {
        ev_stream_aad(&streams[s], &k.key, aad[s] + aad_done[s], n);
        aad_done[s] += n;
      } else {
        ev_stream_update(&streams[s], &k.key, text[s] + done[s], out[s] + done[s], n);
        done[s] += n;
      }
    }
    ev_stream_finish(&streams[0], &k.key, tag);
    ev_seal(&k.model, iv[0], 12, aad[0], aad_length[0], text[0], expected, length[0], expected_tag, 16);
    CHECK(memcmp(out[0], expected, length[0]) == 0, "%s: stream, %zu bytes", set->name, length[0]);
    CHECK(memcmp(tag, expected_tag, 16) == 0, "%s: stream's tag, %zu bytes", set->name, length[0]);
    ev_stream_finish(&streams[1], &k.key, tag);
    CHECK(ev_open(&k.model, iv[1], 12, aad[1], aad_length[1], text[1], expected, length[1], tag, 16),
          "%s: decrypting stream's tag, %zu bytes", set->name, length[1]);
    CHECK(memcmp(out[1], expected, length[1]) == 0, "%s: decrypting stream, %zu bytes", set->name, length[1]);
  }
}
