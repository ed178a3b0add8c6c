import { Arena } from "./arena.js";
import { SLOT_BYTES, SLOT_COUNT, SLOTS, WIDE_BYTES, WIDE_COUNT, WIDE_SLOTS, Y } from "./layout.js";
import { type Exports, instantiate } from "./module.js";

/** One instance of the module with its memory and arenas. There is one for each kernel, shared by all its keys. */
export class Backend {
  readonly exports: Exports;
  /** The whole memory. It never grows, so the view stays good. */
  readonly memory: Uint8Array;
  readonly slots = new Arena(SLOTS, SLOT_BYTES, SLOT_COUNT);
  readonly wideSlots = new Arena(WIDE_SLOTS, WIDE_BYTES, WIDE_COUNT);
  /** Messages, pieces of messages and single operations so far. */
  calls = 0;

  constructor(
    readonly kernel: string,
    relaxed: boolean,
  ) {
    this.exports = instantiate(relaxed);
    this.memory = new Uint8Array(this.exports.memory.buffer);
  }

  /** Clears everything that is not a key's slot. */
  clearScratch(): void {
    this.memory.fill(0, Y, SLOTS);
  }
}
