/* Messages in pieces of any length. */
#include "evariste.h"

void ev_stream_start(ev_stream *stream, ev_key *key, const uint8_t *iv, size_t iv_length, bool decrypt) {
  memset(stream, 0, sizeof *stream);
  stream->decrypt = decrypt;
  ev_j0(key, iv, iv_length, stream->j0);
  memcpy(stream->counter, stream->j0, 16);
  ev_store32_be(stream->counter + 12, ev_load32_be(stream->j0 + 12) + 1);
}

/* Absorbs the block that is not full, padded with zeros. */
static void absorb_pending(ev_stream *stream, ev_key *key) {
  if (stream->pending > 0) ev_ghash(key, stream->y, stream->block, stream->pending);
  stream->pending = 0;
}

void ev_stream_aad(ev_stream *stream, ev_key *key, const uint8_t *aad, size_t length) {
  stream->aad_length += length;
  if (stream->pending > 0) {
    const size_t space = 16 - stream->pending, n = length < space ? length : space;
    memcpy(stream->block + stream->pending, aad, n);
    stream->pending += (uint32_t)n;
    aad += n;
    length -= n;
    if (stream->pending < 16) return;
    absorb_pending(stream, key);
  }
  const size_t rest = length % 16;
  ev_ghash(key, stream->y, aad, length - rest);
  if (rest > 0) memcpy(stream->block, aad + length - rest, rest);
  stream->pending = (uint32_t)rest;
}

/* Bytes within one block, whose keystream is there. */
static void within_block(ev_stream *stream, const uint8_t *in, uint8_t *out, size_t length) {
  uint8_t *block = stream->block + stream->pending;
  const uint8_t *keystream = stream->keystream + stream->pending;
  for (size_t i = 0; i < length; i++) {
    const uint8_t given = in[i], made = given ^ keystream[i];
    block[i] = stream->decrypt ? given : made;
    out[i] = made;
  }
  stream->pending += (uint32_t)length;
}

static void whole_blocks(ev_stream *stream, ev_key *key, const uint8_t *in, uint8_t *out, size_t length) {
  const ev_kernel *gcm = key->gcm;
  if (gcm) {
    if (length / 16 >= EV_FIRST_POWERS) ev_key_prepare(key);
    atomic_store_explicit(key->gcm_calls, atomic_load_explicit(key->gcm_calls, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    (stream->decrypt ? gcm->decrypt : gcm->encrypt)(key, stream->counter, stream->y, in, out, length / 16);
    return;
  }
  if (stream->decrypt) ev_ghash(key, stream->y, in, length);
  ev_gctr(key, stream->counter, in, out, length);
  ev_store32_be(stream->counter + 12, ev_load32_be(stream->counter + 12) + (uint32_t)(length / 16));
  if (!stream->decrypt) ev_ghash(key, stream->y, out, length);
}

void ev_stream_update(ev_stream *stream, ev_key *key, const uint8_t *in, uint8_t *out, size_t length) {
  if (length == 0) return;
  if (!stream->in_text) absorb_pending(stream, key);
  stream->in_text = true;
  stream->text_length += length;

  if (stream->pending > 0) {
    const size_t space = 16 - stream->pending, n = length < space ? length : space;
    within_block(stream, in, out, n);
    in += n;
    out += n;
    length -= n;
    if (stream->pending < 16) return;
    absorb_pending(stream, key);
  }
  const size_t rest = length % 16, whole = length - rest;
  if (whole > 0) whole_blocks(stream, key, in, out, whole);
  if (rest > 0) {
    memset(stream->keystream, 0, 16);
    ev_gctr(key, stream->counter, stream->keystream, stream->keystream, 16);
    ev_store32_be(stream->counter + 12, ev_load32_be(stream->counter + 12) + 1);
    within_block(stream, in + whole, out + whole, rest);
  }
}

void ev_stream_finish(ev_stream *stream, ev_key *key, uint8_t tag[16]) {
  uint8_t lengths[16];
  absorb_pending(stream, key);
  ev_store64_be(lengths, stream->aad_length << 3);
  ev_store64_be(lengths + 8, stream->text_length << 3);
  ev_ghash(key, stream->y, lengths, 16);
  ev_gctr(key, stream->j0, stream->y, tag, 16);
  ev_wipe(stream, sizeof *stream);
}

void ev_segment(ev_key *key, const uint8_t icb[16], const uint8_t *in, uint8_t *out, size_t length,
                bool decrypt, uint8_t y[16]) {
  ev_stream stream = {.decrypt = decrypt, .in_text = true};
  memcpy(stream.counter, icb, 16);
  ev_stream_update(&stream, key, in, out, length);
  absorb_pending(&stream, key);
  memcpy(y, stream.y, 16);
  ev_wipe(&stream, sizeof stream);
}
