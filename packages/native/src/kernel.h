/* What a kernel is and what it works on: the expanded key, the kernel tables, and the helpers that all
 * kernels share. Words are those of NIST SP 800-38D: H, J0, inc32, GCTR, GHASH. */
#ifndef EVARISTE_KERNEL_H
#define EVARISTE_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A verdict is public although it depends on secrets; the constant-time test must be told. */
#ifdef EVARISTE_VALGRIND
#include <valgrind/memcheck.h>
#define EV_DECLASSIFY(p, length) VALGRIND_MAKE_MEM_DEFINED(p, length)
#else
#define EV_DECLASSIFY(p, length) ((void)0)
#endif

#define EV_MAX_ROUNDS 14
/* Powers of H that a key can hold: the longest run of blocks hashed before one reduction. */
#define EV_POWERS 32u
/* Powers made when the key is; messages of more blocks extend the table once (see ev_kernel.extend). */
#define EV_FIRST_POWERS 8u
#define EV_MAX_KERNELS 16
/* Longest message for seal_many and open_many. */
#define EV_MANY_LENGTH 64u

/* SP 800-38D clause 5.2.1.1: len(P) <= 2^39 - 256 bits. */
#define EV_MAX_TEXT (((uint64_t)1 << 36) - 32)

typedef struct ev_key ev_key;
/* How often a kernel has run. Relaxed, never locked: a race between threads may lose a count, nothing else.
 */
typedef _Atomic uint64_t ev_counter;

/* A block by value: bytes 0 to 7, then 8 to 15, both big-endian. */
typedef struct {
  uint64_t high, low;
} ev_block;

/* Messages without AAD under 96-bit IVs, all of one length; message i has its IV at ivs + 12 * i, its text at
 * in + i * in_step, its output at out + i * out_step and room for all 16 bytes of its tag at
 * tags + i * tag_step. No output overlaps an input. */
typedef struct {
  const uint8_t *ivs, *in;
  uint8_t *out, *tags;
  size_t in_step, out_step, tag_step, length, count;
} ev_many;

enum ev_role { EV_ROLE_AES, EV_ROLE_GCTR, EV_ROLE_GHASH, EV_ROLE_GCM };

/* One CPU-specific routine. All lengths named `blocks` are whole 16-byte blocks and may be zero. Text
 * pointers have no alignment. `out` is the very memory of `in`, or does not overlap it. Kernels must not read
 * or write a byte outside the ranges given, and must not branch or index on key, text, H, Y or tag. */
typedef struct ev_kernel {
  const char *name;
  enum ev_role role;
  /* Bits of the architecture's ev_arch_features() that must all be present. */
  uint32_t features;

  /* Optional. Derives what the kernel needs from `schedule` and `h`; runs once, when the key is made. Kernels
   * of one architecture share one table of powers, so a second call must leave the same values. */
  void (*prepare)(ev_key *key);
  /* Optional, ghash and gcm. Computes powers of H up to EV_POWERS and sets key->powers_ready. */
  void (*extend)(ev_key *key);

  /* Role aes. Fills key->schedule (FIPS 197 byte order) and key->rounds; `length` is 16, 24 or 32. */
  void (*expand)(ev_key *key, const uint8_t *raw, size_t length);
  /* Role aes. One block, for H. */
  void (*encrypt_block)(const ev_key *key, const uint8_t in[16], uint8_t out[16]);

  /* Role gctr, clause 6.5: out = in ^ E(counter), E(inc32(counter)), ...; leaves the next counter in
   * `counter`. */
  void (*gctr)(const ev_key *key, uint8_t counter[16], const uint8_t *in, uint8_t *out, size_t blocks);

  /* Role ghash, clause 6.4: absorbs `blocks` blocks into Y. */
  void (*ghash)(const ev_key *key, uint8_t y[16], const uint8_t *data, size_t blocks);

  /* Role gcm: GCTR and GHASH (of the ciphertext) in one pass; `counter` and `y` as above. */
  void (*encrypt)(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
                  size_t blocks);
  void (*decrypt)(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
                  size_t blocks);
  /* Role gcm, optional: a whole message (clauses 7.1 and 7.2 from J0 on); `tag` receives all 16 bytes, also
   * when decrypting, where the caller compares it. Without these, the caller builds the message from the
   * parts above. J0 comes in two big-endian words: in memory it would be written in pieces just before it is
   * read whole, which CPUs cannot forward. */
  void (*seal)(const ev_key *key, ev_block j0, const uint8_t *aad, size_t aad_length, const uint8_t *in,
               uint8_t *out, size_t length, uint8_t tag[16]);
  void (*open)(const ev_key *key, ev_block j0, const uint8_t *aad, size_t aad_length, const uint8_t *in,
               uint8_t *out, size_t length, uint8_t tag[16]);
  /* Role gcm, optional: messages of 1 to EV_MANY_LENGTH bytes. Returns how many it did, from the first on;
   * the caller does the others one by one, and compares the tags when decrypting. */
  size_t (*seal_many)(const ev_key *key, const ev_many *messages);
  size_t (*open_many)(const ev_key *key, const ev_many *messages);
} ev_kernel;

/* An expanded key. Allocate it at a multiple of 64 bytes. */
struct ev_key {
  /* FIPS 197 round keys, each 16 bytes in the byte order of the standard. */
  _Alignas(64) uint8_t schedule[EV_MAX_ROUNDS + 1][16];
  /* H^k is at [EV_POWERS - k], so that the blocks of a message meet ascending addresses; the form of an entry
   * is the architecture's. Only the last `powers_ready` entries are valid. */
  _Alignas(64) uint8_t powers[EV_POWERS][16];
  /* Companion of each power (Karatsuba's sum of halves, or what the architecture wants). */
  _Alignas(64) uint8_t folded[EV_POWERS][16];
  /* Round keys as bit planes of four equal blocks, for gctr_portable and aes_portable. */
  _Alignas(64) uint64_t planes[EV_MAX_ROUNDS + 1][8];
  /* H as ghash_portable wants it. */
  uint64_t h_words[6];
  /* H = E(0^128), in the byte order of the standard. */
  uint8_t h[16];
  uint32_t rounds;
  uint32_t powers_ready;
  /* The kernels of this key, one per role; `gcm` may be NULL, and a key of H alone has `ghash` only. */
  const ev_kernel *aes, *gctr, *ghash, *gcm;
  ev_counter *gctr_calls, *ghash_calls, *gcm_calls;
};

/* Provided by each architecture's folder (`<arch>/arch.c`): its kernels, fastest first, its features and
 * their names. */
extern const ev_kernel *const ev_arch_kernels[];
extern const size_t ev_arch_kernel_count;
uint32_t ev_arch_features(void);
/* Name of the feature with this single bit, e.g. "vaes". */
const char *ev_arch_feature_name(uint32_t bit);

/* The last entries of every list. */
extern const ev_kernel ev_aes_portable, ev_gctr_portable, ev_ghash_portable;

/* Overwrites memory in a way that the compiler may not leave out. */
void ev_wipe(void *memory, size_t length);

static inline uint32_t ev_load32_le(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void ev_store32_le(uint8_t *p, uint32_t v) {
  for (int i = 0; i < 4; i++)
    p[i] = (uint8_t)(v >> (8 * i));
}

static inline uint32_t ev_load32_be(const uint8_t *p) {
  return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

static inline void ev_store32_be(uint8_t *p, uint32_t v) {
  for (int i = 0; i < 4; i++)
    p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static inline uint64_t ev_load64_be(const uint8_t *p) {
  return (uint64_t)ev_load32_be(p) << 32 | ev_load32_be(p + 4);
}

static inline void ev_store64_be(uint8_t *p, uint64_t v) {
  ev_store32_be(p, (uint32_t)(v >> 32));
  ev_store32_be(p + 4, (uint32_t)v);
}

#endif
