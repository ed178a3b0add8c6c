/** One AES-GCM message in a source: where its ciphertext is, and its tag. */
import { checkBytes, checkTextLength } from "../checks.js";
import { AuthenticationError } from "../errors.js";
import { openSource, type ReadableAgain } from "../source.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** A message that can be read anywhere. */
export interface SealedSource {
  /** Bytes of ciphertext, which are as many as of plaintext. */
  readonly size: number;
  readonly tag: Bytes;
  /** Reads ciphertext. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Gives back what was read and is not needed any more. */
  drop(bytes: Uint8Array): void;
}

/**
 * @param tag the tag, when the source holds ciphertext only; by default it is the source's end
 * @param tagLength of the tag at the source's end, in bytes
 * @throws AuthenticationError when the source is shorter than a tag, or `tag` is not of this length
 */
export async function openSealed(
  source: ReadableAgain,
  tag: Uint8Array | undefined,
  tagLength: number,
): Promise<SealedSource> {
  const whole = await openSource(source);
  if (tag !== undefined) {
    checkBytes("tag", tag);
    if (tag.length !== tagLength)
      throw new AuthenticationError(`the tag has ${tag.length} bytes, not ${tagLength}`);
    checkTextLength(whole.size);
    return { ...whole, tag: new Uint8Array(tag) };
  }
  const size = whole.size - tagLength;
  if (size < 0) throw new AuthenticationError(`the source is shorter than a tag of ${tagLength} bytes`);
  checkTextLength(size);
  return { ...whole, size, tag: new Uint8Array(await whole.read(size, tagLength)) };
}
