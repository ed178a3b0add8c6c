/** Keeps the memory of one segment for the next. */
import { release } from "../../gcm/bytes.js";

let asked = false;

/**
 * Asks the allocator, once, to keep what is freed. glibc's goes by the largest block of up to 32 MiB that was mapped and freed: from
 * then on it keeps twice as much at the ends of its heaps. Before, it gives memory back to the system with every segment, and a
 * fresh page costs more than encrypting what goes into it. The block is not written to, so it never becomes memory.
 *
 * @param bytes of the block; 0 where allocators keep memory anyway
 */
export function keepFreedMemory(bytes: number): void {
  if (asked || bytes === 0) return;
  asked = true;
  release(new Uint8Array(bytes));
}
