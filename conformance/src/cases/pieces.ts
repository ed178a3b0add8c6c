/** Messages in pieces of every shape, and AAD and text of every kind of length. */
import { AuthenticationError } from "evariste";
import type { Case, Target } from "../case.js";
import { equal, equalBytes, throws } from "../check.js";
import { Random } from "../random.js";
import { aad, KEY_LENGTHS, keyOf, modelOf, NONCE, once, openPieces, sealPieces, text } from "./common.js";

/** Every length is cut in two at every place; these in three, at every pair of places. */
const IN_THREE = [1, 15, 16, 17, 32, 33, 48, 64, 100];
const NOTHING = new Uint8Array(0);

const sealedOf = once(() =>
  Array.from({ length: 101 }, (_, length) => modelOf(16).seal(NONCE, aad(length), text(length))),
);

/** Seals and opens with both AAD and text cut at the given places, nothing in between. */
function cutAt(target: Target, cuts: (length: number) => Iterable<readonly number[]>): void {
  const gcm = target.create(keyOf(16));
  sealedOf().forEach((sealed, length) => {
    const tag = sealed.subarray(length);
    for (const places of cuts(length)) {
      const slices = (bytes: Uint8Array) =>
        [0, ...places].flatMap((from, i) => [bytes.subarray(from, places[i] ?? length), NOTHING]);
      const what = `${length} bytes cut at ${places.join(" and ")}`;
      const header = slices(aad(length));
      equalBytes(sealPieces(gcm, NONCE, header, slices(text(length))), sealed, what);
      const opened = openPieces(gcm, NONCE, header, slices(sealed.subarray(0, length)), tag);
      equalBytes(opened, text(length), `${what}, decrypt`);
    }
  });
  gcm.destroy();
}

function* inTwo(length: number): Generator<readonly number[]> {
  for (let cut = 0; cut <= length; cut++) yield [cut];
}

function* inThree(length: number): Generator<readonly number[]> {
  if (!IN_THREE.includes(length)) return;
  for (let first = 0; first <= length; first++)
    for (let second = first; second <= length; second++) yield [first, second];
}

function byteByByte(target: Target): void {
  const gcm = target.create(keyOf(24));
  const sealed = modelOf(24).seal(text(20), aad(70), text(300));
  const each = (bytes: Uint8Array) => Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
  equalBytes(sealPieces(gcm, text(20), each(aad(70)), each(text(300))), sealed, "one by one");
  const pieces = each(sealed.subarray(0, 300));
  equalBytes(openPieces(gcm, text(20), each(aad(70)), pieces, sealed.subarray(300)), text(300), "decrypt");
  gcm.destroy();
}

function randomCuts(target: Target): void {
  const random = new Random(3);
  for (let round = 0; round < 150; round++) {
    const gcm = target.create(random.bytes(random.pick(KEY_LENGTHS)));
    const iv = random.bytes(random.pick([12, 12, 16, 60]));
    const header = random.bytes(random.between(0, 600));
    const plaintext = random.bytes(random.between(0, 10_240));
    const sealed = gcm.encrypt(iv, plaintext, { aad: header });
    const headers = random.cut(header, random.between(1, 4));
    const what = `round ${round}, ${plaintext.length} bytes`;
    const pieces = random.cut(plaintext, random.between(1, 8));
    equalBytes(sealPieces(gcm, iv, headers, pieces), sealed, what);
    const [ciphertext, tag] = [sealed.subarray(0, plaintext.length), sealed.subarray(plaintext.length)];
    const opened = openPieces(gcm, iv, headers, random.cut(ciphertext, random.between(1, 8)), tag);
    equalBytes(opened, plaintext, `${what}, decrypt`);
    gcm.destroy();
  }
}

const GRID_AAD = [0, 1, 15, 16, 17, 32, 48, 63, 64, 65, 128, 129, 1000];
const GRID_TEXT = [0, 1, 15, 16, 17, 31, 32, 33, 64, 65, 127, 128, 129, 300];

const grid = once(() =>
  KEY_LENGTHS.flatMap((keyLength) =>
    GRID_AAD.flatMap((aadLength) =>
      GRID_TEXT.map((length) => ({
        keyLength,
        aadLength,
        length,
        sealed: modelOf(keyLength).seal(NONCE, aad(aadLength), text(length)),
      })),
    ),
  ),
);

function wholeGrid(target: Target): void {
  const keys = new Map(KEY_LENGTHS.map((keyLength) => [keyLength, target.create(keyOf(keyLength))]));
  for (const { keyLength, aadLength, length, sealed } of grid()) {
    const gcm = keys.get(keyLength)!;
    const what = `AES-${keyLength * 8}, AAD ${aadLength}, text ${length}`;
    const header = aad(aadLength);
    equalBytes(gcm.encrypt(NONCE, text(length), { aad: header }), sealed, what);
    equalBytes(gcm.decrypt(NONCE, sealed, { aad: header }), text(length), `${what}, decrypt`);
    equalBytes(sealPieces(gcm, NONCE, [header], [text(length)]), sealed, `${what}, pieces`);
    const parts = [sealed.subarray(0, length)];
    const opened = openPieces(gcm, NONCE, [header], parts, sealed.subarray(length));
    equalBytes(opened, text(length), `${what}, pieces, decrypt`);
  }
  for (const gcm of keys.values()) gcm.destroy();
}

function nothingAtAll(target: Target): void {
  for (const keyLength of KEY_LENGTHS) {
    const gcm = target.create(keyOf(keyLength));
    for (const header of [undefined, NOTHING, aad(16), aad(21)]) {
      const tag = modelOf(keyLength).seal(NONCE, header ?? NOTHING, NOTHING);
      const options = header === undefined ? undefined : { aad: header };
      equalBytes(gcm.encrypt(NONCE, NOTHING, options), tag, "no text");
      equal(gcm.decrypt(NONCE, tag, options).length, 0, "length of nothing decrypted");
      equalBytes(gcm.mac(NONCE, header ?? NOTHING), tag, "mac");
      equalBytes(
        gcm
          .encryptor(NONCE)
          .aad(header ?? NOTHING)
          .finish(),
        tag,
        "no update",
      );
      gcm
        .decryptor(NONCE)
        .aad(header ?? NOTHING)
        .finish(tag);
      tag[15] ^= 1;
      throws(AuthenticationError, () => gcm.decrypt(NONCE, tag, options), "no text, bad tag");
      throws(
        AuthenticationError,
        () =>
          gcm
            .decryptor(NONCE)
            .aad(header ?? NOTHING)
            .finish(tag),
        "in pieces",
      );
    }
    gcm.destroy();
  }
}

/** The rows on pieces, AAD and empty input. */
export const pieceCases: readonly Case[] = [
  { name: "pieces: 0 to 100 bytes in two", run: (target) => cutAt(target, inTwo) },
  { name: "pieces: in three", run: (target) => cutAt(target, inThree) },
  { name: "pieces: byte by byte", run: byteByByte },
  { name: "pieces: random cuts of up to 10 KiB", run: randomCuts },
  { name: "grid: AAD by text by key length", run: wholeGrid },
  { name: "empty input: no text, with and without AAD", run: nothingAtAll },
];
