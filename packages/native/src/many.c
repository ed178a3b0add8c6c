/* Many short messages at once, over the kernels that can. */
#include "evariste.h"

/* Messages whose tags are held before they are compared. */
#define HELD 64u

bool ev_does_many(const ev_key *key, size_t length) {
  return key->gcm && key->gcm->seal_many && length > 0 && length <= EV_MANY_LENGTH;
}

static void count(const ev_key *key, size_t messages) {
  const uint64_t calls = atomic_load_explicit(key->gcm_calls, memory_order_relaxed);
  atomic_store_explicit(key->gcm_calls, calls + messages, memory_order_relaxed);
}

size_t ev_seal_many(ev_key *key, const ev_many *messages) {
  const size_t done = key->gcm->seal_many(key, messages);
  count(key, done);
  return done;
}

/* Up to HELD messages from number `from` on. */
static size_t open_some(ev_key *key, const ev_many *messages, size_t from, uint8_t *verdicts) {
  uint8_t tags[HELD][16];
  ev_many part = *messages;
  part.count = messages->count - from < HELD ? messages->count - from : HELD;
  part.ivs += 12 * from;
  part.in += messages->in_step * from;
  part.out += messages->out_step * from;
  part.tags = tags[0];
  part.tag_step = sizeof tags[0];
  const size_t done = key->gcm->open_many(key, &part);
  for (size_t i = 0; i < done; i++) {
    const bool authentic = ev_tags_equal(tags[i], part.in + i * part.in_step + part.length, 16);
    EV_DECLASSIFY(&authentic, sizeof authentic);
    verdicts[i] = authentic;
    if (!authentic) ev_wipe(part.out + i * part.out_step, part.length);
  }
  /* The right tag of a forged message must not stay behind on the stack. */
  ev_wipe(tags, sizeof tags);
  return done;
}

size_t ev_open_many(ev_key *key, const ev_many *messages, uint8_t *verdicts) {
  size_t done = 0;
  while (done < messages->count) {
    const size_t some = open_some(key, messages, done, verdicts + done);
    if (some == 0) break;
    done += some;
  }
  count(key, done);
  return done;
}
