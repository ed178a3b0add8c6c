/**
 * Checks of what callers give, with errors that name the argument, what it was and what is allowed. A TypeError is a
 * wrong kind of value, a RangeError a wrong size.
 */

import { EMPTY } from "./gcm/bytes.js";
import { MAX_AAD, MAX_IV, MAX_PLAINTEXT, SHORT_TAG_LENGTHS, TAG_LENGTHS } from "./gcm/limits.js";
import { classOf, refuseShared } from "./views.js";

export { EMPTY } from "./gcm/bytes.js";

/** Says what kind a value is without showing what it holds. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? classOf(value) : typeof value;
}

/** Names the kind of a typed array of any realm, and undefined for all else; unlike the property, nobody can override it. */
const kindOfTypedArray = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)?.get as () => string | undefined;

function isUint8Array(value: unknown): value is Uint8Array {
  // The second test is for arrays of another realm (iframes, vm contexts, test runners).
  return value instanceof Uint8Array || kindOfTypedArray.call(value) === "Uint8Array";
}

// The checks of every message are split: what passes is short enough for V8 to inline whole, what fails is elsewhere.

/**
 * @throws TypeError unless `value` is a Uint8Array (so also a Buffer) whose memory is still there
 */
export function checkBytes(name: string, value: unknown): asserts value is Uint8Array {
  if (!(value instanceof Uint8Array && value.length > 0)) checkRareBytes(name, value);
}

function checkRareBytes(name: string, value: unknown): void {
  if (!isUint8Array(value)) throw new TypeError(`${name} must be a Uint8Array, not ${kindOf(value)}`);
  if (value.length === 0 && value !== EMPTY && isOutOfBounds(value)) {
    throw new TypeError(
      `${name} is detached: its memory was transferred elsewhere, or shrunk away from under it`,
    );
  }
}

/** Its methods refuse a view that is detached or, over a resizable buffer, out of bounds (ECMA-262, ValidateTypedArray). */
function isOutOfBounds(view: Uint8Array): boolean {
  try {
    Uint8Array.prototype.keys.call(view);
    return false;
  } catch {
    return true;
  }
}

/** @throws TypeError or RangeError unless `key` holds 16, 24 or 32 bytes (AES-128, 192, 256) */
export function checkKey(key: unknown, lengths: readonly number[] = [16, 24, 32]): asserts key is Uint8Array {
  checkBytes("key", key);
  if (!lengths.includes(key.length)) {
    throw wrongSize("key", key.length, list(lengths));
  }
}

/** @throws TypeError or RangeError unless `iv` holds 1 to 2^32 bytes */
export function checkIv(iv: unknown): asserts iv is Uint8Array {
  checkBytes("iv", iv);
  if (iv.length === 0 || iv.length > MAX_IV) throw wrongSize("iv", iv.length, "1 to 2^32, and 12 is best");
  refuseShared("iv", iv);
}

/** @throws RangeError unless the standard allows tags of this length; 4 and 8 bytes only where asked for by name */
export function checkTagLength(length: unknown, allowShort: boolean): asserts length is number {
  const allowed = allowShort ? [...SHORT_TAG_LENGTHS, ...TAG_LENGTHS] : TAG_LENGTHS;
  if (typeof length !== "number") throw new TypeError(`tagLength must be a number, not ${kindOf(length)}`);
  if (allowed.includes(length)) return;
  const hint = SHORT_TAG_LENGTHS.includes(length) ? " (4 and 8 need allowShortTags: true)" : "";
  throw new RangeError(`tagLength is ${length}; allowed are ${list(allowed)}${hint}`);
}

/** @throws RangeError when `out` is shorter than what will be written */
export function checkOut(out: unknown, needed: number): asserts out is Uint8Array {
  checkBytes("out", out);
  if (out.length < needed) throw tooShort(out.length, needed);
}

function tooShort(length: number, needed: number): RangeError {
  return new RangeError(`out has ${bytes(length)}; ${needed} are needed`);
}

/** @throws RangeError when a message's text so far passes 2^36 − 32 bytes (clause 5.2.1.1) */
export function checkTextLength(length: number): void {
  if (length > MAX_PLAINTEXT) {
    throw wrongSize("the text of one message", length, "2^36 - 32 (NIST SP 800-38D)");
  }
}

/** @throws RangeError when a message's AAD so far cannot be counted any more */
export function checkAadLength(length: number): void {
  if (length > MAX_AAD) throw wrongSize("the AAD of one message", length, "2^53 - 1");
}

function wrongSize(what: string, length: number, allowed: string): RangeError {
  return new RangeError(`${what} has ${bytes(length)}; allowed are ${allowed}`);
}

function bytes(count: number): string {
  return count === 1 ? "1 byte" : `${count} bytes`;
}

function list(numbers: readonly number[]): string {
  return numbers.join(", ").replace(/, (\d+)$/, " and $1");
}
