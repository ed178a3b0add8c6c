/* GCTR over the bit planes of aes_portable.c, four blocks at a time. */
#include "bitslice.h"

static void gctr(const ev_key *key, uint8_t counter[16], const uint8_t *in, uint8_t *out, size_t blocks) {
  uint8_t stream[64];
  uint64_t p[8];
  uint32_t count = ev_load32_be(counter + 12);

  while (blocks > 0) {
    const size_t n = blocks < 4 ? blocks : 4;
    for (uint32_t i = 0; i < 4; i++) {
      memcpy(stream + 16 * i, counter, 12);
      ev_store32_be(stream + 16 * i + 12, count + i);
    }
    ev_to_planes(stream, p);
    ev_planes_encrypt(key, p);
    ev_from_planes(p, stream);
    for (size_t i = 0; i < 16 * n; i++)
      out[i] = in[i] ^ stream[i];
    count += (uint32_t)n;
    blocks -= n;
    in += 16 * n;
    out += 16 * n;
  }
  ev_store32_be(counter + 12, count);
  ev_wipe(stream, sizeof stream);
  ev_wipe(p, sizeof p);
}

const ev_kernel ev_gctr_portable = {
    .name = "gctr_portable",
    .role = EV_ROLE_GCTR,
    .prepare = ev_planes_prepare,
    .gctr = gctr,
};
