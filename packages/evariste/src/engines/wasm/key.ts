import { oneByOne } from "../batch.js";
import { type BatchJob, type Direction, type EngineKey, type EngineStream, SMALL_INPUT } from "../engine.js";
import { IncrementalGcm } from "../incremental.js";
import type { Tenant } from "./arena.js";
import { type Backend, highBits } from "./backend.js";
import {
  AAD,
  AAD_BYTES,
  ANY_COUNTER,
  BLOCK,
  CHUNK_BYTES,
  DECRYPT,
  EJ0,
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
import { FIRST_BYTES, FIRST_TEXT } from "./scratch.js";

/** A message in pieces. Small inputs may overlap the output in any way: see {@link Engine.streamsCopyUpTo}. */
class WasmStream extends IncrementalGcm {
  override update(chunk: Uint8Array, out: Uint8Array): void {
    super.update(chunk.length > SMALL_INPUT ? chunk : new Uint8Array(chunk), out);
  }
}

/** From this many blocks on one message pays for the tables of the bulk GHASH by itself; below, the fourth does. */
const WIDE_BLOCKS = 96;
const WIDE_BLOCKS_OFTEN = 32;
const OFTEN = 4;

/** A key in the arenas of one backend. Evicted, it expands itself again from the raw key it keeps. */
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
  readonly #wideTenant: Tenant;
  /** Messages that hash up to this many blocks need no preparation. */
  #readyBlocks = 0;
  #powers = 0;
  #longMessages = 0;

  constructor(backend: Backend, rawKey: Uint8Array) {
    this.#backend = backend;
    this.kernel = backend.kernel;
    this.#rawKey = new Uint8Array(rawKey);
    this.rounds = rawKey.length / 4 + 6;
    this.#wideTenant = new WideTenant(this);
    this.#expand();
  }

  /** Gives the slot up. Its bytes are cleared, for nothing says when the next tenant would overwrite all of them. */
  evict(): void {
    this.#backend.scratch.clear(this.slot, SLOT_BYTES);
    this.slot = 0;
    this.#powers = 0;
    this.#readyBlocks = -1;
  }

  evictWide(): void {
    this.#backend.scratch.clear(this.wide, WIDE_BYTES);
    this.wide = 0;
    this.#readyBlocks = Math.min(this.#readyBlocks, this.#powers);
  }

  /** Makes the slots hold what a message that hashes `blocks` blocks needs. Call it before anything is in scratch. */
  #prepare(blocks: number): void {
    this.used = true;
    if (blocks > this.#readyBlocks) this.#extend(blocks);
  }

  seal(iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array, out: Uint8Array, tagLength: number): void {
    const length = plaintext.length;
    const aadLength = aad.length;
    if (length > FIRST_BYTES || aadLength > AAD_BYTES || iv.length !== 12) {
      this.#long(iv, aad, plaintext, length, out, tagLength, 0);
      return;
    }
    this.#prepare(1 + ((length + 15) >> 4) + (aadLength >> 4));
    const backend = this.#backend;
    const { scratch } = backend;
    scratch.put(IV, iv);
    scratch.put(AAD, aad);
    scratch.put(FIRST_TEXT, plaintext);
    backend.gcm(this, START | FINISH, 2, length, aadLength, tagLength, aadLength, length);
    backend.calls++;
    scratch.takeFirstText(length + tagLength, out);
  }

  open(iv: Uint8Array, aad: Uint8Array, sealed: Uint8Array, out: Uint8Array, tagLength: number): boolean {
    const length = sealed.length - tagLength;
    const aadLength = aad.length;
    if (length > FIRST_BYTES || aadLength > AAD_BYTES || iv.length !== 12) {
      const authentic = this.#long(iv, aad, sealed, length, out, tagLength, DECRYPT);
      if (!authentic) out.fill(0, 0, length);
      return authentic;
    }
    this.#prepare(1 + ((length + 15) >> 4) + (aadLength >> 4));
    const backend = this.#backend;
    const { scratch } = backend;
    scratch.put(IV, iv);
    scratch.put(AAD, aad);
    scratch.put(FIRST_TEXT, sealed);
    const authentic = backend.gcm(
      this,
      START | FINISH | DECRYPT,
      2,
      length,
      aadLength,
      tagLength,
      aadLength,
      length,
    );
    backend.calls++;
    if (authentic) scratch.takeFirstText(length, out);
    else out.fill(0, 0, length);
    scratch.clearFirstText(length);
    return authentic === 1;
  }

  /** In place of a loop of {@link seal} or {@link open}, which would need four views for each message. */
  batch(job: BatchJob): number {
    if (job.ivLength !== 12 || !isEachUpTo(FIRST_BYTES, job.offsets)) return oneByOne(this, job);
    if (job.aadOffsets !== undefined && !isEachUpTo(AAD_BYTES, job.aadOffsets)) return oneByOne(this, job);
    const { ivs, aad, data, offsets, aadOffsets, out, outOffsets, tagLength, verdicts } = job;
    const isDecryption = job.direction === "decrypt";
    const flags = START | FINISH | (isDecryption ? DECRYPT : 0);
    const backend = this.#backend;
    const { scratch } = backend;
    let failures = 0;
    for (let i = 0; i < job.count; i++) {
      const input = offsets[i + 1] - offsets[i];
      const length = isDecryption ? input - tagLength : input;
      const aadLength = aadOffsets === undefined ? 0 : aadOffsets[i + 1] - aadOffsets[i];
      this.#prepare(1 + ((length + 15) >> 4) + (aadLength >> 4));
      scratch.put(IV, ivs, 12 * i, 12);
      if (aadOffsets !== undefined) scratch.put(AAD, aad, aadOffsets[i], aadLength);
      scratch.put(FIRST_TEXT, data, offsets[i], input);
      const verdict = backend.gcm(this, flags, 2, length, aadLength, tagLength, aadLength, length);
      if (!isDecryption) {
        scratch.takeFirstText(length + tagLength, out, outOffsets[i]);
        continue;
      }
      if (verdict) scratch.takeFirstText(length, out, outOffsets[i]);
      else out.fill(0, outOffsets[i], outOffsets[i + 1]);
      scratch.clearFirstText(length);
      verdicts[i] = verdict;
      failures += 1 - verdict;
    }
    backend.calls += job.count;
    return failures;
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
    const { scratch } = this.#backend;
    this.#prepare(Math.ceil(Math.max(iv.length, aad.length, length) / 16) + 1);
    let flags = this.#begin(iv) | direction;
    let counter = flags & START ? 2 : 0;
    this.#absorb(aad);
    let verdict = 0;
    let at = 0;
    do {
      flags &= at > 0 ? ~START : ~0;
      const place = TEXT + 16 * (counter & 7);
      const size = Math.min(length - at, CHUNK_BYTES - 16 * (counter & 7));
      if (at + size === length) flags |= FINISH;
      const sealedTag = flags & FINISH ? tagLength : 0;
      scratch.put(place, text, at, direction === DECRYPT ? size + sealedTag : size);
      verdict = this.#backend.gcm(this, flags, counter, size, 0, tagLength, aad.length, length);
      if (direction !== DECRYPT) scratch.take(place, size + sealedTag, out, at);
      else if (verdict === 1 || !(flags & FINISH)) scratch.take(place, size, out, at);
      at += size;
      counter += flags & ANY_COUNTER ? 0 : size >> 4;
    } while (!(flags & FINISH));
    if (direction === DECRYPT) this.#backend.clearText(Math.min(length, CHUNK_BYTES));
    this.#backend.calls++;
    return verdict === 1;
  }

  /**
   * Clause 7.1 step 2. An IV of 96 bits is stored, and the first chunk finds E(J0) on its way; otherwise J0 is hashed, and
   * E(J0) and the first counter block are put in place.
   *
   * @returns the flags of the first chunk
   */
  #begin(iv: Uint8Array): number {
    const { scratch, exports } = this.#backend;
    if (iv.length === 12) {
      scratch.put(IV, iv);
      return START;
    }
    this.#absorb(iv);
    scratch.clear(TEXT, 8);
    scratch.setWord(TEXT + 8, highBits(iv.length));
    scratch.setWord(TEXT + 12, iv.length << 3);
    exports.absorb(this.slot, this.wide, TEXT, 16);
    scratch.moveBlock(Y, BLOCK);
    scratch.moveBlock(Y, ICB);
    scratch.clear(Y, 16);
    scratch.increment(ICB);
    exports.block(this.slot, this.rounds);
    scratch.moveBlock(BLOCK, EJ0);
    scratch.clear(BLOCK, 16);
    return ANY_COUNTER;
  }

  /** Adds data, padded with zeros to whole blocks, to the GHASH state in memory. */
  #absorb(data: Uint8Array): void {
    const { scratch, exports } = this.#backend;
    for (let at = 0; at < data.length; at += CHUNK_BYTES) {
      const size = Math.min(data.length - at, CHUNK_BYTES);
      scratch.put(TEXT, data, at, size);
      exports.absorb(this.slot, this.wide, TEXT, size);
    }
  }

  start(iv: Uint8Array, direction: Direction): EngineStream {
    return new WasmStream(this, iv, direction);
  }

  ghash(data: Uint8Array, y: Uint8Array): void {
    const { scratch } = this.#backend;
    this.#prepare(Math.ceil(data.length / 16));
    scratch.put(Y, y);
    this.#absorb(data);
    scratch.take(Y, 16, y, 0);
    scratch.clear(Y, 16);
    this.#backend.calls++;
  }

  gctr(icb: Uint8Array, input: Uint8Array, out: Uint8Array): void {
    const { scratch, exports } = this.#backend;
    this.#prepare(0);
    scratch.put(ICB, icb);
    for (let at = 0; at < input.length; at += CHUNK_BYTES) {
      const size = Math.min(input.length - at, CHUNK_BYTES);
      scratch.put(TEXT, input, at, size);
      exports.gctr(this.slot, this.rounds, (size + 15) >> 4);
      scratch.take(TEXT, size, out, at);
    }
    // Keystream comes in groups of eight blocks.
    scratch.clear(TEXT, Math.min((input.length + 127) & ~127, CHUNK_BYTES));
    this.#backend.calls++;
  }

  wipe(): void {
    const backend = this.#backend;
    if (this.slot !== 0) {
      backend.slots.release(this.slot);
      this.evict();
    }
    if (this.wide !== 0) {
      backend.wideSlots.release(this.wide);
      this.evictWide();
    }
    this.#rawKey.fill(0);
    backend.clearScratch();
  }

  #extend(blocks: number): void {
    if (this.slot === 0) this.#expand();
    const { exports, wideSlots } = this.#backend;
    const isLong = blocks >= WIDE_BLOCKS_OFTEN && (blocks >= WIDE_BLOCKS || ++this.#longMessages >= OFTEN);
    const powers = isLong ? POWERS : Math.min(blocks, POWERS);
    if (this.#powers < powers) {
      exports.powers(this.slot, this.#powers + 1, powers + 1);
      this.#powers = powers;
    }
    if (isLong && this.wide === 0) {
      this.wide = wideSlots.take(this.#wideTenant);
      exports.widen(this.slot, this.wide);
    }
    if (this.#powers < POWERS) this.#readyBlocks = this.#powers;
    else this.#readyBlocks = this.wide === 0 ? WIDE_BLOCKS_OFTEN - 1 : Number.MAX_SAFE_INTEGER;
  }

  #expand(): void {
    const { scratch, exports, slots } = this.#backend;
    this.slot = slots.take(this);
    scratch.clear(RAW_KEY, 32);
    scratch.put(RAW_KEY, this.#rawKey);
    exports.expand(this.slot, this.#rawKey.length / 4);
    this.#readyBlocks = 0;
  }
}

/** Whether no part that the offsets cut off is longer. */
function isEachUpTo(length: number, offsets: Uint32Array): boolean {
  for (let i = 1; i < offsets.length; i++) {
    if (offsets[i] - offsets[i - 1] > length) return false;
  }
  return true;
}

/** A key in the arena of wide slots; in use when its key is. */
class WideTenant implements Tenant {
  constructor(private readonly key: WasmKey) {}

  get used(): boolean {
    return this.key.used;
  }
  set used(used: boolean) {
    this.key.used = used;
  }

  evict(): void {
    this.key.evictWide();
  }
}
