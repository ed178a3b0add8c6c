/** Byte ranges in the notation of HTTP (RFC 9110, clause 14.1.1). */
import { CliError } from "./errors.js";

/** A range as written, before the length of the message is known. */
export type ByteRange = { readonly first: number; readonly last?: number } | { readonly suffix: number };

/** How ranges are written, for `--help`. */
export const RANGE_HELP =
  "A-B (from byte A up to and with byte B, counted from 0), A- (from byte A on), -N (the last N bytes)";

/**
 * Reads `A-B`, `A-` or `-N`.
 *
 * @throws CliError of kind `usage`
 */
export function parseRange(text: string): ByteRange {
  const match = /^(\d*)-(\d*)$/.exec(text);
  const [first, last] = [match?.[1] ?? "", match?.[2] ?? ""].map((digits) =>
    digits === "" ? undefined : Number(digits),
  );
  const sensible = [first, last].every((number) => number === undefined || Number.isSafeInteger(number));
  if (match === null || !sensible || (first === undefined && last === undefined)) {
    throw new CliError("usage", `--range ${JSON.stringify(text)} is not a range: ${RANGE_HELP}`);
  }
  if (first === undefined) return { suffix: last! };
  if (last === undefined) return { first };
  if (last < first) throw new CliError("usage", `--range ${text} ends before it starts`);
  return { first, last };
}

/**
 * The range in a message of `size` bytes, as `[start, end)`. As in HTTP, a range that begins inside the message and
 * goes past its end stops there, and one that begins at the end or behind it is refused.
 *
 * @throws CliError of kind `usage`
 */
export function resolveRange(range: ByteRange, size: number, name: string): { start: number; end: number } {
  if ("suffix" in range) return { start: Math.max(0, size - range.suffix), end: size };
  if (range.first >= size) {
    throw new CliError(
      "usage",
      `the range begins at byte ${range.first}, but there are only ${size} bytes`,
      name,
    );
  }
  return { start: range.first, end: Math.min(size, (range.last ?? size - 1) + 1) };
}
