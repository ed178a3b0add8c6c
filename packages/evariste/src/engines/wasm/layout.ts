/**
 * Where things are in the WebAssembly memory, in bytes; shared by the emitter and the engine. The memory never grows:
 * messages of any size stream through `TEXT`, and keys live in two arenas of fixed size (see `arena.ts`).
 */

/** Look-up tables of the vector-permute S-box and of the GHASH reduction; written by the module itself. */
export const TABLES = 0;

/** GHASH state. */
export const Y = 256;
/** Next counter block of a message whose IV has not 96 bits, and of GCTR. */
export const ICB = 272;
/** E_K(J0). */
export const EJ0 = 288;
/** 96-bit IV. */
export const IV = 320;
/** One block in, one block out. */
export const BLOCK = 336;
/** Raw key, zeroed by `expand`. */
export const RAW_KEY = 352;
/** Keystream of up to four blocks. */
export const KEYSTREAM = 384;
/** H·x^t for t = 0 … 7 while a table is built. */
export const BASIS = 448;
/** Difference of two runs of 256 counters after round 2, as planes. */
export const DELTA = 576;
/** The last blocks of a bulk GHASH with the four streams' states added. */
export const TAIL = 704;
export const TAIL_BYTES = 128;
/** The four streams' states, word by word. */
export const STREAMS = 832;
/** Products of the nine Karatsuba pieces, low and high words. */
export const PRODUCTS = 896;
/** Nine Karatsuba pieces of up to eight groups. */
export const PIECES = 1184;
/** State after round 2 of the first 256 blocks: 32 groups of eight planes. */
export const ROUND2 = 2336;
/** AAD that goes with a message in one call. */
export const AAD = 6432;
export const AAD_BYTES = 1024;
/** Text: the block of counter c lies at c mod 8; a chunk, the group around its ends, and the length block fit. */
export const TEXT = 7472;
export const CHUNK_BYTES = 8192;
export const TEXT_BYTES = CHUNK_BYTES + 20 * 16;

/** A key's first slot: round keys, round keys in tower form, H, the last power made, tables of H^1 … H^8, planes. */
export const SLOTS = 16384;
export const SLOT_TOWER = 240;
export const SLOT_H = 480;
export const SLOT_POWER = 496;
export const SLOT_TABLES = 512;
/** Table of one power of H: 16 output bytes for the high nibbles, then 16 for the low ones. */
export const TABLE_BYTES = 512;
export const POWERS = 8;
/** Round keys but the last as planes, 128 bytes each. */
export const SLOT_PLANES = SLOT_TABLES + POWERS * TABLE_BYTES;
export const SLOT_BYTES = SLOT_PLANES + 14 * 128;
export const SLOT_COUNT = 1024;

/** A key's second slot, for longer messages: Karatsuba tables of H^32, H^28 … H^4 for each of the nine pieces. */
export const WIDE_SLOTS = SLOTS + SLOT_COUNT * SLOT_BYTES;
/** Ten tables for one 32-bit piece of one power. */
export const PIECE_BYTES = 160;
export const WIDE_BYTES = 9 * 8 * PIECE_BYTES;
export const WIDE_COUNT = 128;

/** The whole memory, in pages of 64 KiB. */
export const MEMORY_PAGES = Math.ceil((WIDE_SLOTS + WIDE_COUNT * WIDE_BYTES) / 65536);

/** Bits of the `flags` of `gcm`. START: the IV has 96 bits, this is its first chunk. */
export const START = 1;
export const FINISH = 2;
export const DECRYPT = 4;
/** The counter block is in `ICB`, not IV || counter. */
export const ANY_COUNTER = 8;
