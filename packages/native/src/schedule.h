/* The key expansion of FIPS 197 clause 5.2, over a SubWord of the caller's. */
#ifndef EVARISTE_SCHEDULE_H
#define EVARISTE_SCHEDULE_H

#include "kernel.h"

/* Words are loaded little-endian, so RotWord is a rotation to the right by 8. */
static inline __attribute__((always_inline)) void
ev_expand_schedule(ev_key *key, const uint8_t *raw, size_t length, uint32_t (*sub_word)(uint32_t)) {
  const size_t nk = length / 4;
  const size_t words = 4 * (nk + 7);
  uint32_t previous = 0, rcon = 1;
  uint8_t *schedule = key->schedule[0];

  key->rounds = (uint32_t)nk + 6;
  for (size_t i = 0; i < words; i++) {
    if (i < nk) {
      previous = ev_load32_le(raw + 4 * i);
    } else {
      if (i % nk == 0) {
        previous = sub_word(previous >> 8 | previous << 24) ^ rcon;
        rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
      } else if (nk == 8 && i % 8 == 4) {
        previous = sub_word(previous);
      }
      previous ^= ev_load32_le(schedule + 4 * (i - nk));
    }
    ev_store32_le(schedule + 4 * i, previous);
  }
}

#endif
