/** The known answer that a platform's WebCrypto gives before messages are stitched from it. */
import { warn } from "#platform";
import { KNOWN_ANSWERS } from "../self-test.js";
import { PlatformKey } from "./platform-key.js";
import { SegmentedText } from "./text.js";

/** Three segments, the last one short: IV of 12 bytes, 20 bytes of AAD, 60 of text. */
const ANSWER = KNOWN_ANSWERS[0];
const SEGMENT = 16;

const proofs = new WeakMap<SubtleCrypto, Promise<void>>();

/**
 * Stitches a published message once per platform.
 *
 * @throws Error when the answer is wrong: then nothing is stitched on this platform. What the platform throws
 *   is thrown, and it is asked again the next time: that may have been lack of memory
 */
export function provePlatform(subtle: SubtleCrypto): Promise<void> {
  let proof = proofs.get(subtle);
  if (proof === undefined) {
    proof = isRight(subtle).then(
      (right) => {
        if (right) return;
        warn("evariste: WebCrypto's AES-GCM failed its self-test; it is not used");
        throw new Error("the platform's AES-GCM failed its self-test: it gives wrong answers");
      },
      (error) => {
        proofs.delete(subtle);
        throw error;
      },
    );
    proofs.set(subtle, proof);
  }
  return proof;
}

async function isRight(subtle: SubtleCrypto): Promise<boolean> {
  const bytes = (length: number, factor: number, start: number) =>
    Uint8Array.from({ length }, (_, i) => i * factor + start);
  const raw = bytes(ANSWER.keyLength, 1, 1);
  const key = new PlatformKey(subtle, await subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt"]));
  const text = bytes(ANSWER.textLength, 7, 3);
  const iv = bytes(ANSWER.ivLength, -1, 255);
  const encryption = await SegmentedText.begin(key, iv, bytes(ANSWER.aadLength, 5, 1));
  const decryption = await SegmentedText.begin(key, iv, bytes(ANSWER.aadLength, 5, 1));
  let right = true;
  for (let at = 0; at < text.length; at += SEGMENT) {
    const segment = text.subarray(at, at + SEGMENT);
    const opened = await decryption.decryptUnverified(await encryption.encrypt(segment));
    right &&= opened.every((byte, i) => byte === segment[i]);
  }
  for (const message of [encryption, decryption]) {
    const tag = Array.from(message.tag(), (byte) => byte.toString(16).padStart(2, "0")).join("");
    right &&= tag === ANSWER.tag;
  }
  key.destroy();
  return right;
}
