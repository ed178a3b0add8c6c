/** Where two views share memory, and what is done about it. */
import { SMALL_INPUT } from "./engines/engine.js";

function isShared({ buffer }: ArrayBufferView): boolean {
  // The second test is for memory of another realm, as in `checks.ts`.
  return (
    !(buffer instanceof ArrayBuffer) &&
    Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]"
  );
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
  if (isShared(view)) {
    throw new TypeError(`${name} is a view on a SharedArrayBuffer; copy it first (slice())`);
  }
}

/**
 * Makes `input` safe to read while the first `written` bytes of `out` are written: the same start is in place and stays,
 * any other overlap and small shared views become a copy.
 *
 * @returns `input` itself or a copy, which the caller clears when it holds plaintext
 */
export function separate(input: Uint8Array, out: Uint8Array, written: number): Uint8Array {
  if (input.buffer !== out.buffer) return isShared(input) ? new Uint8Array(input) : input;
  const apart =
    input.byteOffset === out.byteOffset ||
    input.byteOffset + input.length <= out.byteOffset ||
    out.byteOffset + written <= input.byteOffset;
  return apart && !isShared(input) ? input : new Uint8Array(input);
}

/**
 * `view` as memory that no other thread can change: itself, or where it is small and shared a copy, which the caller clears
 * when it holds plaintext.
 *
 * @throws TypeError for a view on a SharedArrayBuffer of more than 64 bytes
 */
export function unshared(name: string, view: Uint8Array): Uint8Array {
  refuseShared(name, view);
  return view.length <= SMALL_INPUT && isShared(view) ? new Uint8Array(view) : view;
}
