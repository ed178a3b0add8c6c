/* The part of Node-API (versions 1 to 8, a stable C ABI: https://nodejs.org/api/n-api.html) that the addon
 * uses, so that a C compiler is all that a build needs. */
#ifndef EVARISTE_NAPI_H
#define EVARISTE_NAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct napi_env_opaque *napi_env;
typedef struct napi_value_opaque *napi_value;
typedef struct napi_ref_opaque *napi_ref;
typedef struct napi_deferred_opaque *napi_deferred;
typedef struct napi_async_work_opaque *napi_async_work;
typedef struct napi_callback_info_opaque *napi_callback_info;
/* 0 is success. */
typedef int napi_status;
typedef napi_value (*napi_callback)(napi_env env, napi_callback_info info);
typedef void (*napi_finalize)(napi_env env, void *data, void *hint);
typedef void (*napi_async_execute)(napi_env env, void *data);
typedef void (*napi_async_complete)(napi_env env, napi_status status, void *data);

/* napi_typedarray_type */
enum { NAPI_UINT8_ARRAY = 1, NAPI_UINT32_ARRAY = 6, NAPI_FLOAT64_ARRAY = 8 };
#define NAPI_AUTO_LENGTH SIZE_MAX

#if defined(_WIN32)
#define NAPI_EXPORT __declspec(dllexport)
#else
#define NAPI_EXPORT __attribute__((visibility("default")))
/* Resolved by the runtime that loads the addon. */
#pragma GCC visibility push(default)
#endif

napi_status napi_get_cb_info(napi_env env, napi_callback_info info, size_t *argc, napi_value *argv,
                             napi_value *self, void **data);
napi_status napi_get_typedarray_info(napi_env env, napi_value array, int *type, size_t *length, void **data,
                                     napi_value *buffer, size_t *byte_offset);
napi_status napi_create_arraybuffer(napi_env env, size_t length, void **data, napi_value *result);
napi_status napi_create_external_arraybuffer(napi_env env, void *data, size_t length, napi_finalize finalize,
                                             void *hint, napi_value *result);
napi_status napi_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref *result);
napi_status napi_delete_reference(napi_env env, napi_ref reference);
napi_status napi_create_function(napi_env env, const char *name, size_t length, napi_callback callback,
                                 void *data, napi_value *result);
napi_status napi_get_undefined(napi_env env, napi_value *result);
napi_status napi_create_array(napi_env env, napi_value *result);
napi_status napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value);
napi_status napi_create_string_utf8(napi_env env, const char *text, size_t length, napi_value *result);
napi_status napi_set_named_property(napi_env env, napi_value object, const char *name, napi_value value);
napi_status napi_set_instance_data(napi_env env, void *data, napi_finalize finalize, void *hint);
napi_status napi_get_instance_data(napi_env env, void **data);
napi_status napi_create_promise(napi_env env, napi_deferred *deferred, napi_value *promise);
napi_status napi_resolve_deferred(napi_env env, napi_deferred deferred, napi_value resolution);
napi_status napi_reject_deferred(napi_env env, napi_deferred deferred, napi_value rejection);
napi_status napi_create_async_work(napi_env env, napi_value resource, napi_value name,
                                   napi_async_execute execute, napi_async_complete complete, void *data,
                                   napi_async_work *result);
napi_status napi_queue_async_work(napi_env env, napi_async_work work);
napi_status napi_delete_async_work(napi_env env, napi_async_work work);
napi_status napi_throw_error(napi_env env, const char *code, const char *message);

#if !defined(_WIN32)
#pragma GCC visibility pop
#endif

#endif
