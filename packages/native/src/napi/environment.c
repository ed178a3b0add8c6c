/* Per-environment memory, and the checks that every call makes. */
#include <stdlib.h>
#include "environment.h"

#define ALIGNMENT 64

/* malloc at a multiple of 64, with the address to free in front. */
void *ev_allocate(size_t size) {
  uint8_t *raw = malloc(size + ALIGNMENT + sizeof(void *));
  if (!raw) return NULL;
  const uintptr_t start = ((uintptr_t)raw + sizeof(void *) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
  memcpy((uint8_t *)start - sizeof(void *), &raw, sizeof(void *));
  memset((void *)start, 0, size);
  return (void *)start;
}

void ev_release(void *memory) {
  void *raw;
  memcpy(&raw, (uint8_t *)memory - sizeof(void *), sizeof(void *));
  free(raw);
}

static bool grow(ev_slots *slots) {
  const int32_t capacity = slots->capacity ? slots->capacity * 2 : 16;
  if (capacity > INT32_MAX / 4) return false;
  ev_slot *larger = realloc(slots->slots, (size_t)capacity * sizeof *larger);
  if (!larger) return false;
  slots->slots = larger;
  slots->capacity = capacity;
  return true;
}

int32_t ev_slot_take(ev_slots *slots) {
  void *memory = ev_allocate(slots->size);
  if (!memory) return -1;
  int32_t index = slots->first_free;
  if (index >= 0) {
    slots->first_free = slots->slots[index].next_free;
  } else {
    if (slots->count == slots->capacity && !grow(slots)) {
      ev_release(memory);
      return -1;
    }
    index = slots->count++;
    slots->slots[index].generation = 0;
  }
  slots->slots[index].memory = memory;
  slots->slots[index].generation++;
  return index;
}

void *ev_slot_get(const ev_slots *slots, int32_t index, uint32_t generation) {
  if (index < 0 || index >= slots->count || slots->slots[index].generation != generation) return NULL;
  return slots->slots[index].memory;
}

void ev_slot_free(ev_slots *slots, int32_t index) {
  ev_slot *slot = &slots->slots[index];
  if (!slot->memory) return;
  ev_wipe(slot->memory, slots->size);
  ev_release(slot->memory);
  slot->memory = NULL;
  slot->generation++;
  /* A place whose generation has come round would accept old handles: it stays empty for good. */
  if (slot->generation == 0) return;
  slot->next_free = slots->first_free;
  slots->first_free = index;
}

static void free_slots(ev_slots *slots) {
  for (int32_t i = 0; i < slots->count; i++)
    ev_slot_free(slots, i);
  free(slots->slots);
}

ev_environment *ev_environment_create(void) {
  ev_environment *environment = calloc(1, sizeof *environment);
  if (!environment) return NULL;
  environment->own_mailbox = ev_allocate(sizeof(ev_mailbox));
  environment->mailbox = environment->own_mailbox;
  environment->keys = (ev_slots){.first_free = -1, .size = sizeof(ev_key)};
  environment->streams = (ev_slots){.first_free = -1, .size = sizeof(ev_open_stream)};
  if (environment->mailbox) return environment;
  free(environment);
  return NULL;
}

void ev_environment_destroy(ev_environment *environment) {
  free_slots(&environment->keys);
  free_slots(&environment->streams);
  if (environment->own_mailbox) {
    ev_wipe(environment->own_mailbox, sizeof(ev_mailbox));
    ev_release(environment->own_mailbox);
  }
  free(environment);
}

bool ev_fail(ev_call *call, const char *message) {
  napi_throw_error(call->env, "ERR_EVARISTE_NATIVE", message);
  return false;
}

/* What Node-API says of a call costs as much as the rest of the crossing, and of most calls only the
 * environment is of interest, so each thread remembers its last one. `changes` counts all that are made and
 * destroyed: after any change nothing remembered is believed, since a new environment may lie where an old
 * one was. */
static atomic_uint changes;
/* A runtime gave two loads of the addon the same napi_env: it does not tell them apart, and nothing is
 * remembered. */
static atomic_bool indistinct;
static _Thread_local struct {
  napi_env env;
  ev_environment *environment;
  unsigned changes;
} last;

void ev_environments_changed(void) {
  atomic_fetch_add(&changes, 1);
}

void ev_environments_indistinct(void) {
  atomic_store(&indistinct, true);
  ev_environments_changed();
}

static bool recall(ev_call *call) {
  if (last.env != call->env || last.changes != atomic_load_explicit(&changes, memory_order_relaxed))
    return false;
  call->environment = last.environment;
  return true;
}

static void remember(const ev_call *call) {
  if (atomic_load(&indistinct)) return;
  last.env = call->env;
  last.environment = call->environment;
  last.changes = atomic_load_explicit(&changes, memory_order_relaxed);
}

/* The function's environment, and its arguments, absent ones as undefined. */
static bool read_call(ev_call *call) {
  void *data = NULL;
  size_t count = EV_ARGUMENTS;
  if (napi_get_cb_info(call->env, call->info, &count, call->arguments, NULL, &data) != 0 || !data)
    return ev_fail(call, "the call has no environment");
  call->has_arguments = true;
  call->environment = data;
  return true;
}

bool ev_begin(ev_call *call, napi_env env, napi_callback_info info) {
  call->env = env;
  call->info = info;
  call->has_arguments = false;
  if (!recall(call)) {
    if (!read_call(call)) return false;
    remember(call);
  }
  call->mailbox = call->environment->mailbox;
  return true;
}

bool ev_argument(ev_call *call, size_t argument, napi_value *value) {
  if (!call->has_arguments && !read_call(call)) return false;
  *value = call->arguments[argument];
  return true;
}

bool ev_array(ev_call *call, size_t argument, ev_bytes *bytes) {
  int type;
  napi_value array;
  void *data = NULL;
  if (!ev_argument(call, argument, &array)) return false;
  if (napi_get_typedarray_info(call->env, array, &type, &bytes->length, &data, NULL, NULL) != 0 ||
      type != NAPI_UINT8_ARRAY)
    return ev_fail(call, "an argument is not a Uint8Array");
  bytes->bytes = data;
  return true;
}

bool ev_input(ev_call *call, int32_t length, uint8_t *small, size_t argument, ev_bytes *bytes) {
  if (length == EV_IN_ARGUMENT) return ev_array(call, argument, bytes);
  if (length < 0 || length > EV_SMALL) return ev_fail(call, "a length in the mailbox is out of range");
  bytes->bytes = small;
  bytes->length = (size_t)length;
  return true;
}

bool ev_text(ev_call *call, size_t argument, ev_bytes *bytes) {
  ev_mailbox *box = call->mailbox;
  if (box->text_length == EV_IN_ARGUMENT) return ev_array(call, argument, bytes);
  if (box->text_length < 0 || (size_t)box->text_length > sizeof box->text)
    return ev_fail(call, "a length in the mailbox is out of range");
  *bytes = (ev_bytes){box->text, (size_t)box->text_length};
  return true;
}

ev_key *ev_call_hash_key(ev_call *call) {
  const ev_mailbox *m = call->mailbox;
  ev_key *key = ev_slot_get(&call->environment->keys, m->key, (uint32_t)m->key_generation);
  if (!key) ev_fail(call, "this key does not exist, or has been destroyed");
  return key;
}

ev_key *ev_call_key(ev_call *call) {
  ev_key *key = ev_call_hash_key(call);
  if (!key || key->gctr) return key;
  ev_fail(call, "this key is H alone: it hashes and does nothing else");
  return NULL;
}

ev_open_stream *ev_call_stream(ev_call *call, ev_key **key) {
  const ev_mailbox *m = call->mailbox;
  ev_open_stream *s = ev_slot_get(&call->environment->streams, m->stream, (uint32_t)m->stream_generation);
  if (!s) {
    ev_fail(call, "this stream does not exist, or has ended");
    return NULL;
  }
  *key = ev_slot_get(&call->environment->keys, s->key, s->key_generation);
  if (*key) return s;
  ev_fail(call, "the key of this stream has been destroyed");
  return NULL;
}
