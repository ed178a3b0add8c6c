/* AES-GCM (NIST SP 800-38D) on whole messages and in pieces, over the kernels of this machine. Arguments are
 * checked by the caller: key 16, 24 or 32 bytes, IV at least one byte, tag length 4 to 16, text at most
 * EV_MAX_TEXT; `out` is the very memory of `in` or does not overlap it. */
#ifndef EVARISTE_H
#define EVARISTE_H

#include "kernel.h"

/* All kernels of this build, fastest first, the portable ones last. Bit i of a kernel mask is
 * ev_kernel_at(i). */
size_t ev_kernel_count(void);
const ev_kernel *ev_kernel_at(size_t index);
/* Features that kernel i needs and this CPU lacks (bits of ev_arch_features); 0 when it can run. */
uint32_t ev_kernel_missing(size_t index);
/* The first kernel of a role that can run and is not in `disabled`; -1 when there is none (role gcm only).
 * Portable kernels cannot be switched off. */
int ev_kernel_choose(enum ev_role role, uint32_t disabled);

/* Expands a key with the best kernels that are not in the mask. `calls` has EV_MAX_KERNELS entries and
 * outlives the key. */
void ev_key_init(ev_key *key, const uint8_t *raw, size_t length, uint32_t disabled, ev_counter *calls);
/* A key of H alone, for ev_ghash and nothing else: it has no schedule, and `aes` and `gctr` are NULL. */
void ev_hash_key_init(ev_key *key, const uint8_t h[16], uint32_t disabled, ev_counter *calls);
/* Computes every power of H now. Needed before a key is shared between threads: after this no call writes to
 * it. */
void ev_key_prepare(ev_key *key);
void ev_key_wipe(ev_key *key);

/* GCM-AE, clause 7.1: `out` receives the ciphertext, `tag` the first tag_length bytes of the tag. */
void ev_seal(ev_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad, size_t aad_length,
             const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag, size_t tag_length);
/* GCM-AD, clause 7.2. The text is decrypted into `out` while it is hashed; when the tag is wrong, `out` is
 * zeroed before the return of false, so a single-threaded caller never sees unverified text. */
bool ev_open(ev_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad, size_t aad_length,
             const uint8_t *in, uint8_t *out, size_t length, const uint8_t *tag, size_t tag_length);

/* Whether the key's kernel does messages of this length many at once. */
bool ev_does_many(const ev_key *key, size_t length);
/* Such messages, with tags of 16 bytes; as many of them, from the first on, as the key's kernel does
 * at once; returns that number, and the caller runs the others one by one. Encrypting, the tags go where
 * `messages` says. */
size_t ev_seal_many(ev_key *key, const ev_many *messages);
/* `in` has each message's tag behind its text, and `tags` is not used. verdicts[i] becomes 1, or 0 and the
 * output of message i is zeroed. */
size_t ev_open_many(ev_key *key, const ev_many *messages, uint8_t *verdicts);

/* Clause 6.4 continued: absorbs data, the last block padded with zeros, into Y. */
void ev_ghash(ev_key *key, uint8_t y[16], const uint8_t *data, size_t length);
/* Clause 6.5. */
void ev_gctr(ev_key *key, const uint8_t icb[16], const uint8_t *in, uint8_t *out, size_t length);
/* Clause 7.1 step 2: J0 from the IV. */
void ev_j0(ev_key *key, const uint8_t *iv, size_t iv_length, uint8_t j0[16]);

/* A message in pieces: aad*, update*, then finish. */
typedef struct ev_stream {
  uint8_t j0[16];
  uint8_t counter[16];
  uint8_t y[16];
  /* Keystream of the block that is not full yet. */
  uint8_t keystream[16];
  /* Bytes of AAD or ciphertext that do not fill a block yet; `pending` of them. */
  uint8_t block[16];
  uint32_t pending;
  bool decrypt, in_text;
  uint64_t aad_length, text_length;
} ev_stream;

void ev_stream_start(ev_stream *stream, ev_key *key, const uint8_t *iv, size_t iv_length, bool decrypt);
void ev_stream_aad(ev_stream *stream, ev_key *key, const uint8_t *aad, size_t length);
void ev_stream_update(ev_stream *stream, ev_key *key, const uint8_t *in, uint8_t *out, size_t length);
/* Writes the whole tag; the stream is spent. */
void ev_stream_finish(ev_stream *stream, ev_key *key, uint8_t tag[16]);

/* A part of a message whose other parts may be running elsewhere: GCTR from `icb`, and GHASH from zero over
 * the part's ciphertext, into `y`. */
void ev_segment(ev_key *key, const uint8_t icb[16], const uint8_t *in, uint8_t *out, size_t length,
                bool decrypt, uint8_t y[16]);

/* 1 when equal; time depends on the length only. */
bool ev_tags_equal(const uint8_t *a, const uint8_t *b, size_t length);

#endif
