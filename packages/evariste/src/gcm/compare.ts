/**
 * Compares the first `length` bytes of two tags in time that depends on `length` alone (clause 7.2 step 8).
 *
 * @param length bytes to compare; neither array may be shorter
 */
export function equalTags(a: Uint8Array, b: Uint8Array, length: number): boolean {
  let difference = 0;
  for (let i = 0; i < length; i++) difference |= a[i] ^ b[i];
  return difference === 0;
}
