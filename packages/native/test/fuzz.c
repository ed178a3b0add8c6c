/* libFuzzer: whatever the input asks for, every choice of kernels does what the portable ones do, whole and
 * in pieces. */
#include "test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
  const uint8_t *next;
  size_t left;
} reader;

static const uint8_t *take(reader *r, size_t length) {
  const uint8_t *p = r->next;
  r->next += length;
  r->left -= length;
  return p;
}

static void check(const kernel_set *set, const uint8_t *raw, size_t key_length, const uint8_t *iv,
                  size_t iv_length, const uint8_t *aad, size_t aad_length, const uint8_t *text, size_t length,
                  size_t tag_length, size_t piece) {
  ev_key model, key;
  ev_stream stream;
  uint8_t tag[16], expected_tag[16], *out = malloc(length + 1), *expected = malloc(length + 1);
  CHECK(out && expected, "memory");
  ev_key_init(&model, raw, key_length, MODEL, test_calls);
  ev_key_init(&key, raw, key_length, set->disabled, test_calls);
  ev_seal(&model, iv, iv_length, aad, aad_length, text, expected, length, expected_tag, 16);
  ev_seal(&key, iv, iv_length, aad, aad_length, text, out, length, tag, tag_length);
  CHECK(memcmp(out, expected, length) == 0 && memcmp(tag, expected_tag, tag_length) == 0, "%s: seal",
        set->name);
  CHECK(ev_open(&key, iv, iv_length, aad, aad_length, out, out, length, tag, tag_length), "%s: open",
        set->name);
  CHECK(memcmp(out, text, length) == 0, "%s: open", set->name);

  ev_stream_start(&stream, &key, iv, iv_length, false);
  for (size_t i = 0; i < aad_length; i += piece)
    ev_stream_aad(&stream, &key, aad + i, aad_length - i < piece ? aad_length - i : piece);
  for (size_t i = 0; i < length; i += piece)
    ev_stream_update(&stream, &key, text + i, out + i, length - i < piece ? length - i : piece);
  ev_stream_finish(&stream, &key, tag);
  CHECK(memcmp(out, expected, length) == 0 && memcmp(tag, expected_tag, 16) == 0, "%s: pieces", set->name);
  free(out);
  free(expected);
}

/* Five bytes of choices, then key, IV, AAD and text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static kernel_set sets[64];
  static size_t count;
  if (count == 0) count = test_kernel_sets(sets, sizeof sets / sizeof sets[0]);
  if (size < 5 + 32 + 1) return 0;
  reader r = {data, size};
  const uint8_t *head = take(&r, 5);
  const size_t key_length = 16 + 8 * (head[0] % 3u), tag_length = 4 + head[0] / 3 % 13u,
               piece = 1 + head[1] % 80u;
  const uint8_t *raw = take(&r, 32);
  const size_t iv_length = head[2] < 128 && r.left >= 12 ? 12 : 1 + head[2] % r.left;
  const uint8_t *iv = take(&r, iv_length);
  const size_t aad_length = r.left * head[3] / 512;
  const uint8_t *aad = take(&r, aad_length);
  check(&sets[head[4] % count], raw, key_length, iv, iv_length, aad, aad_length, r.next, r.left, tag_length,
        piece);
  return 0;
}
