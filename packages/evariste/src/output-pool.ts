/**
 * Output buffers of the allocating calls. A fresh buffer costs more than the encryption of what goes into it, so
 * small outputs are cut from a slab. A slab belongs to one key and one direction: whoever looks at `.buffer` of an
 * output sees at most other outputs of the same key and kind (docs/decisions.md).
 */
import { allocateSlab, allocateUnsafe } from "#platform";
import type { EngineKey } from "./engines/engine.js";

/** Up to here V8 keeps a new Uint8Array on its own heap, which is cheaper than any slab; in bytes. */
const ON_HEAP = 64;

/** Slabs double from the first size to the last, so that a key used once does not hold much. */
const FIRST_SLAB = 4 * 1024;
const LAST_SLAB = 256 * 1024;

/** The largest output that is cut from a slab, in bytes. */
const LARGEST_CUT = LAST_SLAB / 4;

/** From here on it pays to announce fresh memory: two of the system's large pages, in bytes. */
const LARGE_PAGES = 4 * 1024 * 1024;

/** Says that `out`, which nobody has written to yet, is about to be written by `key`; see `EngineKey.willFill`. */
export function announce(key: EngineKey, out: Uint8Array): void {
  if (out.length >= LARGE_PAGES) key.willFill?.(out);
}

/** Outputs of one key and one direction. */
export class OutputPool {
  #slab: ArrayBuffer | undefined;
  #size = FIRST_SLAB / 2;
  #used = 0;

  /** A view of `length` bytes whose contents are undefined: the caller overwrites or drops it. */
  take(length: number): Uint8Array<ArrayBuffer> {
    if (length <= ON_HEAP) return new Uint8Array(length);
    if (length > LARGEST_CUT) return allocateUnsafe(length);
    // A slab that somebody transferred away has no bytes left.
    if (this.#slab === undefined || this.#used + length > this.#slab.byteLength) this.#renew(length);
    const view = new Uint8Array(this.#slab!, this.#used, length);
    // 64: a cache line, which the widest kernels also like their outputs aligned to.
    this.#used += (length + 63) & ~63;
    return view;
  }

  #renew(length: number): void {
    do this.#size = Math.min(this.#size * 2, LAST_SLAB);
    while (this.#size < length * 4 && this.#size < LAST_SLAB);
    this.#slab = allocateSlab(this.#size);
    this.#used = 0;
  }
}
