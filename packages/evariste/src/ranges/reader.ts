/** Random access to one ordinary AES-GCM message that is too large, or too far away, to be opened whole. */

import { checkAadLength, checkBytes, checkIv, EMPTY } from "../checks.js";
import { DISPOSE } from "../dispose.js";
import { Pacer } from "../engines/webcrypto/pacing.js";
import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { preCounterBlock } from "../engines/webcrypto/text.js";
import { StateError } from "../errors.js";
import { copyOf } from "../gcm/bytes.js";
import { BLOCK } from "../gcm/limits.js";
import { checkRange, type ReadableAgain } from "../source.js";
import type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
import { openSegments } from "../webcrypto/open-key.js";
import { type SegmentOptions, type Settings, settingsOf } from "../webcrypto/settings.js";
import { openIndex, sealIndex } from "./index-format.js";
import { openSealed, type SealedSource } from "./sealed-source.js";
import { counterAt, openSegment, type SegmentHashes, verifyWhole } from "./segment-hashes.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a message is besides its key, IV and source. */
export interface SourceOptions extends SegmentOptions {
  /** Additional authenticated data; copied. Default: none. Not needed where nothing, or an index, is verified. */
  readonly aad?: Uint8Array | undefined;
  /** The tag, when the source holds ciphertext only. Default: the source ends with it. */
  readonly tag?: Uint8Array | undefined;
  /** Stops the verification of the whole message. */
  readonly signal?: AbortSignal | undefined;
  /** Called during the verification of the whole message, with bytes done and in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** How what is read is verified; there is no default. */
export type Verification =
  /** The whole message once, before anything is read; each part again when it is read. */
  | { readonly verify: "whole" }
  /** Each part that is read, by an index from {@link buildIndex}; nothing else is read. */
  | { readonly verify: "index"; readonly index: Uint8Array }
  /** Not at all: whoever can change the source can flip any bit of the plaintext. */
  | { readonly verify: "none" };

/** How a {@link RangeReader} is opened. */
export type RangeOptions = SourceOptions & Verification;

/** How many bytes an index's segments have by default: what a verified read fetches and hashes at least. */
const INDEX_SEGMENT = 1024 * 1024;

/**
 * Reads any range of a message. With `verify: "whole"` or `"index"` every byte it gives is authentic: a segment is released
 * only when its GHASH is the one that was verified, so a source that changes afterwards is noticed.
 *
 * @example
 * const reader = await RangeReader.open(file, key, iv, { verify: "whole" });
 * const tail = await reader.read(Math.max(0, reader.size - 1024), reader.size);
 */
export class RangeReader {
  /** Length of the plaintext in bytes; authenticated unless `verify` is `"none"`. */
  readonly size: number;
  readonly #key: SegmentKey;
  readonly #iv: Bytes;
  readonly #j0: Bytes;
  readonly #source: SealedSource;
  readonly #settings: Settings;
  readonly #known: SegmentHashes | undefined;
  #destroyed = false;

  private constructor(
    key: SegmentKey,
    iv: Bytes,
    j0: Bytes,
    source: SealedSource,
    settings: Settings,
    known: SegmentHashes | undefined,
  ) {
    this.#key = key;
    this.#iv = iv;
    this.#j0 = j0;
    this.#source = source;
    this.#settings = settings;
    this.#known = known;
    this.size = source.size;
  }

  /**
   * @param source a Blob, a file handle of Node or of the File System API, or anything with `size` and `read`
   * @param key 16, 24 or 32 bytes, copied; or a CryptoKey with both usages
   * @param iv the message's IV; copied
   * @throws AuthenticationError for a message or index that is not authentic; TypeError, RangeError; what the source throws
   */
  static async open(
    source: ReadableAgain,
    key: Uint8Array | CryptoKeyLike,
    iv: Uint8Array,
    options: RangeOptions,
  ): Promise<RangeReader> {
    checkIv(iv);
    const ownIv = new Uint8Array(iv);
    const aad = ownAad(options.aad);
    const settings = settingsOf(options, "stream");
    const index = ownIndex(options);
    const segments = await openSegments(key, "decrypt", settings);
    try {
      const sealed = await openSealed(source, options.tag, settings.tagLength);
      const j0 = await preCounterBlock(segments, ownIv);
      const known =
        options.verify === "whole"
          ? await verifyWhole(segments, ownIv, aad, sealed, settings, options)
          : index && (await openIndex(settings.subtle, segments, ownIv, sealed, index));
      return new RangeReader(segments, ownIv, j0, sealed, settings, known);
    } catch (error) {
      segments.destroy();
      throw error;
    }
  }

  /**
   * The plaintext from `start` up to, not including, `end`. Several ranges may be read at once.
   *
   * @throws RangeError unless 0 <= start <= end <= size
   * @throws AuthenticationError when the source is not what was verified; StateError after `destroy`
   */
  async read(start: number, end: number): Promise<Bytes> {
    this.#mustLive();
    checkRange(start, end, this.size);
    const out = new Uint8Array(end - start);
    const pacer = new Pacer(this.#settings.yieldAfter);
    try {
      for (let at = start; at < end; ) {
        const piece = await this.#piece(at, end);
        out.set(piece, at - start);
        at += piece.length;
        piece.fill(0);
        await pacer.pause();
      }
    } catch (error) {
      out.fill(0);
      throw error;
    }
    return out;
  }

  /**
   * The plaintext from `start` up to, not including, `end`, in pieces of at most a segment. No more than `inFlight`
   * segments are read ahead of the consumer. Cancelling clears what was read ahead.
   *
   * @throws RangeError, StateError at once; what {@link read} throws comes through the stream
   */
  stream(start = 0, end: number = this.size): ReadableStream<Bytes> {
    this.#mustLive();
    checkRange(start, end, this.size);
    const { inFlight, yieldAfter } = this.#settings;
    const ahead: Promise<Bytes>[] = [];
    const pacer = new Pacer(yieldAfter);
    let at = start;
    const drop = async () => {
      at = end;
      for (const outcome of await Promise.allSettled(ahead.splice(0))) {
        if (outcome.status === "fulfilled") outcome.value.fill(0);
      }
    };
    return new ReadableStream<Bytes>(
      {
        pull: async (controller) => {
          try {
            while (at < end && ahead.length < inFlight) {
              const piece = this.#piece(at, end);
              // Failures are met when the piece's turn comes.
              piece.catch(() => {});
              ahead.push(piece);
              at = Math.min(end, this.#edgeAfter(at));
            }
            await pacer.pause();
            if (ahead.length > 0) controller.enqueue(await ahead[0]);
            ahead.shift();
            if (at === end && ahead.length === 0) controller.close();
          } catch (error) {
            await drop();
            throw error;
          }
        },
        cancel: drop,
      },
      { highWaterMark: 0 },
    );
  }

  /**
   * The index of a reader with `verify: "whole"`: see {@link buildIndex}.
   *
   * @throws StateError for other readers
   */
  async sealIndex(): Promise<Bytes> {
    if (this.#destroyed || this.#known === undefined)
      throw new StateError("nothing was verified to be indexed");
    return sealIndex(this.#settings.subtle, this.#key, this.#iv, this.#source, this.#known);
  }

  /** Wipes the key and hashes. Reads that are under way and later ones fail. The source is not closed. */
  destroy(): void {
    this.#destroyed = true;
    this.#key.destroy();
    this.#known?.hashes.fill(0);
  }

  /** `using` destroys it at the end of the block. */
  [DISPOSE](): void {
    this.destroy();
  }

  #mustLive(): void {
    if (this.#destroyed) throw new StateError("this RangeReader was destroyed");
  }

  /** Where the segment that holds `at` ends. */
  #edgeAfter(at: number): number {
    const { segmentLength } = this.#known ?? this.#settings;
    return (Math.floor(at / segmentLength) + 1) * segmentLength;
  }

  /** Plaintext from `at` to `end`, or to its segment's end if that comes first. */
  async #piece(at: number, end: number): Promise<Bytes> {
    this.#mustLive();
    const to = Math.min(end, this.#edgeAfter(at));
    const known = this.#known;
    if (known === undefined) return this.#unverified(at, to);
    const index = Math.floor(at / known.segmentLength);
    const from = index * known.segmentLength;
    const segment = await openSegment(this.#key, this.#j0, this.#source, known, index);
    if (this.#destroyed) {
      segment.fill(0);
      throw new StateError("this RangeReader was destroyed");
    }
    if (to - at === segment.length) return segment;
    const piece = copyOf(segment, at - from, to - from);
    segment.fill(0);
    return piece;
  }

  async #unverified(at: number, to: number): Promise<Bytes> {
    const from = Math.floor(at / BLOCK) * BLOCK;
    const ciphertext = await this.#source.read(from, to - from);
    const plaintext = await this.#key.gctr(counterAt(this.#j0, from), ciphertext);
    this.#source.drop(ciphertext);
    return plaintext.subarray(at - from);
  }
}

function ownAad(aad: Uint8Array = EMPTY): Bytes {
  checkBytes("aad", aad);
  checkAadLength(aad.length);
  return new Uint8Array(aad);
}

const VERIFICATIONS: readonly unknown[] = ["whole", "index", "none"];

function ownIndex(options: RangeOptions): Bytes | undefined {
  const { verify } = options;
  if (!VERIFICATIONS.includes(verify)) {
    throw new TypeError(`verify is ${JSON.stringify(verify)}; say "whole", "index" or "none"`);
  }
  if (options.verify !== "index") return undefined;
  checkBytes("index", options.index);
  return new Uint8Array(options.index);
}

/**
 * Reads one range of a message. For several, a {@link RangeReader} verifies or opens its index once.
 *
 * @param options `verify` must say how: `"whole"`, `"index"` or `"none"`
 * @throws as {@link RangeReader.open} and {@link RangeReader.read}
 */
export async function readRange(
  source: ReadableAgain,
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  start: number,
  end: number,
  options: RangeOptions,
): Promise<Bytes> {
  const reader = await RangeReader.open(source, key, iv, options);
  try {
    return await reader.read(start, end);
  } finally {
    reader.destroy();
  }
}

/**
 * Verifies a whole message once and gives an index, with which later reads are verified by their own segments alone.
 * 16 bytes per segment and 65 more. It holds keyed hashes, from which H could be computed, and is therefore sealed
 * under a key that is derived from H: it may be stored anywhere, beside the message too. It is bound to the message's
 * IV, tag and length, and says nothing of the AAD: that was verified when the index was made.
 *
 * @param options `segmentLength`: what a verified read fetches and hashes at least; default 1 MiB
 * @throws as {@link RangeReader.open}
 */
export async function buildIndex(
  source: ReadableAgain,
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  options: SourceOptions = {},
): Promise<Bytes> {
  const { segmentLength = INDEX_SEGMENT } = options;
  const reader = await RangeReader.open(source, key, iv, { ...options, segmentLength, verify: "whole" });
  try {
    return await reader.sealIndex();
  } finally {
    reader.destroy();
  }
}
