/** Where managed nonces come from: NIST SP 800-38D clause 8.2, never the same 96 bits twice from one source. */
import { checkBytes } from "./checks.js";
import { StateError } from "./errors.js";
import { store32 } from "./gcm/bytes.js";
import { MAX_RANDOM_NONCES } from "./gcm/limits.js";
import { fillRandom } from "./random.js";

/** Length of the fixed field of {@link CounterNonces}, in bytes. */
const FIXED_LENGTH = 4;
const WORD = 2 ** 32;
const MAX_COUNTER = 2n ** 64n - 1n;

/** A source of nonces. */
export interface NonceSource {
  /**
   * Writes the next nonce to all of `nonce`. It counts as used from then on, whatever becomes of the message.
   *
   * @throws StateError when there are no more; then `nonce` is unchanged
   */
  draw(nonce: Uint8Array): void;
}

/** Random nonces of 96 bits, clause 8.2.2, as many as clause 8.3 allows under one key. */
export class RandomNonces implements NonceSource {
  #drawn: number;

  /** @param drawn how many have been drawn before */
  constructor(drawn = 0) {
    this.#drawn = drawn;
  }

  draw(nonce: Uint8Array): void {
    if (this.#drawn >= MAX_RANDOM_NONCES) {
      throw new StateError(
        "2^32 messages were sealed with random nonces, all that one key may (SP 800-38D clause 8.3); use a new key",
      );
    }
    this.#drawn++;
    fillRandom(nonce);
  }
}

/** Fixed field ‖ 64-bit counter, big-endian: clause 8.2.1. */
export class CounterNonces implements NonceSource {
  readonly #fixed: Uint8Array;
  #high: number;
  #low: number;

  /**
   * @param start first counter, 0 to 2^64 - 1
   * @param fixed 4 bytes that no other source under the key has; default zeros
   * @throws TypeError, RangeError
   */
  constructor(start: bigint, fixed: Uint8Array = new Uint8Array(FIXED_LENGTH)) {
    if (typeof start !== "bigint") {
      throw new TypeError(
        `start must be a bigint, not ${typeof start}: the first counter that was never used under this key. ` +
          "Keep `next` with the key and give it here: a counter that begins again repeats nonces",
      );
    }
    if (start < 0n || start > MAX_COUNTER) {
      throw new RangeError(`start is ${start}; allowed are 0 to 2^64 - 1, and beyond it a new key is needed`);
    }
    checkBytes("fixed", fixed);
    if (fixed.length !== FIXED_LENGTH) {
      throw new RangeError(`fixed has ${fixed.length} bytes; ${FIXED_LENGTH} are needed`);
    }
    this.#fixed = Uint8Array.from(fixed);
    this.#high = Number(start >> 32n);
    this.#low = Number(start & 0xffffffffn);
  }

  /** The counter of the next nonce; 2^64 when there is none. */
  get next(): bigint {
    return (BigInt(this.#high) << 32n) + BigInt(this.#low);
  }

  draw(nonce: Uint8Array): void {
    if (this.#high === WORD) {
      throw new StateError("the 64-bit counter of this key's nonces is used up; use a new key");
    }
    nonce.set(this.#fixed);
    store32(nonce, FIXED_LENGTH, this.#high);
    store32(nonce, FIXED_LENGTH + 4, this.#low);
    this.#low++;
    if (this.#low === WORD) {
      this.#low = 0;
      this.#high++;
    }
  }
}
