/** Decryption of messages of any length as Web streams. */

import { checkBytes } from "../checks.js";
import { AuthenticationError } from "../errors.js";
import { equalTags } from "../gcm/compare.js";
import { RangeReader } from "../ranges/index.js";
import { checkReadableAgain, type ReadableAgain } from "../source.js";
import type { CryptoKeyLike } from "../webcrypto/crypto-key.js";
import { isCryptoKey } from "../webcrypto/open-key.js";
import type { SegmentOptions } from "../webcrypto/settings.js";
import { StreamCipher, type StreamMessage, streamMessage } from "./cipher.js";
import { streamPair } from "./pair.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** What both ways of {@link decryptStream} take. */
interface CommonOptions extends SegmentOptions {
  /** Additional authenticated data; copied. Default: none. */
  readonly aad?: Uint8Array | undefined;
  /** The tag, when it is kept elsewhere. Default: the ciphertext ends with it. */
  readonly tag?: Uint8Array | undefined;
}

/** Verified decryption, of a source that can be read twice. */
export interface VerifiedOptions extends CommonOptions {
  /** Where the message is: a Blob or File, a file handle, or anything with `size` and `read`. */
  readonly source: ReadableAgain;
  readonly release?: undefined;
  /** Called during the first pass with the bytes verified so far and in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Decryption of a stream that passes once. */
export interface UnverifiedOptions extends CommonOptions {
  /** Says that plaintext comes out before anybody knows whether it is authentic. */
  readonly release: "unverified";
  readonly source?: undefined;
}

/**
 * Decrypts a message of any length, in memory of a few segments.
 *
 * With `source`, it gives a stream of authentic plaintext: the source is read once to verify the tag and once more
 * to decrypt. Nothing comes out when the tag is wrong, and a source that changes between the two passes makes the stream
 * fail before a byte of what changed comes out.
 *
 * With `release: "unverified"`, it gives a stream to pipe ciphertext through. Its plaintext is not authentic until the
 * stream has ended without an error: whoever acts on it earlier gives up what GCM is for.
 *
 * Errors reach `read`, `pipeTo` and `for await`; cancelling clears what is held.
 *
 * @param key 16, 24 or 32 bytes, copied; or a CryptoKey with both usages: segments need `encrypt` too
 * @param iv the message's IV; copied
 * @throws TypeError, RangeError at once for arguments that are not allowed
 * @example
 * await decryptStream(key, iv, { source: file }).pipeTo(destination);
 * await response.body.pipeThrough(decryptStream(key, iv, { release: "unverified" })).pipeTo(scratch);
 */
export function decryptStream(
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  options: VerifiedOptions,
): ReadableStream<Bytes>;
export function decryptStream(
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  options: UnverifiedOptions,
): TransformStream<Uint8Array, Bytes>;
export function decryptStream(
  key: Uint8Array | CryptoKeyLike,
  iv: Uint8Array,
  options: VerifiedOptions | UnverifiedOptions,
): ReadableStream<Bytes> | TransformStream<Uint8Array, Bytes> {
  if (options.source !== undefined) checkReadableAgain(options.source);
  const message = streamMessage(key, iv, options);
  if (options.tag !== undefined) checkBytes("tag", options.tag);
  const tag = options.tag && new Uint8Array(options.tag);
  if (options.source !== undefined && options.release === undefined) return verified(message, tag, options);
  if (options.release === "unverified" && options.source === undefined) return unverified(message, tag);
  throw new TypeError(
    'decryptStream needs { source } to be read twice and verified first, or { release: "unverified" } to be piped through',
  );
}

function verified(
  { key, iv, aad }: StreamMessage,
  tag: Bytes | undefined,
  options: VerifiedOptions,
): ReadableStream<Bytes> {
  const abort = new AbortController();
  let reader: RangeReader | undefined;
  let plaintext: ReadableStreamDefaultReader<Bytes> | undefined;
  const end = () => {
    reader?.destroy();
    if (!isCryptoKey(key)) key.fill(0);
  };
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        try {
          if (plaintext === undefined) {
            const { signal } = abort;
            reader = await RangeReader.open(options.source, key, iv, {
              ...options,
              aad,
              tag,
              signal,
              verify: "whole",
            });
            plaintext = reader.stream().getReader();
            signal.throwIfAborted();
          }
          const { done, value } = await plaintext.read();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      async cancel(reason) {
        abort.abort(reason);
        await plaintext?.cancel(reason);
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

function unverified(message: StreamMessage, tag: Bytes | undefined): TransformStream<Uint8Array, Bytes> {
  const { tagLength } = message.settings;
  const held = tag === undefined ? tagLength : 0;
  const cipher = new StreamCipher("decrypt", message, held);
  return streamPair({
    write: (piece, emit) => cipher.update(piece, emit),
    async close(emit) {
      const finished = await cipher.finish(emit, held);
      const received = tag ?? finished.end;
      if (received.length !== tagLength || !equalTags(finished.tag, received, tagLength)) {
        throw new AuthenticationError();
      }
    },
    wipe: () => cipher.wipe(),
  });
}
