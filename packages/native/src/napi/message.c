/* Whole messages, batches, and GHASH and GCTR alone. */
#include "environment.h"

/* A message's inputs; the arguments are (text, out, aad, iv), each only when it is not in the mailbox. */
typedef struct {
  ev_key *key;
  ev_bytes text, out, aad, iv;
  size_t tag_length;
} message;

static bool read_message(ev_call *call, message *m) {
  ev_mailbox *box = call->mailbox;
  m->key = ev_call_key(call);
  if (!m->key) return false;
  if (box->tag_length < 4 || box->tag_length > 16) return ev_fail(call, "a tag has 4 to 16 bytes");
  m->tag_length = (size_t)box->tag_length;
  if (!ev_input(call, box->iv_length, box->iv, 3, &m->iv)) return false;
  if (m->iv.length == 0) return ev_fail(call, "an IV has at least one byte");
  if (!ev_input(call, box->aad_length, box->aad, 2, &m->aad)) return false;
  if (!ev_text(call, 0, &m->text)) return false;
  m->out = m->text;
  return box->text_length != EV_IN_ARGUMENT || ev_array(call, 1, &m->out);
}

static napi_value seal(napi_env env, napi_callback_info info) {
  ev_call call;
  message m;
  if (!ev_begin(&call, env, info) || !read_message(&call, &m)) return NULL;
  if (m.text.bytes == call.mailbox->text) m.out.length = sizeof call.mailbox->text;
  if (m.text.length > EV_MAX_TEXT || m.out.length < m.tag_length ||
      m.out.length - m.tag_length < m.text.length) {
    ev_fail(&call, "the output has no room for the ciphertext and its tag");
    return NULL;
  }
  ev_seal(m.key, m.iv.bytes, m.iv.length, m.aad.bytes, m.aad.length, m.text.bytes, m.out.bytes, m.text.length,
          m.out.bytes + m.text.length, m.tag_length);
  return NULL;
}

/* From m->text to `out`, which may be the same memory; the verdict goes into the mailbox. */
static bool open_message(ev_call *call, const message *m) {
  const size_t length = m->text.length - m->tag_length;
  if (m->text.length < m->tag_length || length > EV_MAX_TEXT || m->out.length < length)
    return ev_fail(call, "the input has no tag, or the output no room for the plaintext");
  call->mailbox->result = ev_open(m->key, m->iv.bytes, m->iv.length, m->aad.bytes, m->aad.length,
                                  m->text.bytes, m->out.bytes, length, m->text.bytes + length, m->tag_length);
  return true;
}

static napi_value open(napi_env env, napi_callback_info info) {
  ev_call call;
  message m;
  if (ev_begin(&call, env, info) && read_message(&call, &m)) open_message(&call, &m);
  return NULL;
}

/* From the mailbox into a typed array, which may be memory that other threads see: so it gets the plaintext
 * when its tag is verified, or zeros. Nothing of it is left in the mailbox. */
static napi_value open_to(napi_env env, napi_callback_info info) {
  ev_call call;
  message m;
  ev_bytes out;
  if (!ev_begin(&call, env, info) || !read_message(&call, &m) || !ev_array(&call, 1, &out)) return NULL;
  if (m.text.bytes != call.mailbox->text || out.length + m.tag_length < m.text.length) {
    ev_fail(&call, "the input is not in the mailbox, or the output has no room for the plaintext");
    return NULL;
  }
  if (!open_message(&call, &m)) return NULL;
  memcpy(out.bytes, m.text.bytes, m.text.length - m.tag_length);
  ev_wipe(m.text.bytes, m.text.length - m.tag_length);
  return NULL;
}

static napi_value ghash(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_bytes data;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_key *key = ev_call_hash_key(&call);
  ev_mailbox *box = call.mailbox;
  if (!key || !ev_input(&call, box->text_length, box->text, 0, &data)) return NULL;
  ev_ghash(key, box->block, data.bytes, data.length);
  return NULL;
}

/* Arguments (input, out). */
static napi_value gctr(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_bytes in, out;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_key *key = ev_call_key(&call);
  ev_mailbox *box = call.mailbox;
  if (!key || !ev_input(&call, box->text_length, box->text, 0, &in)) return NULL;
  if (!ev_input(&call, box->text_length, box->text, 1, &out)) return NULL;
  if (out.length < in.length) {
    ev_fail(&call, "the output is shorter than the input");
    return NULL;
  }
  ev_gctr(key, box->block, in.bytes, out.bytes, in.length);
  return NULL;
}

/* Offsets of `count` messages: count + 1 of them, never decreasing, none above `limit`. */
static bool read_offsets(ev_call *call, size_t argument, size_t count, size_t limit,
                         const uint32_t **offsets) {
  int type;
  size_t length;
  napi_value array;
  void *data = NULL;
  if (!ev_argument(call, argument, &array)) return false;
  if (napi_get_typedarray_info(call->env, array, &type, &length, &data, NULL, NULL) != 0 ||
      type != NAPI_UINT32_ARRAY || length <= count)
    return ev_fail(call, "offsets are a Uint32Array with one entry more than there are messages");
  *offsets = data;
  for (size_t i = 0; i < count; i++)
    if ((*offsets)[i] > (*offsets)[i + 1]) return ev_fail(call, "offsets decrease");
  if ((*offsets)[count] > limit) return ev_fail(call, "an offset lies behind the data");
  return true;
}

typedef struct {
  ev_key *key;
  size_t count, iv_length, tag_length;
  ev_bytes ivs, data, aad, out, verdicts;
  /* No message has AAD when aad_offsets is NULL. */
  const uint32_t *offsets, *aad_offsets;
} batch_job;

/* Offsets are used after they were checked, so nothing that is written meanwhile may change them. */
static bool overwrites(const ev_bytes *written, const uint32_t *offsets, size_t count) {
  if (!offsets) return false;
  const uintptr_t from = (uintptr_t)written->bytes, other = (uintptr_t)offsets;
  return from < other + (count + 1) * sizeof *offsets && other < from + written->length;
}

static size_t length_of(const uint32_t *offsets, size_t i) {
  return offsets[i + 1] - offsets[i];
}

static size_t aad_length_of(const batch_job *job, size_t i) {
  return job->aad_offsets ? length_of(job->aad_offsets, i) : 0;
}

static const uint8_t *aad_of(const batch_job *job, size_t i) {
  return job->aad_offsets ? job->aad.bytes + job->aad_offsets[i] : NULL;
}

/* Messages from number i on that are as long as it and have no AAD either; 0 when they cannot be done many at
 * once. */
static size_t alike(const batch_job *job, size_t i, size_t text_length) {
  size_t n = 0;
  if (job->iv_length != 12 || job->tag_length != 16 || !ev_does_many(job->key, text_length)) return 0;
  for (; i + n < job->count; n++)
    if (length_of(job->offsets, i + n) != length_of(job->offsets, i) || aad_length_of(job, i + n) > 0) break;
  return n;
}

static void seal_batch(const batch_job *job) {
  uint8_t *out = job->out.bytes;
  for (size_t i = 0; i < job->count;) {
    const size_t length = length_of(job->offsets, i), step = length + job->tag_length;
    const uint8_t *iv = job->ivs.bytes + i * job->iv_length, *in = job->data.bytes + job->offsets[i];
    const ev_many messages = {.ivs = iv,
                              .in = in,
                              .out = out,
                              .tags = out + length,
                              .in_step = length,
                              .out_step = step,
                              .tag_step = step,
                              .length = length,
                              .count = alike(job, i, length)};
    size_t done = messages.count > 1 ? ev_seal_many(job->key, &messages) : 0;
    if (done == 0) {
      ev_seal(job->key, iv, job->iv_length, aad_of(job, i), aad_length_of(job, i), in, out, length,
              out + length, job->tag_length);
      done = 1;
    }
    out += done * step;
    i += done;
  }
}

static void open_batch(const batch_job *job) {
  uint8_t *out = job->out.bytes;
  for (size_t i = 0; i < job->count;) {
    const size_t step = length_of(job->offsets, i), length = step - job->tag_length;
    const uint8_t *iv = job->ivs.bytes + i * job->iv_length, *in = job->data.bytes + job->offsets[i];
    uint8_t *verdicts = job->verdicts.bytes + i;
    const ev_many messages = {.ivs = iv,
                              .in = in,
                              .out = out,
                              .in_step = step,
                              .out_step = length,
                              .length = length,
                              .count = alike(job, i, length)};
    size_t done = messages.count > 1 ? ev_open_many(job->key, &messages, verdicts) : 0;
    if (done == 0) {
      verdicts[0] = ev_open(job->key, iv, job->iv_length, aad_of(job, i), aad_length_of(job, i), in, out,
                            length, in + length, job->tag_length);
      done = 1;
    }
    out += done * length;
    i += done;
  }
}

static uint32_t count_failures(const ev_bytes *verdicts, size_t count) {
  uint32_t failures = 0;
  for (size_t i = 0; i < count; i++)
    failures += !verdicts->bytes[i];
  return failures;
}

/* Arguments (ivs, data, offsets, aad, aadOffsets, out, verdicts), the aadOffsets looked at only when there is
 * AAD; the number of messages is that of the verdicts. The IVs' length is the mailbox's iv_length here. */
static napi_value batch(napi_env env, napi_callback_info info) {
  ev_call call;
  batch_job job;
  if (!ev_begin(&call, env, info)) return NULL;
  const ev_mailbox *box = call.mailbox;
  job.key = ev_call_key(&call);
  if (!job.key || !ev_array(&call, 0, &job.ivs) || !ev_array(&call, 1, &job.data) ||
      !ev_array(&call, 3, &job.aad) || !ev_array(&call, 5, &job.out) || !ev_array(&call, 6, &job.verdicts))
    return NULL;
  if (box->count < 0 || (box->direction != 0 && job.verdicts.length < (size_t)box->count)) {
    ev_fail(&call, "there are fewer verdicts than messages");
    return NULL;
  }
  job.count = (size_t)box->count;
  if (box->iv_length < 1 || box->tag_length < 4 || box->tag_length > 16) {
    ev_fail(&call, "an IV has at least one byte, a tag 4 to 16");
    return NULL;
  }
  job.iv_length = (size_t)box->iv_length;
  job.tag_length = (size_t)box->tag_length;
  if (job.ivs.length / job.iv_length < job.count) {
    ev_fail(&call, "there are fewer IVs than messages");
    return NULL;
  }
  job.aad_offsets = NULL;
  if (!read_offsets(&call, 2, job.count, job.data.length, &job.offsets) ||
      (job.aad.length > 0 && !read_offsets(&call, 4, job.count, job.aad.length, &job.aad_offsets)))
    return NULL;
  if (overwrites(&job.out, job.offsets, job.count) || overwrites(&job.out, job.aad_offsets, job.count) ||
      overwrites(&job.verdicts, job.offsets, job.count) ||
      overwrites(&job.verdicts, job.aad_offsets, job.count)) {
    ev_fail(&call, "the output lies over the offsets");
    return NULL;
  }

  const size_t input = job.offsets[job.count] - job.offsets[0], tags = job.count * job.tag_length;
  if (box->direction == 0) {
    if (job.out.length < input || job.out.length - input < tags) {
      ev_fail(&call, "the output has no room for the ciphertexts and their tags");
      return NULL;
    }
    seal_batch(&job);
    call.mailbox->result = 0;
    return NULL;
  }
  for (size_t i = 0; i < job.count; i++) {
    if (job.offsets[i + 1] - job.offsets[i] < job.tag_length) {
      ev_fail(&call, "a message is shorter than its tag");
      return NULL;
    }
  }
  if (job.out.length < input - tags) {
    ev_fail(&call, "the output has no room for the plaintexts");
    return NULL;
  }
  open_batch(&job);
  call.mailbox->result = count_failures(&job.verdicts, job.count);
  return NULL;
}

const struct ev_function ev_message_functions[] = {
    {"seal", seal}, {"open", open},   {"openTo", open_to}, {"ghash", ghash},
    {"gctr", gctr}, {"batch", batch}, {NULL, NULL},
};
