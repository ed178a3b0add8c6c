/** Random bytes from the platform, drawn ahead: one call costs microseconds, whatever it fetches. */

/** Bytes fetched at a time: 256 nonces of 12 bytes. */
const POOL_LENGTH = 3072;

const pool = new Uint8Array(POOL_LENGTH);
let used = POOL_LENGTH;

/**
 * Fills `out` with bytes of the platform's random generator. Bytes that were handed out are cleared in the pool, so each
 * leaves it once.
 *
 * @param out at most 3,072 bytes
 * @throws Error where the platform has no crypto.getRandomValues
 */
export function fillRandom(out: Uint8Array): void {
  if (used + out.length > POOL_LENGTH) {
    // The rest goes unused: fetching over it keeps every draw one contiguous copy.
    used = POOL_LENGTH;
    refill();
    used = 0;
  }
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
  crypto.getRandomValues(pool);
}
