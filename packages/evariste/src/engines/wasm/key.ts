import type { Direction, EngineKey, EngineStream } from "../engine.js";
import type { Tenant } from "./arena.js";
import type { Backend } from "./backend.js";
import { clear, copyIn, copyOut, copyPart } from "./copy.js";
import {
  AAD,
  AAD_BYTES,
  ANY_COUNTER,
  BLOCK,
  CHUNK_BYTES,
  DECRYPT,
  EJ0,
  EXPECTED,
  FINISH,
  ICB,
  IV,
  POWERS,
  RAW_KEY,
  SLOT_BYTES,
  START,
  TEXT,
  WIDE_BYTES,
  Y,
} from "./layout.js";
import { WasmStream } from "./stream.js";

/** The first block of text has the counter 2, and lies where counters mod 8 put it. */
const FIRST_TEXT = TEXT + 32;
const FIRST_BYTES = CHUNK_BYTES - 32;
/** From this many blocks on one message pays for the tables of the bulk GHASH by itself; below, the fourth does. */
const WIDE_BLOCKS = 64;
const WIDE_BLOCKS_OFTEN = 16;
const OFTEN = 4;

/** Bits above 2^32 of a length in bytes, as bits. */
const highBits = (bytes: number) => Math.floor(bytes / 0x20000000);

/** A key in the arena of one backend. Evicted, it expands itself again from the raw key it keeps. */
export class WasmKey implements EngineKey, Tenant {
  readonly kernel: string;
  readonly rounds: number;
  /** Address of the slot, 0 without one. */
  slot = 0;
  /** Address of the slot with the tables for bulk GHASH, 0 without one. */
  wide = 0;
  used = true;
  readonly #backend: Backend;
  readonly #rawKey: Uint8Array;
  readonly #wideTenant: Tenant & { used: boolean };
  #powers = 0;
  #longMessages = 0;

  constructor(backend: Backend, rawKey: Uint8Array) {
    this.#backend = backend;
    this.kernel = backend.kernel;
    this.#rawKey = new Uint8Array(rawKey);
    this.rounds = rawKey.length / 4 + 6;
    this.#wideTenant = {
      used: true,
      evict: () => {
        this.wide = 0;
      },
    };
    this.#expand();
  }

  evict(): void {
    this.slot = 0;
    this.#powers = 0;
  }

  /** Makes the slots hold what a message that hashes `blocks` blocks needs. Call it before anything is in scratch. */
  prepare(blocks: number): void {
    this.used = true;
    if (this.slot === 0) this.#expand();
    if (this.wide !== 0) {
      this.#wideTenant.used = true;
      if (this.#powers === POWERS) return;
    }
    const isLong = blocks >= WIDE_BLOCKS_OFTEN && (blocks >= WIDE_BLOCKS || ++this.#longMessages >= OFTEN);
    this.#makePowers(isLong ? POWERS : Math.min(blocks, POWERS));
    if (isLong && this.wide === 0) this.#widen();
  }

  seal(iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array, out: Uint8Array, tagLength: number): void {
    const length = plaintext.length;
    const aadLength = aad.length;
    if (length > FIRST_BYTES || aadLength > AAD_BYTES || iv.length !== 12) {
      this.#long(iv, aad, plaintext, length, out, tagLength, 0);
      return;
    }
    this.prepare(1 + ((length + 15) >> 4) + (aadLength >> 4));
    const { memory, exports } = this.#backend;
    copyIn(memory, IV, iv);
    copyIn(memory, AAD, aad);
    copyIn(memory, FIRST_TEXT, plaintext);
    exports.gcm(
      this.slot,
      this.wide,
      this.rounds,
      START | FINISH,
      2,
      length,
      aadLength,
      0,
      0,
      0,
      aadLength << 3,
      0,
      length << 3,
    );
    this.#backend.calls++;
    copyOut(memory, FIRST_TEXT, length + tagLength, out, 0);
  }

  open(iv: Uint8Array, aad: Uint8Array, sealed: Uint8Array, out: Uint8Array, tagLength: number): boolean {
    const length = sealed.length - tagLength;
    const aadLength = aad.length;
    const { memory, exports } = this.#backend;
    copyPart(memory, EXPECTED, sealed, length, tagLength);
    if (length > FIRST_BYTES || aadLength > AAD_BYTES || iv.length !== 12) {
      const authentic = this.#long(iv, aad, sealed, length, out, tagLength, DECRYPT);
      if (!authentic) out.fill(0, 0, length);
      return authentic;
    }
    this.prepare(1 + ((length + 15) >> 4) + (aadLength >> 4));
    copyIn(memory, IV, iv);
    copyIn(memory, AAD, aad);
    copyPart(memory, FIRST_TEXT, sealed, 0, length);
    const authentic = exports.gcm(
      this.slot,
      this.wide,
      this.rounds,
      START | FINISH | DECRYPT,
      2,
      length,
      aadLength,
      tagLength,
      0,
      0,
      aadLength << 3,
      0,
      length << 3,
    );
    this.#backend.calls++;
    if (authentic) copyOut(memory, FIRST_TEXT, length, out, 0);
    else out.fill(0, 0, length);
    clear(memory, FIRST_TEXT, length);
    return authentic === 1;
  }

  /** Messages longer than a chunk, with long AAD, or with an IV of other than 96 bits. */
  #long(
    iv: Uint8Array,
    aad: Uint8Array,
    text: Uint8Array,
    length: number,
    out: Uint8Array,
    tagLength: number,
    direction: number,
  ): boolean {
    const { memory, exports } = this.#backend;
    this.prepare(Math.ceil(Math.max(iv.length, aad.length, length) / 16) + 1);
    let flags = this.begin(iv) | direction;
    let counter = flags & START ? 2 : 0;
    this.absorb(aad);
    let at = 0;
    let verdict = 0;
    do {
      const place = TEXT + 16 * (counter & 7);
      const size = Math.min(length - at, CHUNK_BYTES - 16 * (counter & 7));
      const isLast = at + size === length;
      copyPart(memory, place, text, at, size);
      verdict = exports.gcm(
        this.slot,
        this.wide,
        this.rounds,
        isLast ? flags | FINISH : flags,
        counter,
        size,
        0,
        tagLength,
        0,
        highBits(aad.length),
        aad.length << 3,
        highBits(length),
        length << 3,
      );
      copyOut(memory, place, isLast && direction === 0 ? size + tagLength : size, out, at);
      at += size;
      if (!(flags & ANY_COUNTER)) counter += size >> 4;
      flags &= ~START;
    } while (at < length);
    if (direction === DECRYPT) memory.fill(0, TEXT, TEXT + CHUNK_BYTES);
    this.#backend.calls++;
    return verdict === 1;
  }

  /**
   * Clause 7.1 step 2. An IV of 96 bits is stored, and the first chunk finds E(J0) on its way; otherwise J0 is hashed, E(J0) and
   * the first counter block are put in place.
   *
   * @returns the flags of the first chunk
   */
  begin(iv: Uint8Array): number {
    const { memory, exports } = this.#backend;
    if (iv.length === 12) {
      copyIn(memory, IV, iv);
      return START;
    }
    this.absorb(iv);
    memory.fill(0, TEXT, TEXT + 16);
    const view = new DataView(memory.buffer);
    view.setUint32(TEXT + 8, highBits(iv.length));
    view.setUint32(TEXT + 12, iv.length << 3);
    exports.absorb(this.slot, this.wide, TEXT, 16);
    memory.copyWithin(BLOCK, Y, Y + 16);
    memory.copyWithin(ICB, Y, Y + 16);
    memory.fill(0, Y, Y + 16);
    view.setUint32(ICB + 12, view.getUint32(ICB + 12) + 1);
    exports.block(this.slot, this.rounds);
    memory.copyWithin(EJ0, BLOCK, BLOCK + 16);
    memory.fill(0, BLOCK, BLOCK + 16);
    return ANY_COUNTER;
  }

  /** Adds data, padded with zeros to whole blocks, to the GHASH state in memory. */
  absorb(data: Uint8Array): void {
    const { memory, exports } = this.#backend;
    for (let at = 0; at < data.length; at += CHUNK_BYTES) {
      const size = Math.min(data.length - at, CHUNK_BYTES);
      copyPart(memory, TEXT, data, at, size);
      exports.absorb(this.slot, this.wide, TEXT, size);
    }
  }

  start(iv: Uint8Array, direction: Direction): EngineStream {
    return new WasmStream(this, this.#backend, iv, direction === "decrypt" ? DECRYPT : 0);
  }

  ghash(data: Uint8Array, y: Uint8Array): void {
    const { memory } = this.#backend;
    this.prepare(Math.ceil(data.length / 16));
    copyIn(memory, Y, y);
    this.absorb(data);
    copyOut(memory, Y, 16, y, 0);
    memory.fill(0, Y, Y + 16);
    this.#backend.calls++;
  }

  gctr(icb: Uint8Array, input: Uint8Array, out: Uint8Array): void {
    const { memory, exports } = this.#backend;
    this.prepare(0);
    copyIn(memory, ICB, icb);
    for (let at = 0; at < input.length; at += CHUNK_BYTES) {
      const size = Math.min(input.length - at, CHUNK_BYTES);
      copyPart(memory, TEXT, input, at, size);
      exports.gctr(this.slot, this.rounds, (size + 15) >> 4);
      copyOut(memory, TEXT, size, out, at);
    }
    memory.fill(0, TEXT, TEXT + CHUNK_BYTES);
    this.#backend.calls++;
  }

  wipe(): void {
    const { memory, slots, wideSlots } = this.#backend;
    if (this.slot !== 0) {
      memory.fill(0, this.slot, this.slot + SLOT_BYTES);
      slots.release(this.slot);
    }
    if (this.wide !== 0) {
      memory.fill(0, this.wide, this.wide + WIDE_BYTES);
      wideSlots.release(this.wide);
    }
    this.evict();
    this.wide = 0;
    this.#rawKey.fill(0);
    this.#backend.clearScratch();
  }

  #expand(): void {
    const { memory, exports, slots } = this.#backend;
    this.slot = slots.take(this);
    memory.fill(0, RAW_KEY, RAW_KEY + 32);
    memory.set(this.#rawKey, RAW_KEY);
    exports.expand(this.slot, this.#rawKey.length / 4);
  }

  #makePowers(upTo: number): void {
    if (this.#powers >= upTo) return;
    this.#backend.exports.powers(this.slot, this.#powers + 1, upTo + 1);
    this.#powers = upTo;
  }

  #widen(): void {
    this.wide = this.#backend.wideSlots.take(this.#wideTenant);
    this.#backend.exports.widen(this.slot, this.wide);
  }
}
