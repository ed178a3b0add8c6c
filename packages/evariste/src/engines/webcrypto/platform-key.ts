/** A CryptoKey as a key for segments: one-shot WebCrypto calls that begin at chosen counter blocks. */
import { StateError } from "../../errors.js";
import { addBlocks } from "../../gcm/counter.js";
import type { HashSubkey } from "../../gcm/hash-subkey.js";
import { BLOCK } from "../../gcm/limits.js";
import type { Direction } from "../engine.js";
import { type Probe, recover } from "./recover.js";
import type { SegmentKey, SegmentResult } from "./segment-key.js";

const EMPTY = new Uint8Array(0);

/** Steps of inc32 that lead back by one. */
const ONE_BACK = 2 ** 32 - 1;

/**
 * Segments by WebCrypto. For a 16-byte IV, J0 = ((IV·H) ⊕ [128])·H, which can be solved for the IV: so the platform starts
 * at any counter block. The tag of such a call tells GHASH of its ciphertext, and is cleared.
 */
export class PlatformKey implements SegmentKey {
  readonly engine = "webcrypto";
  readonly #subtle: SubtleCrypto;
  readonly #key: CryptoKey;
  #probe: Promise<Probe> | undefined;
  #known: Probe | undefined;
  #destroyed = false;

  /** @param key AES-GCM with usage `encrypt`, which is all that segments need in both directions */
  constructor(subtle: SubtleCrypto, key: CryptoKey) {
    this.#subtle = subtle;
    this.#key = key;
  }

  async subkey(): Promise<HashSubkey> {
    return (await this.#probed()).subkey;
  }

  async cipherBlock(block: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const wanted = block.slice();
    const { subkey } = await this.#probed();
    // GHASH of nothing is zero, so the tag of the empty message is its mask.
    return this.#encrypt(subkey.ivForJ0(wanted), EMPTY, EMPTY);
  }

  /** {@link subkey} must have been awaited before: only then the input is read at once. */
  async segment(direction: Direction, icb: Uint8Array, input: Uint8Array): Promise<SegmentResult> {
    const { subkey } = this.#known ?? (await this.#probed());
    const j0 = new Uint8Array(icb);
    addBlocks(j0, ONE_BACK);
    const bytes = input as Uint8Array<ArrayBuffer>;
    const { length } = bytes;
    // CTR is its own inverse. The tag of a decryption's call hashes plaintext and is of no use.
    const transformed = this.#encrypt(subkey.ivForJ0(j0), EMPTY, bytes);
    const hashed = direction === "decrypt" ? this.hash(bytes) : undefined;
    const [sealed, ghash] = await Promise.all([transformed, hashed]);
    const tag = sealed.slice(length);
    sealed.fill(0, length);
    return {
      output: sealed.subarray(0, length),
      hash: (before) => ghash ?? subkey.hashOfTag(tag, before, 0, length),
    };
  }

  /** By GMAC under the probe's IV, whose mask is known. {@link subkey} must have been awaited before. */
  async hash(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const { subkey, iv, mask } = this.#known ?? (await this.#probed());
    const { length } = data;
    if (length === 0) return new Uint8Array(BLOCK);
    const tag = await this.#encrypt(iv, data as Uint8Array<ArrayBuffer>, EMPTY);
    return subkey.hashOfTag(tag, mask, length, 0);
  }

  destroy(): void {
    this.#destroyed = true;
    this.#forget(this.#known);
  }

  #probed(): Promise<Probe> {
    this.#probe ??= recover((iv, aad) => this.#encrypt(iv, aad, EMPTY)).then((probe) => {
      if (this.#destroyed) this.#forget(probe);
      this.#known = probe;
      return probe;
    });
    return this.#probe;
  }

  #forget(probe: Probe | undefined): void {
    probe?.subkey.wipe();
    probe?.mask.fill(0);
  }

  /** Ciphertext and full tag. The platform copies the inputs before it returns. */
  async #encrypt(
    iv: Uint8Array<ArrayBuffer>,
    aad: Uint8Array<ArrayBuffer>,
    text: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#destroyed) throw new StateError("the key was destroyed");
    const algorithm = { name: "AES-GCM", iv, additionalData: aad, tagLength: 128 };
    return new Uint8Array(await this.#subtle.encrypt(algorithm, this.#key, text));
  }
}
