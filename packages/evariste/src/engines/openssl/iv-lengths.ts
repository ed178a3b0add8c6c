/** IV lengths in bytes that node:crypto takes, by runtime; measured, see `conformance/`. */
import { runtime } from "#platform";

/** Node: OpenSSL's limit is 1,024 bits. Deno knows two lengths. Bun is BoringSSL, which has no limit. */
const RANGES: Readonly<Record<typeof runtime, readonly (readonly [number, number])[]>> = {
  node: [[1, 128]],
  deno: [
    [12, 12],
    [16, 16],
  ],
  bun: [[1, 2 ** 31 - 1]],
  web: [],
};

/** True where node:crypto takes an IV of this length as it is. */
export function acceptsIv(length: number): boolean {
  return RANGES[runtime].some(([least, most]) => length >= least && length <= most);
}
