/** The work inside the streams: pieces in, segments out, the tag at the end. */

import { checkAadLength, checkBytes, checkIv, checkKey, checkTextLength, EMPTY } from "../checks.js";
import type { Direction } from "../engines/engine.js";
import { Pipeline } from "../engines/webcrypto/pipeline.js";
import type { SegmentKey } from "../engines/webcrypto/segment-key.js";
import { SegmentedText } from "../engines/webcrypto/text.js";
import { copyOf } from "../gcm/bytes.js";
import { refuseShared } from "../views.js";
import type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
import { isCryptoKey, openSegments } from "../webcrypto/open-key.js";
import { type SegmentOptions, type Settings, settingsOf } from "../webcrypto/settings.js";
import type { Emit } from "./pair.js";
import { Segmenter } from "./segmenter.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** A message's arguments, checked and copied, so that the caller may change them. */
export interface StreamMessage {
  readonly key: Bytes | CryptoKeyLike;
  readonly iv: Bytes;
  readonly aad: Bytes;
  readonly settings: Settings;
}

/** @throws TypeError, RangeError at once */
export function streamMessage(
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  options: SegmentOptions & { readonly aad?: Uint8Array | undefined },
): StreamMessage {
  const { aad = EMPTY } = options;
  if (!isCryptoKey(key)) checkKey(key);
  checkIv(iv);
  checkBytes("aad", aad);
  checkAadLength(aad.length);
  return {
    key: isCryptoKey(key) ? key : new Uint8Array(key),
    iv: new Uint8Array(iv),
    aad: new Uint8Array(aad),
    settings: settingsOf(options, "stream"),
  };
}

/** Runs the segments of one message that comes in pieces. The key is opened at the first of them. */
export class StreamCipher {
  readonly #direction: Direction;
  readonly #message: StreamMessage;
  readonly #segmenter: Segmenter;
  #key: SegmentKey | undefined;
  #text: SegmentedText | undefined;
  #pipeline: Pipeline<Bytes> | undefined;

  /** @param held bytes at the end that are not text: {@link finish} gives them */
  constructor(direction: Direction, message: StreamMessage, held = 0) {
    this.#direction = direction;
    this.#message = message;
    this.#segmenter = new Segmenter(message.settings.segmentLength, held);
  }

  /** Takes a piece, which may change afterwards. */
  async update(piece: Uint8Array, emit: Emit): Promise<void> {
    checkBytes("piece", piece);
    refuseShared("piece", piece);
    await this.#begin(emit);
    for (const segment of this.#segmenter.push(piece)) await this.#segment(segment);
  }

  /** Takes the end: the rest goes out. @returns the message's tag, 16 bytes, and what was held */
  async finish(emit: Emit, held = 0): Promise<{ tag: Bytes; end: Bytes }> {
    await this.#begin(emit);
    const rest = this.#segmenter.rest();
    const cut = Math.max(0, rest.length - held);
    const end = copyOf(rest, cut);
    if (cut > 0) await this.#segment(rest.subarray(0, cut));
    await this.#pipeline!.drain();
    return { tag: this.#text!.tag(), end: new Uint8Array(end) };
  }

  /** Waits for what is under way and clears everything. */
  async wipe(): Promise<void> {
    await this.#pipeline?.abandon((output) => output.fill(0));
    this.#segmenter.wipe();
    this.#text?.wipe();
    this.#key?.destroy();
    if (!isCryptoKey(this.#message.key)) this.#message.key.fill(0);
  }

  async #begin(emit: Emit): Promise<void> {
    if (this.#text !== undefined) return;
    const { key, iv, aad, settings } = this.#message;
    this.#key = await openSegments(key, this.#direction, settings);
    this.#text = await SegmentedText.begin(this.#key, iv, aad);
    this.#pipeline = new Pipeline(settings.inFlight, settings.yieldAfter, emit);
  }

  async #segment(segment: Uint8Array): Promise<void> {
    const text = this.#text!;
    checkTextLength(text.length + segment.length);
    await this.#pipeline!.add(() =>
      this.#direction === "encrypt" ? text.encrypt(segment) : text.decryptUnverified(segment),
    );
  }
}
