/** Encryption of messages of any length as Web streams. */

import { copyOf } from "../gcm/bytes.js";
import type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
import type { SegmentOptions } from "../webcrypto/settings.js";
import { StreamCipher, streamMessage } from "./cipher.js";
import { streamPair } from "./pair.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** How {@link encryptStream} works. */
export interface EncryptStreamOptions extends SegmentOptions {
  /** Additional authenticated data; copied. Default: none. */
  readonly aad?: Uint8Array | undefined;
  /** `append` (default): the stream ends with the tag. `separate`: only the promise `tag` has it. */
  readonly tag?: "append" | "separate" | undefined;
}

/** A stream that takes plaintext and gives ciphertext. */
export interface EncryptStream extends TransformStream<Uint8Array, Bytes> {
  /** The tag, once the plaintext has ended. Rejects when the stream fails; not awaiting it is harmless. */
  readonly tag: Promise<Bytes>;
}

/**
 * A stream that takes a message in pieces of any length and gives its ordinary AES-GCM ciphertext, in memory of a few
 * segments. What comes out waits for a whole segment; choose a small `segmentLength` for streams that trickle. It works only
 * as fast as somebody reads. Cancelling or aborting it clears what it holds.
 *
 * @param key 16, 24 or 32 bytes, copied; or a CryptoKey with usage `encrypt`
 * @param iv 1 byte or more, never used before under this key; copied
 * @throws TypeError, RangeError at once for arguments that are not allowed; what a CryptoKey does not allow, through the stream
 * @example
 * await file.stream().pipeThrough(encryptStream(key, iv)).pipeTo(destination);
 */
export function encryptStream(
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  options: EncryptStreamOptions = {},
): EncryptStream {
  const { tag: place = "append" } = options;
  if (place !== "append" && place !== "separate") {
    throw new TypeError(`tag is ${JSON.stringify(place)}; allowed are "append" and "separate"`);
  }
  const message = streamMessage(key, iv, options);
  const cipher = new StreamCipher("encrypt", message);
  let give!: (tag: Bytes) => void;
  let fail!: (reason: unknown) => void;
  const tag = new Promise<Bytes>((resolve, reject) => {
    give = resolve;
    fail = reject;
  });
  tag.catch(() => {});
  const pair = streamPair({
    write: (piece, emit) => cipher.update(piece, emit),
    async close(emit) {
      const finished = copyOf((await cipher.finish(emit)).tag, 0, message.settings.tagLength);
      give(finished);
      if (place === "append") await emit(copyOf(finished));
    },
    wipe(reason) {
      fail(reason ?? new Error("the stream was cancelled"));
      return cipher.wipe();
    },
  });
  return { ...pair, tag };
}
