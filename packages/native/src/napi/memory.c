/* Memory that a large output is about to fill. */
#define _DEFAULT_SOURCE
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif
#include "environment.h"

/* The argument is fresh memory that will be written whole. Linux gives such memory page by page, each at the
 * first write to it, which takes several times as long as encrypting into it; asked to, it gives 2 MiB at
 * once. Elsewhere, and where the system declines, nothing changes. */
static napi_value will_fill(napi_env env, napi_callback_info info) {
  ev_call call;
  ev_bytes memory;
  if (!ev_begin(&call, env, info) || !ev_array(&call, 0, &memory)) return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)memory.bytes;
  const uintptr_t from = (start + page - 1) & ~(page - 1), to = (start + memory.length) & ~(page - 1);
  if (memory.bytes && from < to) (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#endif
  return NULL;
}

const struct ev_function ev_memory_functions[] = {{"willFill", will_fill}, {NULL, NULL}};
