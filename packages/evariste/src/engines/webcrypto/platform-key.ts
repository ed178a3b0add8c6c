/** A CryptoKey as a key for segments: one-shot WebCrypto calls that begin at chosen counter blocks. */

import { StateError } from "../../errors.js";
import { copyOf, EMPTY } from "../../gcm/bytes.js";
import { addBlocks } from "../../gcm/counter.js";
import type { HashSubkey } from "../../gcm/hash-subkey.js";
import { BLOCK } from "../../gcm/limits.js";
import type { HashKey } from "../engine.js";
import { type Probe, recover } from "./recover.js";
import type { SealedSegment, SegmentKey } from "./segment-key.js";

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
  readonly #hashKeyOf: (subkey: HashSubkey) => HashKey | undefined;
  #hashKey: HashKey | undefined;
  #destroyed = false;

  /**
   * @param key AES-GCM with usage `encrypt`, which is all that segments need in both directions
   * @param hashKeyOf what hashes faster than the platform, if anything does; default: nothing
   */
  constructor(
    subtle: SubtleCrypto,
    key: CryptoKey,
    hashKeyOf: (subkey: HashSubkey) => HashKey | undefined = () => undefined,
  ) {
    this.#subtle = subtle;
    this.#key = key;
    this.#hashKeyOf = hashKeyOf;
  }

  async subkey(): Promise<HashSubkey> {
    return (await this.#probed()).subkey;
  }

  async cipherBlock(block: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const wanted = copyOf(block);
    const { subkey } = await this.#probed();
    // GHASH of nothing is zero, so the tag of the empty message is its mask.
    return this.#encrypt(subkey.ivForJ0(wanted), EMPTY, EMPTY);
  }

  async encrypt(icb: Uint8Array, plaintext: Uint8Array): Promise<SealedSegment> {
    const subkey = this.#known?.subkey ?? (await this.subkey());
    const { length } = plaintext;
    const { output, tag } = await this.#from(subkey, icb, plaintext);
    return { output, hash: (before) => subkey.hashOfTag(tag, before, 0, length) };
  }

  /** The tag of this call hashes what may be plaintext, and is of no use. */
  async gctr(icb: Uint8Array, input: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const subkey = this.#known?.subkey ?? (await this.subkey());
    const { output, tag } = await this.#from(subkey, icb, input);
    tag.fill(0);
    return output;
  }

  /** By {@link HashKey}, or by GMAC under the probe's IV, whose mask is known. */
  async hash(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const { subkey, iv, mask } = this.#known ?? (await this.#probed());
    const { length } = data;
    const y = new Uint8Array(BLOCK);
    if (length === 0) return y;
    if (this.#hashKey !== undefined) {
      this.#hashKey.ghash(data, y);
      return y;
    }
    const tag = await this.#encrypt(iv, data as Uint8Array<ArrayBuffer>, EMPTY);
    const ghash = subkey.hashOfTag(tag, mask, length, 0);
    tag.fill(0);
    return ghash;
  }

  destroy(): void {
    this.#destroyed = true;
    this.#forget(this.#known);
    this.#hashKey?.wipe();
    this.#hashKey = undefined;
  }

  #probed(): Promise<Probe> {
    this.#probe ??= recover((iv, aad) => this.#encrypt(iv, aad, EMPTY)).then((probe) => {
      if (this.#destroyed) this.#forget(probe);
      else this.#hashKey = this.#hashKeyOf(probe.subkey);
      this.#known = probe;
      return probe;
    });
    return this.#probe;
  }

  #forget(probe: Probe | undefined): void {
    probe?.subkey.wipe();
    probe?.mask.fill(0);
  }

  /** One call that begins at the counter block `icb`; its tag is taken out of the output's memory. */
  async #from(
    subkey: HashSubkey,
    icb: Uint8Array,
    input: Uint8Array,
  ): Promise<{ output: Uint8Array<ArrayBuffer>; tag: Uint8Array<ArrayBuffer> }> {
    const j0 = new Uint8Array(icb);
    addBlocks(j0, ONE_BACK);
    const { length } = input;
    const sealed = await this.#encrypt(subkey.ivForJ0(j0), EMPTY, input as Uint8Array<ArrayBuffer>);
    const tag = copyOf(sealed, length);
    sealed.fill(0, length);
    return { output: sealed.subarray(0, length), tag };
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
