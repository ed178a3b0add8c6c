/** Where two views share memory, and what is done about it. */
import { SHORT_TEXT, SMALL_INPUT } from "./engines/engine.js";

/** What an object calls itself: `Object.prototype.toString` without the brackets. */
export function classOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isShared(buffer: ArrayBufferLike): boolean {
  // The second test is for memory of another realm, as in `checks.ts`.
  return !(buffer instanceof ArrayBuffer) && classOf(buffer) === "SharedArrayBuffer";
}

/**
 * Refuses input that another thread can change while it is worked on, such as ciphertext after its tag was checked.
 * Views of at most 64 bytes are let through: who reads them more than once copies them, see {@link separate}.
 *
 * @throws TypeError for a view on a SharedArrayBuffer of more than 64 bytes
 */
export function refuseShared(name: string, view: Uint8Array): void {
  if (view.length > SMALL_INPUT) refuseSharedOfAnySize(name, view);
}

/**
 * As {@link refuseShared} for outputs, where another thread could see plaintext before its tag is checked, or change
 * ciphertext before it is hashed, and for lengths that are read again after their check.
 */
export function refuseSharedOfAnySize(name: string, view: ArrayBufferView): void {
  if (isShared(view.buffer)) throw sharedMemory(name);
}

function sharedMemory(name: string): TypeError {
  return new TypeError(`${name} is a view on a SharedArrayBuffer; copy it first (slice())`);
}

/**
 * Makes `input` safe to read while the first `written` bytes of `out` are written: the same start is in place and stays,
 * any other overlap and shared views of up to 1,040 bytes become a copy.
 *
 * @param name of the input, for errors
 * @returns `input` itself or a copy, which the caller clears when it holds plaintext
 * @throws TypeError when `out`, or an `input` of more than 1,040 bytes, is a view on a SharedArrayBuffer
 */
export function separate(name: string, input: Uint8Array, out: Uint8Array, written: number): Uint8Array {
  // Once each: V8 needs longer for a `.buffer` than the cipher for a block.
  const from = input.buffer;
  const to = out.buffer;
  if (isShared(to)) throw sharedMemory("out");
  if (isShared(from)) {
    if (input.length > SHORT_TEXT) throw sharedMemory(name);
    return new Uint8Array(input);
  }
  if (from !== to || areApart(input, out, written)) return input;
  return new Uint8Array(input);
}

function areApart(input: Uint8Array, out: Uint8Array, written: number): boolean {
  return (
    input.byteOffset === out.byteOffset ||
    input.byteOffset + input.length <= out.byteOffset ||
    out.byteOffset + written <= input.byteOffset
  );
}

/**
 * `view` as memory that no other thread can change: itself, or where it is small and shared a copy, which the caller clears
 * when it holds plaintext.
 *
 * @throws TypeError for a view on a SharedArrayBuffer of more than 1,040 bytes
 */
export function unshared(name: string, view: Uint8Array): Uint8Array {
  if (!isShared(view.buffer)) return view;
  if (view.length > SHORT_TEXT) throw sharedMemory(name);
  return new Uint8Array(view);
}
