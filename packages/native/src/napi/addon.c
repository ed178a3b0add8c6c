/* The addon's entry, its keys, and what it says of its kernels. */
#include <stdio.h>
#include "environment.h"

/* Memory for a new key, whose handle is left in the mailbox. */
static ev_key *take_key(ev_call *call) {
  ev_slots *keys = &call->environment->keys;
  const int32_t index = ev_slot_take(keys);
  if (index < 0) {
    ev_fail(call, "no memory for a key");
    return NULL;
  }
  call->mailbox->key = index;
  call->mailbox->key_generation = (int32_t)keys->slots[index].generation;
  return keys->slots[index].memory;
}

/* A new key from text_length bytes of the mailbox's text, which are wiped; its handle and its kernels'
 * numbers come back in the mailbox. */
static napi_value create_key(napi_env env, napi_callback_info info) {
  ev_call call;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_mailbox *box = call.mailbox;
  const int32_t length = box->text_length;
  if (length != 16 && length != 24 && length != 32) {
    ev_fail(&call, "a key has 16, 24 or 32 bytes");
    return NULL;
  }
  ev_key *key = take_key(&call);
  if (!key) return NULL;
  ev_key_init(key, box->text, (size_t)length, box->disabled, call.environment->calls);
  ev_wipe(box->text, (size_t)length);
  box->gcm = ev_kernel_choose(EV_ROLE_GCM, box->disabled);
  box->gctr = ev_kernel_choose(EV_ROLE_GCTR, box->disabled);
  box->ghash = ev_kernel_choose(EV_ROLE_GHASH, box->disabled);
  return NULL;
}

/* A new key from H, which is the mailbox's block and is wiped: it hashes and does nothing else. */
static napi_value create_hash_key(napi_env env, napi_callback_info info) {
  ev_call call;
  if (!ev_begin(&call, env, info)) return NULL;
  ev_mailbox *box = call.mailbox;
  ev_key *key = take_key(&call);
  if (!key) return NULL;
  ev_hash_key_init(key, box->block, box->disabled, call.environment->calls);
  ev_wipe(box->block, sizeof box->block);
  return NULL;
}

/* A key that does not exist any more is no error. */
static napi_value destroy_key(napi_env env, napi_callback_info info) {
  ev_call call;
  if (!ev_begin(&call, env, info)) return NULL;
  const ev_mailbox *box = call.mailbox;
  ev_slots *keys = &call.environment->keys;
  if (ev_slot_get(keys, box->key, (uint32_t)box->key_generation)) ev_slot_free(keys, box->key);
  return NULL;
}

static void append(char *text, size_t capacity, const char *more) {
  const size_t length = strlen(text);
  snprintf(text + length, capacity - length, "%s%s", length ? " " : "", more);
}

/* [name, role, missing features, name, role, ...], fastest first. */
static napi_value kernels(napi_env env, napi_callback_info info) {
  static const char *const roles[] = {"aes", "gctr", "ghash", "gcm"};
  napi_value list, text;
  (void)info;
  if (napi_create_array(env, &list) != 0) return NULL;
  for (size_t i = 0; i < ev_kernel_count(); i++) {
    const uint32_t missing = ev_kernel_missing(i);
    char names[256] = "";
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
      if (missing & bit) append(names, sizeof names, ev_arch_feature_name(bit));
    const char *const entry[] = {ev_kernel_at(i)->name, roles[ev_kernel_at(i)->role], names};
    for (size_t j = 0; j < 3; j++) {
      if (napi_create_string_utf8(env, entry[j], NAPI_AUTO_LENGTH, &text) != 0 ||
          napi_set_element(env, list, (uint32_t)(3 * i + j), text) != 0)
        return NULL;
    }
  }
  return list;
}

/* Fills the Float64Array with the number of times that each kernel has run in this environment. */
static napi_value calls(napi_env env, napi_callback_info info) {
  ev_call call;
  int type;
  size_t length;
  napi_value array;
  void *data = NULL;
  if (!ev_begin(&call, env, info) || !ev_argument(&call, 0, &array)) return NULL;
  if (napi_get_typedarray_info(env, array, &type, &length, &data, NULL, NULL) != 0 ||
      type != NAPI_FLOAT64_ARRAY || length < ev_kernel_count()) {
    ev_fail(&call, "the argument is no Float64Array with an entry for each kernel");
    return NULL;
  }
  for (size_t i = 0; i < ev_kernel_count(); i++) {
    const double value = (double)atomic_load_explicit(&call.environment->calls[i], memory_order_relaxed);
    memcpy((uint8_t *)data + i * sizeof value, &value, sizeof value);
  }
  return NULL;
}

static const struct ev_function key_functions[] = {
    {"createKey", create_key},
    {"createHashKey", create_hash_key},
    {"destroyKey", destroy_key},
    {"kernels", kernels},
    {"calls", calls},
    {NULL, NULL},
};

static void destroy_environment(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  ev_environments_changed();
  ev_environment_destroy(data);
}

static void keep_memory(napi_env env, void *data, void *hint) {
  (void)env;
  (void)data;
  (void)hint;
}

/* The environment's own memory lives as long as the environment, whatever is done to the ArrayBuffer.
 * Runtimes with a memory cage (Electron) refuse it; there the ArrayBuffer is kept alive by a reference. */
static bool add_mailbox(napi_env env, napi_value exports, ev_environment *environment) {
  napi_value buffer;
  napi_ref reference;
  if (napi_create_external_arraybuffer(env, environment->own_mailbox, sizeof(ev_mailbox), keep_memory, NULL,
                                       &buffer) != 0) {
    void *memory = NULL;
    if (napi_create_arraybuffer(env, sizeof(ev_mailbox), &memory, &buffer) != 0 ||
        napi_create_reference(env, buffer, 1, &reference) != 0)
      return false;
    memset(memory, 0, sizeof(ev_mailbox));
    environment->mailbox = memory;
  }
  environment->mailbox->interface = EV_INTERFACE;
  return napi_set_named_property(env, exports, "mailbox", buffer) == 0;
}

static bool add_functions(napi_env env, napi_value exports, ev_environment *environment,
                          const struct ev_function *functions) {
  napi_value function;
  for (; functions->name; functions++) {
    if (napi_create_function(env, functions->name, NAPI_AUTO_LENGTH, functions->function, environment,
                             &function) != 0 ||
        napi_set_named_property(env, exports, functions->name, function) != 0)
      return false;
  }
  return true;
}

NAPI_EXPORT int32_t node_api_module_get_api_version_v1(void);
NAPI_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports);

NAPI_EXPORT int32_t node_api_module_get_api_version_v1(void) {
  return 8;
}

/* Called once for each environment, and again when an environment loads the addon again: every call makes an
 * environment of its own. */
NAPI_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  ev_environment *environment = ev_environment_create();
  if (!environment) {
    napi_throw_error(env, "ERR_EVARISTE_NATIVE", "no memory for the native engine");
    return NULL;
  }
  void *earlier = NULL;
  if (napi_get_instance_data(env, &earlier) == 0 && earlier) ev_environments_indistinct();
  ev_environments_changed();
  if (napi_set_instance_data(env, environment, destroy_environment, NULL) != 0) {
    ev_environment_destroy(environment);
    napi_throw_error(env, "ERR_EVARISTE_NATIVE", "the native engine cannot register its environment");
    return NULL;
  }
  if (!add_mailbox(env, exports, environment) || !add_functions(env, exports, environment, key_functions) ||
      !add_functions(env, exports, environment, ev_message_functions) ||
      !add_functions(env, exports, environment, ev_stream_functions) ||
      !add_functions(env, exports, environment, ev_segment_functions) ||
      !add_functions(env, exports, environment, ev_memory_functions)) {
    napi_throw_error(env, "ERR_EVARISTE_NATIVE", "the native engine cannot export its functions");
    return NULL;
  }
  return exports;
}
