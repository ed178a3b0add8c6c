/* What one JavaScript environment (a thread's load of the addon) owns: its mailbox, its keys, its streams.
 * Nothing is shared between environments but constants, so worker threads need no lock. */
#ifndef EVARISTE_ENVIRONMENT_H
#define EVARISTE_ENVIRONMENT_H

#include "../evariste.h"
#include "napi.h"

/* Inputs up to this many bytes travel in the mailbox. V8 keeps typed arrays up to 64 bytes on its heap, and
 * asking for the address of one moves it out, which costs more than the cipher does. */
#define EV_SMALL 64
/* Messages up to this many bytes travel in the mailbox too: their two copies cost less than Node-API's two
 * typed arrays. */
#define EV_LONGEST_TEXT 1040
/* In place of a length: the bytes are in a typed array among the arguments. */
#define EV_IN_ARGUMENT (-1)

/* Number of this layout and these functions; changes with either. */
#define EV_INTERFACE 4

/* Memory that JavaScript writes before a call and reads after it; mailbox.ts has the same layout. Its
 * contents are untrusted: lengths and handles are checked before use. */
typedef struct {
  int32_t key, key_generation;
  int32_t stream, stream_generation;
  int32_t iv_length, aad_length, text_length, tag_length;
  /* 1 to decrypt. */
  int32_t direction;
  /* Kernels that a new key must not use. */
  uint32_t disabled;
  /* 1 or 0 from open and verify; the number of failures from batch. */
  uint32_t result;
  /* Kernels of a new key by index; -1 when it has none. */
  int32_t gcm, gctr, ghash;
  /* Messages of a batch. */
  int32_t count;
  /* EV_INTERFACE, for the loader to compare: the layout and the functions belong together. */
  int32_t interface;
  _Alignas(16) uint8_t iv[EV_SMALL];
  uint8_t aad[EV_SMALL];
  /* Y of ghash, the counter block of gctr, the tag of a stream, H. */
  uint8_t block[16];
  /* A message, in place, and its tag behind it; also a new key, and GHASH's data. */
  _Alignas(64) uint8_t text[EV_LONGEST_TEXT + 16];
} ev_mailbox;

/* A place for a key or a stream. The generation changes when it is taken and when it is freed: odd while in
 * use. */
typedef struct {
  void *memory;
  uint32_t generation;
  int32_t next_free;
} ev_slot;

typedef struct {
  ev_slot *slots;
  int32_t count, capacity, first_free;
  size_t size;
} ev_slots;

typedef struct {
  ev_stream stream;
  int32_t key;
  uint32_t key_generation;
} ev_open_stream;

typedef struct {
  ev_mailbox *mailbox;
  /* The mailbox when this environment's runtime does not take foreign memory; NULL then. */
  void *own_mailbox;
  ev_slots keys, streams;
  ev_counter calls[EV_MAX_KERNELS];
} ev_environment;

/* Bytes that are in the mailbox or in a typed array. */
typedef struct {
  uint8_t *bytes;
  size_t length;
} ev_bytes;

/* A call's environment and its arguments, which are read when one is first asked for. */
#define EV_ARGUMENTS 7
typedef struct {
  napi_env env;
  napi_callback_info info;
  ev_environment *environment;
  ev_mailbox *mailbox;
  bool has_arguments;
  napi_value arguments[EV_ARGUMENTS];
} ev_call;

/* These throw a JavaScript error and return false or NULL when something is wrong; the caller then returns at
 * once. */
bool ev_begin(ev_call *call, napi_env env, napi_callback_info info);
bool ev_fail(ev_call *call, const char *message);
/* An absent argument is undefined. */
bool ev_argument(ev_call *call, size_t argument, napi_value *value);
bool ev_array(ev_call *call, size_t argument, ev_bytes *bytes);
/* `length` bytes of the mailbox's `small`, or with EV_IN_ARGUMENT the typed array. */
bool ev_input(ev_call *call, int32_t length, uint8_t *small, size_t argument, ev_bytes *bytes);
/* The mailbox's text or the typed array. */
bool ev_text(ev_call *call, size_t argument, ev_bytes *bytes);
ev_key *ev_call_key(ev_call *call);
/* Also a key of H alone. */
ev_key *ev_call_hash_key(ev_call *call);
ev_open_stream *ev_call_stream(ev_call *call, ev_key **key);

/* A cleared place of slots->size bytes; -1 when there is no memory. */
int32_t ev_slot_take(ev_slots *slots);
void *ev_slot_get(const ev_slots *slots, int32_t index, uint32_t generation);
void ev_slot_free(ev_slots *slots, int32_t index);

/* Memory at a multiple of 64 bytes, cleared; NULL when there is none. */
void *ev_allocate(size_t size);
void ev_release(void *memory);

/* To be called whenever an environment is made or destroyed, on whatever thread. */
void ev_environments_changed(void);
/* To be called when two loads of the addon have the same napi_env. */
void ev_environments_indistinct(void);
ev_environment *ev_environment_create(void);
void ev_environment_destroy(ev_environment *environment);

/* The functions of the addon, by file. */
extern const struct ev_function {
  const char *name;
  napi_callback function;
} ev_message_functions[], ev_stream_functions[], ev_segment_functions[], ev_memory_functions[];

#endif
