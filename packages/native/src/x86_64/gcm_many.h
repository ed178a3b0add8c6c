/* Short messages of one length, a message to each lane: their few blocks would leave a vector half empty, and
 * one after the other each would wait for its own AES rounds and its own reduction. Included by gcm_woven.h.
 */

/* The most of what `many` holds at once. */
#define MANY_VECTORS 4
#define MANY_STATES (EV_MANY_LENGTH / 16 + 1)

WOVEN vec vec_each(const __m128i block) {
  return vec_broadcast(&block);
}

/* A reduction in each lane; see ev_product_reduce. */
WOVEN vec products_reduce(products p) {
  const vec polynomial = vec_each(_mm_set_epi64x(0, (long long)0xc200000000000000u));
  vec middle = vec_xor(p.middle, vec_xor(p.low, p.high));
  middle = vec_xor(middle, vec_swap_halves(p.low));
  middle = vec_xor(middle, vec_multiply_low(p.low, polynomial));
  const vec high = vec_xor(p.high, vec_swap_halves(middle));
  return vec_xor(high, vec_multiply_low(middle, polynomial));
}

/* Adds the blocks of `data` times the same power of H. */
WOVEN void products_add_same(products *p, const ev_key *key, vec data, size_t power) {
  const vec h = vec_broadcast(key->powers[EV_POWERS - power]);
  const vec folded = vec_broadcast(key->folded[EV_POWERS - power]);
  const vec sum = vec_xor(data, vec_swap_halves(data));
  p->low = vec_xor(p->low, vec_multiply_low(data, h));
  p->high = vec_xor(p->high, vec_multiply_high(data, h));
  p->middle = vec_xor(p->middle, vec_multiply_low(sum, folded));
}

/* Whole blocks, or with `length` below 16 its first bytes. */
WOVEN vec many_load(const uint8_t *p, size_t step, size_t length) {
  __m128i lane[WOVEN_LANES];
  for (size_t i = 0; i < WOVEN_LANES; i++, p += step)
    lane[i] = length < 16 ? ev_load_partial(p, length) : ev_load(p);
  return vec_join(lane);
}

WOVEN void many_store(uint8_t *p, size_t step, vec v, size_t length) {
  __m128i lane[WOVEN_LANES];
  vec_split(v, lane);
  for (size_t i = 0; i < WOVEN_LANES; i++, p += step) {
    if (length < 16)
      ev_store_partial(p, lane[i], length);
    else
      ev_store(p, lane[i]);
  }
}

/* J0 of 96-bit IVs without its counter, in memory order. */
WOVEN vec many_ivs(const uint8_t *iv) {
  __m128i lane[WOVEN_LANES];
  for (size_t i = 0; i < WOVEN_LANES; i++, iv += 12) {
    uint64_t first;
    uint32_t last;
    memcpy(&first, iv, 8);
    memcpy(&last, iv + 8, 4);
    lane[i] = _mm_set_epi64x((long long)last, (long long)first);
  }
  return vec_join(lane);
}

WOVEN void many_round(const ev_key *key, vec s[MANY_VECTORS][MANY_STATES], size_t round, const size_t n,
                      const size_t vectors) {
  const vec k = vec_broadcast(key->schedule[round]);
  EV_UNROLL for (size_t g = 0; g < vectors; g++) {
    EV_UNROLL for (size_t i = 0; i <= n; i++) s[g][i] = vec_aes_round(s[g][i], k);
  }
}

/* The messages from number `from` in `vectors` vectors, of n blocks each; both are constants, and the n + 1
 * states of each vector fit the registers. */
WOVEN void many(const ev_key *key, const ev_many *m, size_t from, products lengths, const size_t n,
                const size_t vectors, const bool decrypt) {
  vec s[MANY_VECTORS][MANY_STATES];
  key = ev_again(key);
  const vec first = vec_broadcast(key->schedule[0]), last = vec_broadcast(key->schedule[key->rounds]);
  EV_UNROLL for (size_t g = 0; g < vectors; g++) {
    const vec iv = vec_xor(first, many_ivs(m->ivs + 12 * (from + g * WOVEN_LANES)));
    EV_UNROLL for (size_t i = 0; i <= n; i++) s[g][i] =
        vec_xor(iv, vec_each(_mm_set_epi32((int)((uint32_t)(i + 1) << 24), 0, 0, 0)));
  }
  EV_UNROLL for (size_t round = 1; round <= 9; round++) many_round(key, s, round, n, vectors);
  for (size_t round = 10; round < key->rounds; round++)
    many_round(key, s, round, n, vectors);
  EV_UNROLL for (size_t g = 0; g < vectors; g++) {
    const size_t message = from + g * WOVEN_LANES;
    const uint8_t *in = m->in + message * m->in_step;
    uint8_t *out = m->out + message * m->out_step;
    products p = lengths;
    EV_UNROLL for (size_t i = 0; i < n; i++) {
      const size_t rest = m->length - 16 * i, bytes = rest < 16 ? rest : 16;
      const vec text = many_load(in + 16 * i, m->in_step, bytes);
      const vec made = vec_xor(vec_aes_last_round(s[g][i + 1], last), text);
      vec hashed = decrypt ? text : made;
      many_store(out + 16 * i, m->out_step, made, bytes);
      if (!decrypt && bytes < 16) {
        const __m128i kept = ev_keep_bytes(_mm_set1_epi32(-1), bytes);
        hashed = vec_and(hashed, vec_each(kept));
      }
      products_add_same(&p, key, vec_swap_bytes(hashed), n + 1 - i);
    }
    const vec tags = vec_xor(vec_swap_bytes(products_reduce(p)), vec_aes_last_round(s[g][0], last));
    many_store(m->tags + message * m->tag_step, m->tag_step, tags, 16);
  }
}

WOVEN size_t many_blocks(const ev_key *key, const ev_many *m, const size_t n, const size_t vectors,
                         const bool decrypt) {
  const size_t step = vectors * WOVEN_LANES;
  size_t done = 0;
  products lengths = products_zero();
  products_add_same(&lengths, key, vec_each(_mm_set_epi64x(0, (long long)((uint64_t)m->length << 3))), 1);
  for (; m->count - done >= step; done += step)
    many(key, m, done, lengths, n, vectors, decrypt);
  return done;
}

WOVEN size_t many_messages(const ev_key *key, const ev_many *m, const bool decrypt) {
  switch ((m->length + 15) / 16) {
  case 1:
    return many_blocks(key, m, 1, 4, decrypt);
  case 2:
    return many_blocks(key, m, 2, 3, decrypt);
  case 3:
    return many_blocks(key, m, 3, 2, decrypt);
  case 4:
    return many_blocks(key, m, 4, 2, decrypt);
  default:
    return 0;
  }
}

WOVEN_TARGET static size_t seal_many(const ev_key *key, const ev_many *m) {
  return many_messages(key, m, false);
}

WOVEN_TARGET static size_t open_many(const ev_key *key, const ev_many *m) {
  return many_messages(key, m, true);
}
