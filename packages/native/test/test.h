/* What the test programs share. */
#ifndef EVARISTE_TEST_H
#define EVARISTE_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include "../src/evariste.h"

/* Ends the program with a message when the condition does not hold. */
#define CHECK(condition, ...)                                                                                \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                        \
      fprintf(stderr, __VA_ARGS__);                                                                          \
      fputc('\n', stderr);                                                                                   \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* All kernels but the portable ones: the model that the others are compared with. */
#define MODEL UINT32_MAX

/* A choice of kernels, as the mask that brings it about. */
typedef struct {
  char name[96];
  uint32_t disabled;
  bool woven;
} kernel_set;

extern ev_counter test_calls[EV_MAX_KERNELS];
/* Every distinct choice of (gcm, gctr, ghash, aes) that this machine can make. */
size_t test_kernel_sets(kernel_set *sets, size_t capacity);

uint64_t test_random(void);
void test_fill(uint8_t *p, size_t length);

void test_vectors(const kernel_set *set);
void test_portable(void);
void test_lengths(const kernel_set *set, size_t limit);
void test_shapes(const kernel_set *set);
void test_counter_wrap(const kernel_set *set);
void test_streams(const kernel_set *set);
void test_many(const kernel_set *set);
void test_guard_pages(const kernel_set *set, size_t limit);

#endif
