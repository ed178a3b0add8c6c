/** Random bytes from the platform, drawn ahead: one call costs microseconds, whatever it fetches. */

/** Bytes fetched at a time: 256 nonces of 12 bytes. */
const POOL_LENGTH = 3072;

/**
 * Milliseconds after which what is left is thrown away. Machines that are resumed from one snapshot would otherwise all
 * draw the rest of the same pool.
 */
const MAX_AGE = 1000;

const pool = new Uint8Array(POOL_LENGTH);
let used = POOL_LENGTH;
let fetchedAt = 0;

/**
 * Fills `out` with bytes of the platform's random generator. Bytes that were handed out are cleared in the pool, so each
 * leaves it once.
 *
 * @param out at most 3,072 bytes
 * @throws RangeError for more; Error where the platform has no crypto.getRandomValues
 */
export function fillRandom(out: Uint8Array): void {
  if (out.length > POOL_LENGTH) throw new RangeError(`at most ${POOL_LENGTH} random bytes at a time`);
  if (used + out.length > POOL_LENGTH || Math.abs(Date.now() - fetchedAt) > MAX_AGE) refill();
  const end = used + out.length;
  out.set(pool.subarray(used, end));
  pool.fill(0, used, end);
  used = end;
}

function refill(): void {
  const crypto: Crypto | undefined = globalThis.crypto;
  if (typeof crypto?.getRandomValues !== "function") {
    throw new Error("this runtime has no crypto.getRandomValues, so no safe source of randomness");
  }
  // Until it succeeds there is nothing to give.
  used = POOL_LENGTH;
  crypto.getRandomValues(pool);
  used = 0;
  fetchedAt = Date.now();
}
