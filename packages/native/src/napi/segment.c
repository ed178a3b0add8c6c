/* Segments of one message on the runtime's thread pool. */
#include "environment.h"

/* A segment under way. It works on a copy of the key, so that nothing that JavaScript does meanwhile to the
 * key can reach it; its buffers are kept alive by the reference. */
typedef struct {
  ev_key key;
  ev_counter calls[EV_MAX_KERNELS];
  ev_environment *environment;
  napi_async_work work;
  napi_deferred deferred;
  /* An array of what the call was given. */
  napi_ref arguments;
  const uint8_t *in;
  uint8_t *out, *ghash;
  size_t length;
  bool decrypt;
  uint8_t icb[16], y[16];
} segment;

static void execute(napi_env env, void *data) {
  segment *s = data;
  (void)env;
  ev_segment(&s->key, s->icb, s->in, s->out, s->length, s->decrypt, s->y);
}

static void release(napi_env env, segment *s) {
  if (s->arguments) napi_delete_reference(env, s->arguments);
  if (s->work) napi_delete_async_work(env, s->work);
  ev_wipe(s, sizeof *s);
  ev_release(s);
}

static void add_calls(segment *s) {
  for (size_t i = 0; i < EV_MAX_KERNELS; i++)
    atomic_fetch_add_explicit(&s->environment->calls[i],
                              atomic_load_explicit(&s->calls[i], memory_order_relaxed), memory_order_relaxed);
}

static void complete(napi_env env, napi_status status, void *data) {
  segment *s = data;
  napi_value value;
  if (status == 0 && napi_get_undefined(env, &value) == 0) {
    memcpy(s->ghash, s->y, 16);
    add_calls(s);
    napi_resolve_deferred(env, s->deferred, value);
  } else if (napi_create_string_utf8(env, "the segment was cancelled", NAPI_AUTO_LENGTH, &value) == 0) {
    napi_reject_deferred(env, s->deferred, value);
  }
  release(env, s);
}

/* A copy of the key whose counters are the segment's own: those of the environment are the main thread's. */
static void copy_key(segment *s, ev_key *key) {
  const ev_counter *base = s->environment->calls;
  ev_key_prepare(key);
  memcpy(&s->key, key, sizeof *key);
  s->key.gctr_calls = &s->calls[key->gctr_calls - base];
  s->key.ghash_calls = &s->calls[key->ghash_calls - base];
  if (key->gcm_calls) s->key.gcm_calls = &s->calls[key->gcm_calls - base];
}

static bool keep_arguments(napi_env env, segment *s, const napi_value *arguments) {
  napi_value array;
  if (napi_create_array(env, &array) != 0) return false;
  for (uint32_t i = 0; i < 3; i++)
    if (napi_set_element(env, array, i, arguments[i]) != 0) return false;
  return napi_create_reference(env, array, 1, &s->arguments) == 0;
}

static bool queue(napi_env env, segment *s, napi_value *promise) {
  napi_value name;
  return napi_create_string_utf8(env, "evariste", NAPI_AUTO_LENGTH, &name) == 0 &&
         napi_create_async_work(env, NULL, name, execute, complete, s, &s->work) == 0 &&
         napi_create_promise(env, &s->deferred, promise) == 0 && napi_queue_async_work(env, s->work) == 0;
}

/* Arguments (input, out, ghash): typed arrays, whatever their length. The direction and the first counter
 * block are in the mailbox. Returns a promise that is resolved when all of them may be touched again. */
static napi_value run_segment(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_bytes in, out, ghash;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_key *key = ev_call_key(&call);
  if (!key || !ev_array(&call, 0, &in) || !ev_array(&call, 1, &out) || !ev_array(&call, 2, &ghash))
    return NULL;
  if (out.length < in.length || ghash.length < 16) {
    ev_fail(&call, "the output is shorter than the input, or the hash than 16 bytes");
    return NULL;
  }
  segment *s = ev_allocate(sizeof *s);
  if (!s) {
    ev_fail(&call, "no memory for a segment");
    return NULL;
  }
  s->environment = call.environment;
  s->in = in.bytes;
  s->out = out.bytes;
  s->ghash = ghash.bytes;
  s->length = in.length;
  s->decrypt = call.mailbox->direction == 1;
  memcpy(s->icb, call.mailbox->block, 16);
  copy_key(s, key);
  napi_value promise;
  if (keep_arguments(env, s, call.arguments) && queue(env, s, &promise)) return promise;
  release(env, s);
  ev_fail(&call, "the runtime did not take the segment");
  return NULL;
}

const struct ev_function ev_segment_functions[] = {{"segment", run_segment}, {NULL, NULL}};
