/**
 * Compares a computed tag with a received one in time that depends on the length alone (clause 7.2 step 8).
 *
 * @param received holds the received tag's `length` bytes at `offset`
 * @param length bytes to compare, from the start of `computed`
 */
export function equalTags(computed: Uint8Array, received: Uint8Array, length: number, offset = 0): boolean {
  let difference = 0;
  for (let i = 0; i < length; i++) difference |= computed[i] ^ received[offset + i];
  return difference === 0;
}
