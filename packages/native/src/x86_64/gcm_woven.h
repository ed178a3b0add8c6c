/* GCTR and GHASH woven into one loop: the one algorithm of the gcm kernels of x86-64, at three widths. The
 * file that includes this defines WOVEN_TARGET, WOVEN_LANES (blocks in a vector), WOVEN_VECTORS (vectors in
 * flight), the type `vec` and the vec_ functions. What differs between the widths is there and nowhere else,
 * so that a width that a machine cannot run has its algorithm proven by the others. */
#include "clmul.h"

#define WOVEN EV_INLINE WOVEN_TARGET
#define STRIDE (WOVEN_LANES * WOVEN_VECTORS)
/* Vectors in the eight blocks that a message too short for strides, or its rest, takes at once. */
#define STEP_VECTORS (8 / WOVEN_LANES)

typedef struct {
  vec low, middle, high;
} products;

WOVEN products products_zero(void) {
  return (products){vec_zero(), vec_zero(), vec_zero()};
}

/* Adds the blocks of `data` times H^power, H^(power - 1), ... */
WOVEN void products_add(products *p, const ev_key *key, vec data, size_t power) {
  const vec h = vec_load(key->powers[EV_POWERS - power]), folded = vec_load(key->folded[EV_POWERS - power]);
  const vec sum = vec_xor(data, vec_swap_halves(data));
  p->low = vec_xor(p->low, vec_multiply_low(data, h));
  p->high = vec_xor(p->high, vec_multiply_high(data, h));
  p->middle = vec_xor(p->middle, vec_multiply_low(sum, folded));
  EV_PIN(p->low);
  EV_PIN(p->high);
  EV_PIN(p->middle);
}

WOVEN ev_product products_sum(products p) {
  return (ev_product){vec_sum_lanes(p.low), vec_sum_lanes(p.middle), vec_sum_lanes(p.high)};
}

/* Vector i of a stride of ciphertext; the first takes Y in. */
WOVEN void hash_vector(products *p, const ev_key *key, const uint8_t *data, size_t i, __m128i y) {
  vec block = vec_swap_bytes(vec_load(data + 16 * WOVEN_LANES * i));
  if (i == 0) block = vec_xor(block, vec_from_block(y));
  products_add(p, key, block, STRIDE - WOVEN_LANES * i);
}

WOVEN __m128i hash_stride(const ev_key *key, const uint8_t *data, __m128i y) {
  products p = products_zero();
  key = ev_again(key);
  EV_UNROLL for (size_t i = 0; i < WOVEN_VECTORS; i++) hash_vector(&p, key, data, i, y);
  return ev_product_reduce(products_sum(p));
}

/* The first AES round key on the next n vectors of counters. */
WOVEN void begin(const ev_key *key, vec *counter, vec *s, const size_t n) {
  const vec k = vec_broadcast(key->schedule[0]);
  EV_UNROLL for (size_t i = 0; i < n; i++) {
    s[i] = vec_xor(vec_swap_bytes(*counter), k);
    *counter = vec_next_counter(*counter);
  }
}

WOVEN void aes_round(const ev_key *key, vec *s, size_t round, const size_t n) {
  const vec k = vec_broadcast(key->schedule[round]);
  EV_UNROLL for (size_t i = 0; i < n; i++) s[i] = vec_aes_round(s[i], k);
}

/* The last round; its key is added to the text first, which saves an addition behind it. */
WOVEN void finish_rounds(const ev_key *key, vec *s, const uint8_t *in, uint8_t *out, const size_t n) {
  const vec k = vec_broadcast(key->schedule[key->rounds]);
  EV_UNROLL for (size_t i = 0; i < n; i++) {
    const vec text = vec_xor(k, vec_load(in + 16 * WOVEN_LANES * i));
    s[i] = vec_aes_last_round(s[i], text);
  }
  EV_UNROLL for (size_t i = 0; i < n; i++) vec_store(out + 16 * WOVEN_LANES * i, s[i]);
}

/* GCTR on one stride. With `hashed`, a stride of ciphertext, one vector of it is multiplied in each of the
 * first AES rounds and the sum reduced behind them; returns the new Y. `hashed` may be `in`: it is read
 * before `out` is written. */
WOVEN __m128i crypt_stride(const ev_key *key, vec *counter, const uint8_t *in, uint8_t *out,
                           const uint8_t *hashed, __m128i y, const bool hash) {
  vec s[WOVEN_VECTORS];
  products p = products_zero();
  key = ev_again(key);
  /* When `hashed` is `in`, the compiler must not keep a whole stride in registers to save loading it again.
   */
  __asm__("" : "+r"(hashed));
  begin(key, counter, s, WOVEN_VECTORS);
  EV_UNROLL for (size_t round = 1; round <= 9; round++) {
    aes_round(key, s, round, WOVEN_VECTORS);
    if (hash && round <= WOVEN_VECTORS) hash_vector(&p, key, hashed, round - 1, y);
  }
  if (hash) y = ev_product_reduce(products_sum(p));
  for (size_t round = 10; round < key->rounds; round++)
    aes_round(key, s, round, WOVEN_VECTORS);
  finish_rounds(key, s, in, out, WOVEN_VECTORS);
  return y;
}

/* At least one stride. Decrypting, a stride is hashed while it is decrypted; encrypting, while the next one
 * is. */
WOVEN __m128i strides(const ev_key *key, __m128i *counter, __m128i y, const uint8_t *in, uint8_t *out,
                      size_t count, const bool decrypt) {
  vec counters = vec_counters(*counter);
  *counter = _mm_add_epi32(*counter, _mm_set_epi32(0, 0, 0, (int)(uint32_t)(STRIDE * count)));
  if (!decrypt) {
    crypt_stride(key, &counters, in, out, NULL, y, false);
    in += 16 * STRIDE;
    out += 16 * STRIDE;
    count--;
  }
  for (; count > 0; count--, in += 16 * STRIDE, out += 16 * STRIDE)
    y = crypt_stride(key, &counters, in, out, decrypt ? in : out - 16 * STRIDE, y, true);
  return decrypt ? y : hash_stride(key, out - 16 * STRIDE, y);
}

/* A run of blocks that is hashed with one reduction at its end: the sums so far, the power of H that the next
 * block takes, and what is added to the next block (Y, at first). */
typedef struct {
  products wide;
  ev_product narrow;
  __m128i carry;
  size_t power;
} run;

WOVEN void run_block(run *r, const ev_key *key, __m128i block) {
  ev_product_add(&r->narrow, key, _mm_xor_si128(ev_swap_bytes(block), r->carry), r->power--);
  r->carry = _mm_setzero_si128();
}

WOVEN void run_bytes(run *r, const ev_key *key, const uint8_t *data, size_t length) {
  for (; length >= 16; length -= 16, data += 16)
    run_block(r, key, ev_load(data));
  if (length > 0) run_block(r, key, ev_load_partial(data, length));
}

/* Eight blocks of text. */
WOVEN void run_step(run *r, const ev_key *key, __m128i *counter, const uint8_t *in, uint8_t *out,
                    const bool decrypt) {
  vec s[STEP_VECTORS], ciphertext[STEP_VECTORS], counters = vec_counters(*counter);
  key = ev_again(key);
  *counter = _mm_add_epi32(*counter, _mm_set_epi32(0, 0, 0, 8));
  begin(key, &counters, s, STEP_VECTORS);
  EV_UNROLL for (size_t round = 1; round <= 9; round++) aes_round(key, s, round, STEP_VECTORS);
  for (size_t round = 10; round < key->rounds; round++)
    aes_round(key, s, round, STEP_VECTORS);
  if (decrypt) {
    EV_UNROLL for (size_t i = 0; i < STEP_VECTORS; i++) ciphertext[i] = vec_load(in + 16 * WOVEN_LANES * i);
  }
  finish_rounds(key, s, in, out, STEP_VECTORS);
  EV_UNROLL for (size_t i = 0; i < STEP_VECTORS; i++) {
    vec block = vec_swap_bytes(decrypt ? ciphertext[i] : s[i]);
    if (i == 0) block = vec_xor(block, vec_from_block(r->carry));
    products_add(&r->wide, key, block, r->power - WOVEN_LANES * i);
  }
  r->carry = _mm_setzero_si128();
  r->power -= 8;
}

/* The last n blocks of text, the last of them of 1 to 16 bytes; n is a constant up to 8. */
WOVEN void run_tail(run *r, const ev_key *key, __m128i *counter, const uint8_t *in, uint8_t *out,
                    size_t length, const size_t n, const bool decrypt) {
  __m128i s[8];
  const size_t last = length - 16 * (n - 1);
  ev_aesni_keystream(key, counter, s, n);
  EV_UNROLL for (size_t i = 0; i + 1 < n; i++) {
    const __m128i text = ev_load(in + 16 * i);
    s[i] = _mm_xor_si128(s[i], text);
    ev_store(out + 16 * i, s[i]);
    run_block(r, key, decrypt ? text : s[i]);
  }
  in += 16 * (n - 1);
  out += 16 * (n - 1);
  if (last == 16) {
    const __m128i text = ev_load(in), made = _mm_xor_si128(s[n - 1], text);
    ev_store(out, made);
    run_block(r, key, decrypt ? text : made);
  } else {
    const __m128i text = ev_load_partial(in, last), made = _mm_xor_si128(s[n - 1], text);
    ev_store_partial(out, made, last);
    run_block(r, key, decrypt ? text : ev_keep_bytes(made, last));
  }
}

WOVEN void run_text(run *r, const ev_key *key, __m128i *counter, const uint8_t *in, uint8_t *out,
                    size_t length, const bool decrypt) {
  for (; length >= 128; length -= 128, in += 128, out += 128)
    run_step(r, key, counter, in, out, decrypt);
  switch ((length + 15) / 16) {
  case 1:
    run_tail(r, key, counter, in, out, length, 1, decrypt);
    break;
  case 2:
    run_tail(r, key, counter, in, out, length, 2, decrypt);
    break;
  case 3:
    run_tail(r, key, counter, in, out, length, 3, decrypt);
    break;
  case 4:
    run_tail(r, key, counter, in, out, length, 4, decrypt);
    break;
  case 5:
    run_tail(r, key, counter, in, out, length, 5, decrypt);
    break;
  case 6:
    run_tail(r, key, counter, in, out, length, 6, decrypt);
    break;
  case 7:
    run_tail(r, key, counter, in, out, length, 7, decrypt);
    break;
  case 8:
    run_tail(r, key, counter, in, out, length, 8, decrypt);
    break;
  default:
    break;
  }
}

WOVEN run run_begin(__m128i y, size_t blocks) {
  return (run){products_zero(), ev_product_zero(), y, blocks};
}

WOVEN __m128i run_end(run *r) {
  const ev_product wide = products_sum(r->wide);
  r->narrow.low = _mm_xor_si128(r->narrow.low, wide.low);
  r->narrow.middle = _mm_xor_si128(r->narrow.middle, wide.middle);
  r->narrow.high = _mm_xor_si128(r->narrow.high, wide.high);
  return ev_product_reduce(r->narrow);
}

/* A message of n blocks of text, the last of 1 to 16 bytes, and no AAD; n is a constant up to 7. E(J0) comes
 * with the keystream, and there is nothing of a longer message's sums to clear and to add. */
WOVEN void message_short(const ev_key *key, ev_block j0, const uint8_t *in, uint8_t *out, size_t length,
                         uint8_t tag[16], const size_t n, const bool decrypt) {
  __m128i counter = _mm_set_epi64x((long long)j0.high, (long long)j0.low), s[8];
  const __m128i lengths = _mm_set_epi64x(0, (long long)((uint64_t)length << 3));
  ev_product p = ev_product_zero();
  ev_aesni_keystream(key, &counter, s, n + 1);
  EV_UNROLL for (size_t i = 0; i < n; i++) {
    const size_t rest = length - 16 * i;
    __m128i text, made;
    if (i + 1 < n || rest == 16) {
      text = ev_load(in + 16 * i);
      made = _mm_xor_si128(s[i + 1], text);
      ev_store(out + 16 * i, made);
    } else {
      text = ev_load_partial(in + 16 * i, rest);
      made = _mm_xor_si128(s[i + 1], text);
      ev_store_partial(out + 16 * i, made, rest);
      if (!decrypt) made = ev_keep_bytes(made, rest);
    }
    ev_product_add(&p, key, ev_swap_bytes(decrypt ? text : made), n + 1 - i);
  }
  ev_product_add(&p, key, lengths, 1);
  ev_store(tag, _mm_xor_si128(ev_swap_bytes(ev_product_reduce(p)), s[0]));
}

/* Clauses 7.1 and 7.2 from J0 on. E(J0) is begun first and needed last, so it costs its instructions, not its
 * time. */
WOVEN void message(const ev_key *key, ev_block j0, const uint8_t *aad, size_t aad_length, const uint8_t *in,
                   uint8_t *out, size_t length, uint8_t tag[16], const bool decrypt) {
  if (aad_length == 0) {
    switch ((length + 15) / 16) {
    case 1:
      message_short(key, j0, in, out, length, tag, 1, decrypt);
      return;
    case 2:
      message_short(key, j0, in, out, length, tag, 2, decrypt);
      return;
    case 3:
      message_short(key, j0, in, out, length, tag, 3, decrypt);
      return;
    case 4:
      message_short(key, j0, in, out, length, tag, 4, decrypt);
      return;
    case 5:
      message_short(key, j0, in, out, length, tag, 5, decrypt);
      return;
    case 6:
      message_short(key, j0, in, out, length, tag, 6, decrypt);
      return;
    case 7:
      message_short(key, j0, in, out, length, tag, 7, decrypt);
      return;
    default:
      break;
    }
  }
  const __m128i lengths =
      _mm_set_epi64x((long long)((uint64_t)aad_length << 3), (long long)((uint64_t)length << 3));
  __m128i counter = _mm_set_epi64x((long long)j0.high, (long long)j0.low), mask, y = _mm_setzero_si128();
  ev_aesni_keystream(key, &counter, &mask, 1);

  if ((aad_length + 15) / 16 + (length + 15) / 16 + 1 > EV_POWERS) {
    const size_t whole = aad_length / 16, count = length / (16 * STRIDE);
    y = ev_clmul_ghash(key, y, aad, whole);
    aad += 16 * whole;
    aad_length -= 16 * whole;
    if (count > 0) {
      run r = run_begin(y, 1);
      if (aad_length > 0) {
        run_bytes(&r, key, aad, aad_length);
        y = run_end(&r);
        aad_length = 0;
      }
      y = strides(key, &counter, y, in, out, count, decrypt);
      in += 16 * STRIDE * count;
      out += 16 * STRIDE * count;
      length -= 16 * STRIDE * count;
    }
  }
  run r = run_begin(y, (aad_length + 15) / 16 + (length + 15) / 16 + 1);
  run_bytes(&r, key, aad, aad_length);
  run_text(&r, key, &counter, in, out, length, decrypt);
  ev_product_add(&r.narrow, key, _mm_xor_si128(lengths, r.carry), 1);
  ev_store(tag, _mm_xor_si128(ev_swap_bytes(run_end(&r)), mask));
}

/* Whole blocks of a message in pieces. What is left of a stride goes block by block: the blocks do not wait
 * for each other, and eight constant lengths are not worth their code here. */
WOVEN void pieces(const ev_key *key, uint8_t counter_bytes[16], uint8_t y_bytes[16], const uint8_t *in,
                  uint8_t *out, size_t blocks, const bool decrypt) {
  __m128i counter = ev_swap_bytes(ev_load(counter_bytes)), y = ev_swap_bytes(ev_load(y_bytes));
  const size_t count = blocks / STRIDE;
  size_t rest = blocks % STRIDE;
  if (count > 0) y = strides(key, &counter, y, in, out, count, decrypt);
  in += 16 * STRIDE * count;
  out += 16 * STRIDE * count;
  if (rest > 0) {
    run r = run_begin(y, rest);
    for (; rest >= 8; rest -= 8, in += 128, out += 128)
      run_step(&r, key, &counter, in, out, decrypt);
    for (; rest > 0; rest--, in += 16, out += 16)
      run_tail(&r, key, &counter, in, out, 16, 1, decrypt);
    y = run_end(&r);
  }
  ev_store(counter_bytes, ev_swap_bytes(counter));
  ev_store(y_bytes, ev_swap_bytes(y));
}

#include "gcm_many.h"

WOVEN_TARGET static void seal(const ev_key *key, ev_block j0, const uint8_t *aad, size_t aad_length,
                              const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
  message(key, j0, aad, aad_length, in, out, length, tag, false);
}

WOVEN_TARGET static void open(const ev_key *key, ev_block j0, const uint8_t *aad, size_t aad_length,
                              const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
  message(key, j0, aad, aad_length, in, out, length, tag, true);
}

WOVEN_TARGET static void encrypt(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                 uint8_t *out, size_t blocks) {
  pieces(key, counter, y, in, out, blocks, false);
}

WOVEN_TARGET static void decrypt(const ev_key *key, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                 uint8_t *out, size_t blocks) {
  pieces(key, counter, y, in, out, blocks, true);
}
