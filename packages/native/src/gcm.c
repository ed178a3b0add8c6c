/* GCM (NIST SP 800-38D) over a key's kernels: whole messages. Pieces are in stream.c. */
#include "evariste.h"

/* Bytes that GCTR and GHASH, run apart, take in turn: small enough for the second to find them in the
 * first-level cache. */
#define STRIDE 8192u

static void count(ev_counter *calls) {
  atomic_store_explicit(calls, atomic_load_explicit(calls, memory_order_relaxed) + 1, memory_order_relaxed);
}

void ev_wipe(void *memory, size_t length) {
  memset(memory, 0, length);
  /* The asm claims to read the memory, so the stores before it cannot be dead. */
  __asm__ __volatile__("" : : "r"(memory) : "memory");
}

bool ev_tags_equal(const uint8_t *a, const uint8_t *b, size_t length) {
  if (length == 16) {
    const uint64_t high = ev_load64_be(a) ^ ev_load64_be(b), low = ev_load64_be(a + 8) ^ ev_load64_be(b + 8);
    return (high | low) == 0;
  }
  uint32_t difference = 0;
  for (size_t i = 0; i < length; i++)
    difference |= (uint32_t)(a[i] ^ b[i]);
  return difference == 0;
}

static void prepare(const ev_kernel *kernel, ev_key *key) {
  if (kernel && kernel->prepare) kernel->prepare(key);
}

static void choose_ghash(ev_key *key, uint32_t disabled, ev_counter *calls) {
  const int ghash = ev_kernel_choose(EV_ROLE_GHASH, disabled);
  key->ghash = ev_kernel_at((size_t)ghash);
  key->ghash_calls = &calls[ghash];
}

void ev_key_init(ev_key *key, const uint8_t *raw, size_t length, uint32_t disabled, ev_counter *calls) {
  const int aes = ev_kernel_choose(EV_ROLE_AES, disabled), gctr = ev_kernel_choose(EV_ROLE_GCTR, disabled);
  const int gcm = ev_kernel_choose(EV_ROLE_GCM, disabled);

  memset(key, 0, sizeof *key);
  choose_ghash(key, disabled, calls);
  key->aes = ev_kernel_at((size_t)aes);
  key->gctr = ev_kernel_at((size_t)gctr);
  key->gcm = gcm < 0 ? NULL : ev_kernel_at((size_t)gcm);
  key->gctr_calls = &calls[gctr];
  key->gcm_calls = gcm < 0 ? NULL : &calls[gcm];

  count(&calls[aes]);
  key->aes->expand(key, raw, length);
  key->aes->encrypt_block(key, key->h, key->h);
  prepare(key->gctr, key);
  prepare(key->ghash, key);
  prepare(key->gcm, key);
}

void ev_hash_key_init(ev_key *key, const uint8_t h[16], uint32_t disabled, ev_counter *calls) {
  memset(key, 0, sizeof *key);
  choose_ghash(key, disabled, calls);
  memcpy(key->h, h, 16);
  prepare(key->ghash, key);
}

/* Powers of H beyond the first few are made when a message first has the blocks to use them. */
static void extend(ev_key *key, uint64_t blocks) {
  if (blocks <= key->powers_ready || key->powers_ready == EV_POWERS) return;
  if (key->ghash->extend) key->ghash->extend(key);
  if (key->gcm && key->gcm->extend) key->gcm->extend(key);
}

void ev_key_prepare(ev_key *key) {
  extend(key, EV_POWERS);
}

void ev_key_wipe(ev_key *key) {
  ev_wipe(key, sizeof *key);
}

static uint64_t blocks_of(uint64_t length) {
  return length / 16 + (length % 16 != 0);
}

void ev_ghash(ev_key *key, uint8_t y[16], const uint8_t *data, size_t length) {
  const size_t whole = length / 16, rest = length % 16;
  if (length == 0) return;
  extend(key, whole);
  count(key->ghash_calls);
  if (whole > 0) key->ghash->ghash(key, y, data, whole);
  if (rest > 0) {
    uint8_t block[16] = {0};
    memcpy(block, data + 16 * whole, rest);
    key->ghash->ghash(key, y, block, 1);
    ev_wipe(block, sizeof block);
  }
}

/* GCTR on bytes; `counter` moves on by the number of blocks begun. */
static void gctr_bytes(ev_key *key, uint8_t counter[16], const uint8_t *in, uint8_t *out, size_t length) {
  const size_t whole = length / 16, rest = length % 16;
  if (length == 0) return;
  count(key->gctr_calls);
  if (whole > 0) key->gctr->gctr(key, counter, in, out, whole);
  if (rest > 0) {
    uint8_t block[16] = {0};
    memcpy(block, in + 16 * whole, rest);
    key->gctr->gctr(key, counter, block, block, 1);
    memcpy(out + 16 * whole, block, rest);
    ev_wipe(block, sizeof block);
  }
}

void ev_gctr(ev_key *key, const uint8_t icb[16], const uint8_t *in, uint8_t *out, size_t length) {
  uint8_t counter[16];
  memcpy(counter, icb, 16);
  gctr_bytes(key, counter, in, out, length);
  ev_wipe(counter, sizeof counter);
}

/* The block [len(A)]64 || [len(C)]64, in bits. */
static void absorb_lengths(ev_key *key, uint8_t y[16], uint64_t aad_length, uint64_t text_length) {
  uint8_t block[16];
  ev_store64_be(block, aad_length << 3);
  ev_store64_be(block + 8, text_length << 3);
  ev_ghash(key, y, block, 16);
}

void ev_j0(ev_key *key, const uint8_t *iv, size_t iv_length, uint8_t j0[16]) {
  if (iv_length == 12) {
    memcpy(j0, iv, 12);
    ev_store32_be(j0 + 12, 1);
    return;
  }
  memset(j0, 0, 16);
  ev_ghash(key, j0, iv, iv_length);
  absorb_lengths(key, j0, 0, iv_length);
}

static void inc32(uint8_t counter[16]) {
  ev_store32_be(counter + 12, ev_load32_be(counter + 12) + 1);
}

/* T = GCTR(J0, S), clause 7.1 step 6, all 16 bytes of it; S is in `y`. */
static void make_tag(ev_key *key, const uint8_t j0[16], const uint8_t y[16], uint8_t tag[16]) {
  ev_gctr(key, j0, y, tag, 16);
}

static bool is_short(size_t aad_length, size_t length) {
  return blocks_of(aad_length) + blocks_of(length) + 1 <= EV_FIRST_POWERS;
}

/* A message of a few blocks, in one call of each kernel: E(J0) comes with the keystream, the lengths with the
 * text, and there is one reduction. The copies cost less than what a kernel spends on starting again. */
static void message_short(ev_key *key, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                          const uint8_t *in, uint8_t *out, size_t length, bool decrypt, uint8_t tag[16]) {
  uint8_t text[16 * EV_FIRST_POWERS], hashed[16 * EV_FIRST_POWERS] = {0}, counter[16], y[16] = {0};
  const size_t blocks = (size_t)blocks_of(length), aad_blocks = (size_t)blocks_of(aad_length);
  uint8_t *ciphertext = hashed + 16 * aad_blocks, *lengths = ciphertext + 16 * blocks;

  memset(text, 0, 16 * (blocks + 1));
  if (length > 0) memcpy(text + 16, in, length);
  if (aad_length > 0) memcpy(hashed, aad, aad_length);
  if (decrypt) memcpy(ciphertext, text + 16, length);
  memcpy(counter, j0, 16);
  count(key->gctr_calls);
  key->gctr->gctr(key, counter, text, text, blocks + 1);
  if (!decrypt) memcpy(ciphertext, text + 16, length);
  if (length > 0) memcpy(out, text + 16, length);

  ev_store64_be(lengths, (uint64_t)aad_length << 3);
  ev_store64_be(lengths + 8, (uint64_t)length << 3);
  count(key->ghash_calls);
  key->ghash->ghash(key, y, hashed, aad_blocks + blocks + 1);
  for (int i = 0; i < 16; i++)
    tag[i] = text[i] ^ y[i];
  ev_wipe(text, sizeof text);
  ev_wipe(y, sizeof y);
}

/* Clauses 7.1 and 7.2 with GCTR and GHASH apart. */
static void message_apart(ev_key *key, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                          const uint8_t *in, uint8_t *out, size_t length, bool decrypt, uint8_t tag[16]) {
  uint8_t counter[16], y[16] = {0};
  if (is_short(aad_length, length)) {
    message_short(key, j0, aad, aad_length, in, out, length, decrypt, tag);
    return;
  }
  memcpy(counter, j0, 16);
  inc32(counter);
  ev_ghash(key, y, aad, aad_length);
  for (size_t done = 0; done < length; done += STRIDE) {
    const size_t n = length - done < STRIDE ? length - done : STRIDE;
    if (decrypt) ev_ghash(key, y, in + done, n);
    gctr_bytes(key, counter, in + done, out + done, n);
    if (!decrypt) ev_ghash(key, y, out + done, n);
  }
  absorb_lengths(key, y, aad_length, length);
  make_tag(key, j0, y, tag);
  ev_wipe(y, sizeof y);
}

/* The same with a gcm kernel that has no whole-message form: it takes the whole blocks. */
static void message_blocks(ev_key *key, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                           const uint8_t *in, uint8_t *out, size_t length, bool decrypt, uint8_t tag[16]) {
  uint8_t counter[16], y[16] = {0};
  const size_t whole = length / 16, done = 16 * whole;
  if (is_short(aad_length, length)) {
    message_short(key, j0, aad, aad_length, in, out, length, decrypt, tag);
    return;
  }
  memcpy(counter, j0, 16);
  inc32(counter);
  ev_ghash(key, y, aad, aad_length);
  (decrypt ? key->gcm->decrypt : key->gcm->encrypt)(key, counter, y, in, out, whole);
  if (done < length) {
    if (decrypt) ev_ghash(key, y, in + done, length - done);
    gctr_bytes(key, counter, in + done, out + done, length - done);
    if (!decrypt) ev_ghash(key, y, out + done, length - done);
  }
  absorb_lengths(key, y, aad_length, length);
  make_tag(key, j0, y, tag);
  ev_wipe(y, sizeof y);
}

static void message(ev_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad, size_t aad_length,
                    const uint8_t *in, uint8_t *out, size_t length, bool decrypt, uint8_t tag[16]) {
  const ev_kernel *gcm = key->gcm;
  uint8_t j0[16];
  extend(key, blocks_of(aad_length) + blocks_of(length) + 1);
  if (gcm) count(key->gcm_calls);
  if (gcm && gcm->seal) {
    ev_block block;
    if (iv_length == 12) {
      block = (ev_block){ev_load64_be(iv), (uint64_t)ev_load32_be(iv + 8) << 32 | 1};
    } else {
      ev_j0(key, iv, iv_length, j0);
      block = (ev_block){ev_load64_be(j0), ev_load64_be(j0 + 8)};
    }
    (decrypt ? gcm->open : gcm->seal)(key, block, aad, aad_length, in, out, length, tag);
    return;
  }
  ev_j0(key, iv, iv_length, j0);
  (gcm ? message_blocks : message_apart)(key, j0, aad, aad_length, in, out, length, decrypt, tag);
}

void ev_seal(ev_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad, size_t aad_length,
             const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag, size_t tag_length) {
  uint8_t full[16];
  if (tag_length == 16) {
    message(key, iv, iv_length, aad, aad_length, in, out, length, false, tag);
    return;
  }
  message(key, iv, iv_length, aad, aad_length, in, out, length, false, full);
  memcpy(tag, full, tag_length);
}

bool ev_open(ev_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad, size_t aad_length,
             const uint8_t *in, uint8_t *out, size_t length, const uint8_t *tag, size_t tag_length) {
  uint8_t full[16];
  message(key, iv, iv_length, aad, aad_length, in, out, length, true, full);
  const bool authentic = ev_tags_equal(full, tag, tag_length);
  EV_DECLASSIFY(&authentic, sizeof authentic);
  if (!authentic) {
    ev_wipe(out, length);
    /* The right tag of a forged message must not stay behind on the stack. */
    ev_wipe(full, sizeof full);
  }
  return authentic;
}
