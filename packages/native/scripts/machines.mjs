// What emulate.mjs runs: machines, and the kernels that each must choose (gcm/gctr/ghash/aes).

const portable = "apart/gctr_portable/ghash_portable/aes_portable";
const aesni = "gcm_aesni_clmul/gctr_aesni/ghash_clmul/aes_aesni";
const armv8 = "gcm_armv8/gctr_aese/ghash_pmull/aes_aese";
const eor3 = "gcm_armv8_eor3/gctr_aese/ghash_pmull/aes_aese";
const power8 = "gcm_power8/gctr_vcipher/ghash_vpmsumd/aes_vcipher";

/**
 * Machines to cross-compile for. `limit` is the longest message of the test of all lengths (4096 adds the test of
 * shapes); `only` runs the choice that the machine makes by itself and no other.
 */
export const machines = [
  {
    name: "aarch64",
    arch: "arm64",
    compiler: "aarch64-linux-gnu-gcc",
    emulator: "qemu-aarch64",
    cpus: [
      { cpu: "max", chosen: eor3, limit: 1100 },
      { cpu: "cortex-a57", chosen: armv8, limit: 200, only: true },
      { cpu: "neoverse-n1", chosen: armv8, limit: 200, only: true },
    ],
  },
  {
    name: "ppc64le",
    arch: "ppc64",
    compiler: "powerpc64le-linux-gnu-gcc",
    emulator: "qemu-ppc64le",
    cpus: [
      { cpu: "power8", chosen: power8, limit: 1100 },
      { cpu: "power9", chosen: power8, limit: 200, only: true },
      { cpu: "power10", chosen: power8, limit: 200, only: true },
    ],
  },
  {
    name: "s390x",
    arch: "s390x",
    compiler: "s390x-linux-gnu-gcc",
    emulator: "qemu-s390x",
    cpus: [{ cpu: "max", chosen: portable, limit: 4096 }],
  },
  {
    name: "sparc64",
    arch: "sparc64",
    compiler: "sparc64-linux-gnu-gcc",
    emulator: "qemu-sparc64",
    cpus: [{ chosen: portable, limit: 4096 }],
  },
];

/** Subsets of the features of x86-64. QEMU has neither VPCLMULQDQ nor AVX-512; those are wide.h's and Bochs's. */
export const subsets = {
  name: "x86_64",
  arch: "x64",
  compiler: "x86_64-linux-gnu-gcc",
  emulator: "qemu-x86_64",
  cpus: [
    { cpu: "Nehalem", chosen: portable },
    { cpu: "Westmere", chosen: aesni },
    { cpu: "SandyBridge", chosen: aesni },
    { cpu: "Haswell", chosen: aesni },
    { cpu: "EPYC-Milan,-vpclmulqdq", chosen: aesni },
    { cpu: "Icelake-Server,-vpclmulqdq", chosen: aesni },
    { cpu: "max,-vpclmulqdq", chosen: aesni },
    { cpu: "max,-vaes", chosen: aesni },
    { cpu: "max,-avx2", chosen: aesni },
    { cpu: "max,-avx", chosen: aesni },
    { cpu: "max,-xsave", chosen: aesni },
    { cpu: "max,-aes", chosen: "apart/gctr_portable/ghash_clmul/aes_portable" },
    { cpu: "max,-pclmulqdq", chosen: "apart/gctr_aesni/ghash_portable/aes_aesni" },
    { cpu: "max,-aes,-pclmulqdq", chosen: portable },
    { cpu: "max,-ssse3", chosen: portable },
    { cpu: "max,-sse4.1", chosen: portable },
  ].map((entry) => ({ ...entry, limit: 200, only: true })),
};

/** Where 512 bits can be used. */
export const widest = "gcm_vaes_avx512/gctr_aesni/ghash_clmul/aes_aesni";
const wide = "gcm_vaes_avx2/gctr_aesni/ghash_clmul/aes_aesni";

/**
 * CPUs of Bochs. `saved` are the registers that the operating system saves (XCR0): SSE's 0x3, AVX's 0x7, AVX-512's 0xe7;
 * what it does not save must not be used, whatever the CPU has.
 */
export const boots = [
  { cpu: "corei7_icelake_u", saved: "0xe7", chosen: widest, limit: 601 },
  { cpu: "corei7_icelake_u", saved: "0x7", chosen: wide, limit: 601 },
  { cpu: "corei7_icelake_u", saved: "0x3", chosen: aesni, limit: 64 },
  { cpu: "corei7_skylake_x", saved: "0xe7", chosen: aesni, limit: 64 },
];
