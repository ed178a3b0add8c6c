/* Messages in pieces. */
#include "environment.h"

/* The stream's handle comes back in the mailbox. The argument (iv) is there when it is not in the mailbox. */
static napi_value start(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_bytes iv;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_mailbox *box = call.mailbox;
  ev_key *key = ev_call_key(&call);
  if (!key || !ev_input(&call, box->iv_length, box->iv, 0, &iv)) return NULL;
  ev_slots *streams = &call.environment->streams;
  const int32_t index = iv.length == 0 ? -1 : ev_slot_take(streams);
  if (index < 0) {
    ev_fail(&call, "no memory for a stream, or an empty IV");
    return NULL;
  }
  ev_open_stream *s = streams->slots[index].memory;
  s->key = box->key;
  s->key_generation = (uint32_t)box->key_generation;
  ev_stream_start(&s->stream, key, iv.bytes, iv.length, box->direction != 0);
  box->stream = index;
  box->stream_generation = (int32_t)streams->slots[index].generation;
  return NULL;
}

static napi_value absorb(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_key *key;
  ev_bytes aad;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_open_stream *s = ev_call_stream(&call, &key);
  ev_mailbox *box = call.mailbox;
  if (!s || !ev_input(&call, box->aad_length, box->aad, 0, &aad)) return NULL;
  if (s->stream.in_text) {
    ev_fail(&call, "additional data comes before the text");
    return NULL;
  }
  ev_stream_aad(&s->stream, key, aad.bytes, aad.length);
  return NULL;
}

/* Arguments (chunk, out). */
static napi_value update(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_key *key;
  ev_bytes in, out;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_open_stream *s = ev_call_stream(&call, &key);
  if (!s || !ev_text(&call, 0, &in) || !ev_text(&call, 1, &out)) return NULL;
  if (out.length < in.length || in.length > EV_MAX_TEXT - s->stream.text_length) {
    ev_fail(&call, "the output is shorter than the input, or the message too long");
    return NULL;
  }
  ev_stream_update(&s->stream, key, in.bytes, out.bytes, in.length);
  return NULL;
}

/* The tag comes back in the mailbox's block; the stream is gone. */
static napi_value finish(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_key *key;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_open_stream *s = ev_call_stream(&call, &key);
  if (!s) return NULL;
  if (s->stream.decrypt) {
    ev_fail(&call, "a decrypting stream gives no tag");
    return NULL;
  }
  ev_stream_finish(&s->stream, key, call.mailbox->block);
  ev_slot_free(&call.environment->streams, call.mailbox->stream);
  return NULL;
}

/* Compares with the tag_length bytes of the mailbox's block; the stream is gone. */
static napi_value verify(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_key *key;
  uint8_t tag[16];
  if (!ev_begin(&call, env, info)) return NULL;
  ev_open_stream *s = ev_call_stream(&call, &key);
  ev_mailbox *box = call.mailbox;
  if (!s) return NULL;
  if (!s->stream.decrypt || box->tag_length < 4 || box->tag_length > 16) {
    ev_fail(&call, "an encrypting stream verifies nothing; a tag has 4 to 16 bytes");
    return NULL;
  }
  ev_stream_finish(&s->stream, key, tag);
  box->result = ev_tags_equal(tag, box->block, (size_t)box->tag_length);
  ev_wipe(tag, sizeof tag);
  ev_slot_free(&call.environment->streams, box->stream);
  return NULL;
}

/* Ends a stream on any path; one that has ended already is no error. */
static napi_value end(napi_env env, napi_callback_info info) {
  ev_call call;
  if (!ev_begin(&call, env, info)) return NULL;
  const ev_mailbox *box = call.mailbox;
  ev_slots *streams = &call.environment->streams;
  if (ev_slot_get(streams, box->stream, (uint32_t)box->stream_generation)) ev_slot_free(streams, box->stream);
  return NULL;
}

const struct ev_function ev_stream_functions[] = {
    {"streamStart", start},
    {"streamAad", absorb},
    {"streamUpdate", update},
    {"streamFinish", finish},
    {"streamVerify", verify},
    {"streamEnd", end},
    {NULL, NULL},
};
