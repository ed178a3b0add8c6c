/** Up to here a loop over bytes beats `set`, which costs a call into the runtime. */
const LOOP_BYTES = 64;

/** Copies all of `source` to `memory` at `at`. */
export function copyIn(memory: Uint8Array, at: number, source: Uint8Array): void {
  const length = source.length;
  if (length > LOOP_BYTES) memory.set(source, at);
  else for (let i = 0; i < length; i++) memory[at + i] = source[i];
}

/** Copies `source[from … from + length)` to `memory` at `at`. */
export function copyPart(
  memory: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  length: number,
): void {
  if (length > LOOP_BYTES) memory.set(source.subarray(from, from + length), at);
  else for (let i = 0; i < length; i++) memory[at + i] = source[from + i];
}

/** Copies `memory[at … at + length)` to `out` from `to` on. */
export function copyOut(memory: Uint8Array, at: number, length: number, out: Uint8Array, to: number): void {
  if (length > LOOP_BYTES + 16) out.set(memory.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) out[to + i] = memory[at + i];
}

/** Zeroes `memory[at … at + length)`. */
export function clear(memory: Uint8Array, at: number, length: number): void {
  if (length > LOOP_BYTES) memory.fill(0, at, at + length);
  else for (let i = 0; i < length; i++) memory[at + i] = 0;
}
