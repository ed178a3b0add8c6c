/** What the cases assert with, in place of a test framework. */

/** A case found something wrong. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
}

/** @throws Mismatch unless `condition` holds */
export function check(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Mismatch(what);
}

/** @throws Mismatch unless both are the same value */
export function equal<T>(actual: T, expected: T, what: string): void {
  check(Object.is(actual, expected), `${what}: ${String(actual)} instead of ${String(expected)}`);
}

/** @throws Mismatch unless both hold the same bytes; says where they first differ */
export function equalBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  equal(actual.length, expected.length, `${what}: length`);
  for (let i = 0; i < actual.length; i++) {
    if (actual[i] !== expected[i]) {
      throw new Mismatch(`${what}: byte ${i} of ${actual.length} is ${actual[i]} instead of ${expected[i]}`);
    }
  }
}

/** @throws Mismatch unless every byte is `value` */
export function allBytes(actual: Uint8Array, value: number, what: string): void {
  const at = actual.findIndex((byte) => byte !== value);
  check(at < 0, `${what}: byte ${at} of ${actual.length} is ${actual[at]} instead of ${value}`);
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Runs `action`, which must throw an error of exactly this class. @returns the error */
export function throws(kind: ErrorClass, action: () => unknown, what: string): Error {
  try {
    action();
  } catch (error) {
    check(
      error instanceof Error && error.constructor === kind,
      `${what}: ${String(error)}, not ${kind.name}`,
    );
    return error;
  }
  throw new Mismatch(`${what}: no error, not even ${kind.name}`);
}

/** The bytes that hexadecimal digits stand for. */
export function fromHex(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}

/** Lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Joins byte strings. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
