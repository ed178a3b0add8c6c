/** Lengths at which fast paths have differed from plain ones, and lengths that need more than 32 bits. */
import type { Case, Target, Weight } from "../case.js";
import { allBytes, equalBytes, fromHex } from "../check.js";
import { addToCounter, lengthBlock } from "../model.js";
import { aad, KEY_LENGTHS, keyOf, modelOf, NONCE, once, text } from "./common.js";

const AAD_LENGTH = 13;

/**
 * What the model says of every length up to `most`: ciphertexts are prefixes of one, and the tags continue one
 * GHASH, so that the whole table costs about as much as its longest entry.
 */
function prefixTable(keyLength: number, lengths: readonly number[]) {
  const model = modelOf(keyLength);
  const j0 = model.j0(NONCE);
  const most = Math.max(...lengths);
  const ciphertext = model.gctr(addToCounter(j0, 1), text(most));
  const tags = new Map<number, Uint8Array>();
  let state = model.ghash(aad(AAD_LENGTH));
  let hashed = 0;
  for (const length of [...lengths].sort((a, b) => a - b)) {
    const whole = length - (length % 16);
    state = model.ghash(ciphertext.subarray(hashed, whole), state);
    hashed = whole;
    const last = model.ghash(ciphertext.subarray(whole, length), state);
    tags.set(length, model.gctr(j0, model.ghash(lengthBlock(AAD_LENGTH, length), last)));
  }
  return { ciphertext, tags };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

const MULTIPLES = [48, 64, 96, 128, 256, 512, 768, 1024, 4096, 8192];
const AROUND = [
  ...new Set(MULTIPLES.flatMap((m) => [1, 2, 3].flatMap((n) => range(m * n - 17, m * n + 17)))),
].filter((length) => length > 4096);
const MEBIBYTE = 2 ** 20;

const short = once(() => KEY_LENGTHS.map((keyLength) => prefixTable(keyLength, range(0, 1040))));
const medium = once(() => KEY_LENGTHS.map((keyLength) => prefixTable(keyLength, range(1041, 4096))));
const around = once(() => prefixTable(16, AROUND));
/** JDK-8371864: every length near the power of two, and every seventh to 300 bytes on. */
const NEAR_MEBIBYTE = range(-300, 300)
  .filter((n) => n % 7 === 0 || Math.abs(n) <= 17)
  .map((n) => MEBIBYTE + n);
const large = once(() => prefixTable(32, NEAR_MEBIBYTE));

function runTable(target: Target, keyLength: number, table: ReturnType<typeof prefixTable>): void {
  const gcm = target.create(keyOf(keyLength));
  const longest = Math.max(...table.tags.keys());
  const plaintext = text(longest);
  const out = new Uint8Array(longest + 16);
  const opened = new Uint8Array(longest);
  const options = { aad: aad(AAD_LENGTH) };
  for (const [length, tag] of table.tags) {
    const what = `AES-${keyLength * 8}, ${length} bytes`;
    gcm.encryptInto(NONCE, plaintext.subarray(0, length), out, options);
    equalBytes(out.subarray(length, length + 16), tag, `${what}: tag`);
    equalBytes(out.subarray(0, length), table.ciphertext.subarray(0, length), what);
    gcm.decryptInto(NONCE, out.subarray(0, length + 16), opened, options);
    equalBytes(opened.subarray(0, length), plaintext.subarray(0, length), `${what}: decrypt`);
  }
  gcm.destroy();
}

/** A message too long to hold. Its tag was computed with OpenSSL 3.0. */
interface LongMessage {
  readonly what: string;
  readonly aadBytes: number;
  readonly textBytes: number;
  readonly tag: string;
  readonly weight: Weight;
}

/** Every byte of text and AAD of the long messages. */
const FILLER = 0x5a;

/** AES-128, the zero key and the zero nonce. */
const LONG_MESSAGES: readonly LongMessage[] = [
  {
    what: "64 MiB + 1",
    aadBytes: 0,
    textBytes: 2 ** 26 + 1,
    tag: "a5083941bf96b432265fc7421da64e6a",
    weight: "chosen",
  },
  {
    what: "256 MiB + 1",
    aadBytes: 0,
    textBytes: 2 ** 28 + 1,
    tag: "7c3dd8ecbdb787755cb5a5f6277a4bdf",
    weight: "chosen",
  },
  {
    what: "2^32 + 1 bytes",
    aadBytes: 0,
    textBytes: 2 ** 32 + 1,
    tag: "70f38a117dcac45fc2346c9d195f922b",
    weight: "chosen",
  },
  {
    what: "AAD of 2^29 + 17 bytes",
    aadBytes: 2 ** 29 + 17,
    textBytes: 0,
    tag: "48732ea8d1c924191b2be836514d030c",
    weight: "chosen",
  },
  {
    what: "AAD of 2^32 + 3 bytes",
    aadBytes: 2 ** 32 + 3,
    textBytes: 5,
    tag: "41acb408d56476a7136377e81650cf32",
    weight: "chosen",
  },
];

function runLong(target: Target, message: LongMessage): void {
  const gcm = target.create(new Uint8Array(16));
  const encryptor = gcm.encryptor(new Uint8Array(12));
  const piece = new Uint8Array(2 ** 22).fill(FILLER);
  const out = new Uint8Array(piece.length);
  for (let left = message.aadBytes; left > 0; left -= piece.length)
    encryptor.aad(piece.subarray(0, Math.min(left, piece.length)));
  for (let left = message.textBytes; left > 0; left -= piece.length)
    encryptor.update(piece.subarray(0, Math.min(left, piece.length)), out);
  equalBytes(encryptor.finish(), fromHex(message.tag), "tag");
  gcm.destroy();
}

function wholeLong(target: Target): void {
  const gcm = target.create(new Uint8Array(16));
  const message = LONG_MESSAGES[0];
  const buffer = new Uint8Array(message.textBytes + 16).fill(FILLER);
  gcm.encryptInto(new Uint8Array(12), buffer.subarray(0, message.textBytes), buffer);
  equalBytes(buffer.subarray(message.textBytes), fromHex(message.tag), "tag");
  gcm.decryptInto(new Uint8Array(12), buffer, buffer);
  allBytes(buffer.subarray(0, message.textBytes), FILLER, "decrypt");
  gcm.destroy();
}

/** Every length of the table rows about fast paths, limits and 32-bit lengths. */
export const lengthCases: readonly Case[] = [
  ...KEY_LENGTHS.flatMap((keyLength, i): Case[] => [
    {
      name: `lengths: 0 to 1040, AES-${keyLength * 8}`,
      run: (target) => runTable(target, keyLength, short()[i]),
    },
    {
      name: `lengths: 1041 to 4096, AES-${keyLength * 8}`,
      weight: "fast",
      run: (target) => runTable(target, keyLength, medium()[i]),
    },
  ]),
  { name: "lengths: around multiples of kernel strides", run: (target) => runTable(target, 16, around()) },
  { name: "lengths: 1 MiB ± 300", weight: "fast", run: (target) => runTable(target, 32, large()) },
  ...LONG_MESSAGES.map((message) => ({
    name: `lengths: ${message.what}, streamed`,
    weight: message.weight,
    run: (target: Target) => runLong(target, message),
  })),
  { name: "lengths: 64 MiB + 1 in one call, in place", weight: "chosen", run: wholeLong },
];
