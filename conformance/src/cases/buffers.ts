/** Where inputs and outputs lie: in place, overlapping, unaligned; and what stays untouched around them. */
import { AuthenticationError } from "evariste";
import type { Case, Target } from "../case.js";
import { allBytes, equalBytes, throws } from "../check.js";
import { sharedBytes } from "../shared-memory.js";
import { aad, keyOf, modelOf, NONCE, once, text } from "./common.js";

const LENGTHS = [0, 1, 15, 16, 17, 48, 63, 64, 65, 100, 129, 256, 1000, 4096 + 7];
const SHIFTS = [0, 1, -1, 15, -15, 16, -16, 17, -17, 32, -32, 64, -64, 100, -100];
/** Bytes before and after the region under test. */
const MARGIN = 128;
const FILL = 0xcc;

const sealedOf = once(
  () => new Map(LENGTHS.map((length) => [length, modelOf(16).seal(NONCE, aad(20), text(length))])),
);

function regions(inputLength: number, outputLength: number, shift: number, input: Uint8Array) {
  const memory = new Uint8Array(2 * MARGIN + Math.max(inputLength, outputLength)).fill(FILL);
  const source = memory.subarray(MARGIN, MARGIN + inputLength);
  source.set(input);
  const before = memory.slice();
  const from = MARGIN + shift;
  /** @throws Mismatch when a byte outside of the output changed */
  const untouched = (what: string) => {
    equalBytes(memory.subarray(0, from), before.subarray(0, from), `${what}: before the output`);
    const end = from + outputLength;
    equalBytes(memory.subarray(end), before.subarray(end), `${what}: after the output`);
  };
  return { source, out: memory.subarray(from, from + outputLength), untouched };
}

function overlaps(target: Target): void {
  const gcm = target.create(keyOf(16));
  const options = { aad: aad(20) };
  for (const [length, sealed] of sealedOf()) {
    for (const shift of SHIFTS) {
      const what = `${length} bytes, output at ${shift}`;
      const enc = regions(length, sealed.length, shift, text(length));
      gcm.encryptInto(NONCE, enc.source, enc.out, options);
      equalBytes(enc.out, sealed, what);
      enc.untouched(what);
      const dec = regions(sealed.length, length, shift, sealed);
      gcm.decryptInto(NONCE, dec.source, dec.out, options);
      equalBytes(dec.out, text(length), `${what}, decrypt`);
      dec.untouched(`${what}, decrypt`);
      const forged = Uint8Array.from(sealed);
      forged[forged.length - 1] ^= 0x80;
      const bad = regions(sealed.length, length, shift, forged);
      throws(AuthenticationError, () => gcm.decryptInto(NONCE, bad.source, bad.out, options), what);
      allBytes(bad.out, 0, `${what}, forged`);
      bad.untouched(`${what}, forged`);
    }
  }
  gcm.destroy();
}

function overlappingPieces(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (const [length, sealed] of sealedOf()) {
    for (const shift of SHIFTS) {
      const what = `${length} bytes in two pieces, output at ${shift}`;
      const cut = Math.min(21, length);
      const pieces: readonly (readonly [number, number])[] = [
        [0, cut],
        [cut, length],
      ];
      const encryptor = gcm.encryptor(NONCE).aad(aad(20));
      const decryptor = gcm.decryptor(NONCE).aad(aad(20));
      for (const [from, to] of pieces) {
        const enc = regions(to - from, to - from, shift, text(length).subarray(from, to));
        encryptor.update(enc.source, enc.out);
        equalBytes(enc.out, sealed.subarray(from, to), what);
        enc.untouched(what);
        const dec = regions(to - from, to - from, shift, sealed.subarray(from, to));
        decryptor.updateUnverified(dec.source, dec.out);
        equalBytes(dec.out, text(length).subarray(from, to), `${what}, decrypt`);
        dec.untouched(`${what}, decrypt`);
      }
      equalBytes(encryptor.finish(), sealed.subarray(length), `${what}, tag`);
      decryptor.finish(sealed.subarray(length));
    }
  }
  gcm.destroy();
}

/** IV and AAD in the very memory that the output overwrites. */
function headerUnderOutput(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (const length of [1, 48, 65, 300]) {
    const sealed = modelOf(16).seal(NONCE, text(20), text(length));
    const memory = new Uint8Array(32 + length + 16);
    memory.set(NONCE);
    memory.set(text(20), 12);
    gcm.encryptInto(memory.subarray(0, 12), text(length), memory, { aad: memory.subarray(12, 32) });
    equalBytes(memory.subarray(0, length + 16), sealed, `${length} bytes over IV and AAD`);
    memory.set(NONCE);
    memory.set(text(20), 12);
    gcm.decryptInto(memory.subarray(0, 12), sealed, memory, { aad: memory.subarray(12, 32) });
    equalBytes(memory.subarray(0, length), text(length), `${length} bytes over IV and AAD, decrypt`);
  }
  gcm.destroy();
}

function at(offset: number, bytes: Uint8Array): Uint8Array {
  const view = new Uint8Array(new ArrayBuffer(bytes.length + 16), offset, bytes.length);
  view.set(bytes);
  return view;
}

function unaligned(target: Target): void {
  for (let offset = 0; offset < 16; offset++) {
    const gcm = target.create(at(offset, keyOf(16)));
    for (const [length, sealed] of sealedOf()) {
      const what = `${length} bytes, offset ${offset}`;
      const iv = at((offset * 3) % 16, NONCE);
      const options = { aad: at((offset * 5) % 16, aad(20)) };
      const out = at((offset * 7) % 16, new Uint8Array(sealed.length));
      gcm.encryptInto(iv, at(offset, text(length)), out, options);
      equalBytes(out, sealed, what);
      const plain = at((offset * 11) % 16, new Uint8Array(length));
      gcm.decryptInto(iv, at(offset, sealed), plain, options);
      equalBytes(plain, text(length), `${what}, decrypt`);
      equalBytes(iv, NONCE, `${what}: IV`);
      equalBytes(options.aad, aad(20), `${what}: AAD`);
    }
    gcm.destroy();
  }
}

function inputsStay(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (const [length, sealed] of sealedOf()) {
    const given = [NONCE, text(length), aad(20), sealed].map((bytes) => Uint8Array.from(bytes));
    const [iv, plaintext, header, ciphertext] = given;
    gcm.encrypt(iv, plaintext, { aad: header });
    gcm.decrypt(iv, ciphertext, { aad: header });
    [NONCE, text(length), aad(20), sealed].forEach((bytes, i) => {
      equalBytes(given[i], bytes, `${length} bytes: input ${i} changed`);
    });
  }
  gcm.destroy();
}

/** An output buffer that is too short: an error that says so, before anything is written; the retry succeeds. */
function shortOutput(target: Target): void {
  const gcm = target.create(keyOf(16));
  const sealed = sealedOf().get(65)!;
  const options = { aad: aad(20) };
  for (const length of [0, 1, 64, 65, 80]) {
    const out = new Uint8Array(length).fill(FILL);
    throws(RangeError, () => gcm.encryptInto(NONCE, text(65), out, options), `encrypt into ${length} bytes`);
    allBytes(out, FILL, "written before the check");
  }
  const short = new Uint8Array(64).fill(FILL);
  throws(RangeError, () => gcm.decryptInto(NONCE, sealed, short, options), "decrypt into 64 bytes");
  allBytes(short, FILL, "written before the check");
  const encryptor = gcm.encryptor(NONCE).aad(aad(20));
  throws(RangeError, () => encryptor.update(text(65), short), "update");
  equalBytes(encryptor.update(text(65)), sealed.subarray(0, 65), "the retry");
  equalBytes(encryptor.finish(), sealed.subarray(65), "its tag");
  gcm.destroy();
}

function sharedMemory(target: Target): void {
  const gcm = target.create(keyOf(16));
  const sealed = modelOf(16).seal(NONCE, aad(20), text(2000));
  const refused = {
    plaintext: () => gcm.encrypt(NONCE, sharedBytes(2000)),
    sealed: () => gcm.decrypt(NONCE, sharedBytes(2000)),
    aad: () => gcm.encrypt(NONCE, text(1), { aad: sharedBytes(100) }),
    iv: () => gcm.encrypt(sharedBytes(100), text(1)),
    "stream's iv": () => gcm.encryptor(sharedBytes(100)),
    out: () => gcm.encryptInto(NONCE, text(2000), sharedBytes(2016)),
    "plain out": () => gcm.decryptInto(NONCE, sealed, sharedBytes(2000), { aad: aad(20) }),
    chunk: () => gcm.encryptor(NONCE).update(sharedBytes(2000)),
    "aad chunk": () => gcm.encryptor(NONCE).aad(sharedBytes(100)),
    "chunk's out": () => gcm.encryptor(NONCE).update(text(2000), sharedBytes(2000)),
  };
  for (const [what, action] of Object.entries(refused)) throws(TypeError, action, what);
  for (const length of [20, 100, 1024]) {
    const [plain, made] = [text(length), modelOf(16).seal(NONCE, aad(0), text(length))];
    const [from, to] = [sharedBytes(length), sharedBytes(length + 16)];
    from.set(plain);
    to.set(made);
    equalBytes(gcm.encrypt(NONCE, from), made, `shared input, ${length} bytes`);
    equalBytes(gcm.decrypt(NONCE, to), plain, `shared sealed input, ${length} bytes`);
  }
  gcm.destroy();
}

function detached(target: Target): void {
  const gcm = target.create(keyOf(16));
  const gone = () => {
    const view = new Uint8Array(40);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    return view;
  };
  throws(TypeError, () => gcm.encrypt(NONCE, gone()), "plaintext");
  throws(TypeError, () => gcm.encrypt(NONCE, text(1), { aad: gone() }), "aad");
  throws(TypeError, () => gcm.encrypt(gone(), text(1)), "iv");
  throws(TypeError, () => gcm.encryptInto(NONCE, text(1), gone()), "out");
  throws(TypeError, () => gcm.decrypt(NONCE, gone()), "sealed");
  throws(TypeError, () => gcm.encryptor(NONCE).update(gone()), "chunk");
  throws(TypeError, () => target.create(gone()), "key");
  gcm.destroy();
}

/** The rows on overlap, alignment and memory beyond the end. */
export const bufferCases: readonly Case[] = [
  { name: "buffers: in place and overlapping", run: overlaps },
  { name: "buffers: pieces in place and overlapping", run: overlappingPieces },
  { name: "buffers: IV and AAD under the output", run: headerUnderOutput },
  { name: "buffers: unaligned", run: unaligned },
  { name: "buffers: inputs stay as they are", run: inputsStay },
  { name: "buffers: short outputs are refused before anything is written", run: shortOutput },
  { name: "buffers: shared memory is refused or copied", run: sharedMemory },
  { name: "buffers: detached ones are refused", run: detached },
];
