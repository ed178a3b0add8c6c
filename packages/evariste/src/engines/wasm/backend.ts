import { Arena } from "./arena.js";
import {
  SLOT_BYTES,
  SLOT_COUNT,
  SLOTS,
  TAIL,
  TAIL_BYTES,
  TEXT,
  TEXT_BYTES,
  WIDE_BYTES,
  WIDE_COUNT,
  WIDE_SLOTS,
  Y,
} from "./layout.js";
import { type Exports, instantiate } from "./module.js";
import { Scratch } from "./scratch.js";

/** Keystream is made for whole groups of eight blocks: bytes before and after the text that it may cover. */
const GROUPS_AROUND = 2 * 128;

/** One instance of the module with its memory and arenas. There is one for each kernel, shared by all its keys. */
export class Backend {
  readonly exports: Exports;
  readonly scratch: Scratch;
  readonly slots = new Arena(SLOTS, SLOT_BYTES, SLOT_COUNT);
  readonly wideSlots = new Arena(WIDE_SLOTS, WIDE_BYTES, WIDE_COUNT);
  /** Messages, pieces of messages and single operations so far. */
  calls = 0;

  constructor(
    readonly kernel: string,
    relaxed: boolean,
  ) {
    this.exports = instantiate(relaxed);
    this.scratch = new Scratch(new Uint8Array(this.exports.memory.buffer));
  }

  /**
   * Runs `gcm` on what lies in scratch.
   *
   * @param size bytes of text of this call
   * @param aadSize bytes of AAD of this call
   * @param aadBytes,textBytes of the whole message, up to 2^53; used with FINISH
   */
  gcm(
    key: { readonly slot: number; readonly wide: number; readonly rounds: number },
    flags: number,
    counter: number,
    size: number,
    aadSize: number,
    tagLength: number,
    aadBytes: number,
    textBytes: number,
  ): number {
    return this.exports.gcm(
      key.slot,
      key.wide,
      key.rounds,
      flags,
      counter,
      size,
      aadSize,
      tagLength,
      highBits(aadBytes),
      aadBytes << 3,
      highBits(textBytes),
      textBytes << 3,
    );
  }

  /**
   * Clears what a message left in scratch: text, keystream beyond its end, and the blocks of either that a bulk GHASH took
   * along.
   *
   * @param size bytes of text, at most a chunk
   */
  clearText(size: number): void {
    this.scratch.clear(TEXT, Math.min(size + GROUPS_AROUND, TEXT_BYTES));
    this.scratch.clear(TAIL, TAIL_BYTES);
  }

  /** Clears everything that is not a key's slot. */
  clearScratch(): void {
    this.scratch.clear(Y, SLOTS - Y);
  }
}

/** The upper 32 bits of a length in bits; `<<` takes the length modulo 2^32, so `bytes << 3` is the lower half. */
export function highBits(bytes: number): number {
  return (bytes / 0x20000000) | 0;
}
