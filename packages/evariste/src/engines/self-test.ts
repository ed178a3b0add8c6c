/**
 * The known-answer self-test: an engine runs nothing before it has given the right answers here. It takes well under a
 * millisecond on a compiled engine. The answers were computed with OpenSSL 3.0.
 */
import type { Direction, Engine, EngineKey, EngineStream } from "./engine.js";

/** A message: text byte i is i·7 + 3, AAD byte i is i·5 + 1, IV byte i is 255 − i, key byte i is i + 1, all mod 256. */
export interface KnownAnswer {
  readonly keyLength: number;
  readonly ivLength: number;
  readonly aadLength: number;
  readonly textLength: number;
  /** The tag, which depends on every byte of ciphertext, in hexadecimal. */
  readonly tag: string;
}

/** Lengths chosen to reach every kernel: partial blocks, one wide stride and more, IVs with and without GHASH. */
export const KNOWN_ANSWERS: readonly KnownAnswer[] = [
  { keyLength: 16, ivLength: 12, aadLength: 20, textLength: 60, tag: "3dd240c3f9caf2cd4dc7b24194824bac" },
  { keyLength: 24, ivLength: 1, aadLength: 0, textLength: 17, tag: "b68533af562bb1ff6e0302e30a2af18c" },
  { keyLength: 32, ivLength: 16, aadLength: 33, textLength: 1111, tag: "765eeb86eee15108df9225bc35ad1c3e" },
  { keyLength: 16, ivLength: 60, aadLength: 0, textLength: 2063, tag: "b34ded697eea57c7051fe535cdd6fe70" },
  { keyLength: 32, ivLength: 12, aadLength: 13, textLength: 0, tag: "1f60464a9465e91474ac8248704816d7" },
];

// Every process runs this before its first message, when nothing is compiled yet: plain loops.

function sequence(length: number, factor: number, start: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = i * factor + start;
  return bytes;
}

/**
 * Runs the known answers in both directions, whole and in pieces, and one forgery.
 *
 * @returns the wrong answer in words, or undefined
 * @throws Error when the engine cannot run a key length at all
 */
export function proveEngine(engine: Engine, disabled: ReadonlySet<string>): string | undefined {
  for (const answer of KNOWN_ANSWERS) {
    const cipher = `AES-${answer.keyLength * 8}`;
    try {
      const fault = proveKey(engine.createKey(sequence(answer.keyLength, 1, 1), disabled), answer);
      if (fault !== undefined) return `${fault} (${cipher}, ${answer.textLength} bytes)`;
    } catch (error) {
      throw new Error(`cannot run ${cipher}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return undefined;
}

function proveKey(key: EngineKey, answer: KnownAnswer): string | undefined {
  const iv = sequence(answer.ivLength, -1, 255);
  const aad = sequence(answer.aadLength, 5, 1);
  const text = sequence(answer.textLength, 7, 3);
  const sealed = new Uint8Array(text.length + 16);
  const ciphertext = sealed.subarray(0, text.length);
  const tag = sealed.subarray(text.length);
  const opened = new Uint8Array(text.length);
  const inPieces = <T>(direction: Direction, input: Uint8Array, end: (stream: EngineStream) => T): T => {
    const stream = key.start(iv, direction, 16);
    const cut = Math.floor(text.length / 3);
    stream.aad(aad);
    stream.update(input.subarray(0, cut), opened);
    stream.update(input.subarray(cut), opened.subarray(cut));
    const result = end(stream);
    stream.wipe();
    return result;
  };
  const verify = (stream: EngineStream) => stream.verify(tag);

  key.seal(iv, aad, text, sealed, 16);
  if (hex(tag) !== answer.tag) return "wrong tag";
  const tagOfPieces = new Uint8Array(16);
  inPieces("encrypt", text, (stream) => stream.finish(tagOfPieces));
  if (!sameBytes(opened, ciphertext) || !sameBytes(tagOfPieces, tag)) return "pieces differ from the whole";
  if (!inPieces("decrypt", ciphertext, verify) || !sameBytes(opened, text)) {
    return "does not open in pieces what it sealed";
  }
  if (!key.open(iv, aad, sealed, opened, 16) || !sameBytes(opened, text))
    return "does not open what it sealed";
  tag[15] ^= 1;
  if (inPieces("decrypt", ciphertext, verify)) return "accepted a forged tag after pieces";
  if (key.open(iv, aad, sealed, opened, 16)) return "accepted a forged tag";
  if (!sameBytes(opened, new Uint8Array(text.length))) return "left plaintext of a forged message";
  key.wipe();
  return undefined;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return a.length === b.length;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
