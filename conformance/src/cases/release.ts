/** Plaintext stays back until its tag is right; what a failed or finished message still allows. */
import { type AesGcm, AuthenticationError, StateError } from "evariste";
import type { Case, Target } from "../case.js";
import { allBytes, check, equalBytes, throws } from "../check.js";
import { aad, keyOf, modelOf, NONCE, openPieces, sealPieces, text } from "./common.js";

const LENGTHS = [1, 16, 40, 64, 65, 300, 5000, 300_000];

function zeroOnFailure(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (const length of LENGTHS) {
    const forged = gcm.encrypt(NONCE, text(length), { aad: aad(8) });
    forged[length] ^= 1;
    const out = new Uint8Array(length + 20).fill(0xcc);
    throws(AuthenticationError, () => gcm.decryptInto(NONCE, forged, out, { aad: aad(8) }), "separate");
    allBytes(out.subarray(0, length), 0, `${length} bytes: output`);
    allBytes(out.subarray(length), 0xcc, `${length} bytes: beyond`);
    throws(AuthenticationError, () => gcm.decryptInto(NONCE, forged, forged, { aad: aad(8) }), "in place");
    allBytes(forged.subarray(0, length), 0, `${length} bytes: in place`);
  }
  gcm.destroy();
}

/** After a forgery the same key serves on, and the next outputs hold nothing of it. */
function serveOn(target: Target): void {
  const gcm = target.create(keyOf(16));
  const sealed = gcm.encrypt(NONCE, text(500));
  const forged = Uint8Array.from(sealed);
  forged[0] ^= 1;
  for (let i = 0; i < 20; i++) {
    throws(AuthenticationError, () => gcm.decrypt(NONCE, forged), "forged");
    equalBytes(gcm.decrypt(NONCE, sealed), text(500), "right");
    throws(RangeError, () => gcm.encrypt(new Uint8Array(0), text(500)), "empty IV");
    equalBytes(gcm.encrypt(NONCE, text(500)), sealed, "after errors");
  }
  gcm.destroy();
}

function afterTheEnd(target: Target): void {
  const gcm = target.create(keyOf(16));
  const encryptor = gcm.encryptor(NONCE);
  encryptor.update(text(20));
  throws(StateError, () => encryptor.aad(aad(1)), "AAD after text");
  const tag = encryptor.finish();
  equalBytes(tag, modelOf(16).seal(NONCE, aad(0), text(20)).subarray(20), "tag after a refused call");
  throws(StateError, () => encryptor.update(text(1)), "update after finish");
  throws(StateError, () => encryptor.aad(aad(1)), "AAD after finish");
  throws(StateError, () => encryptor.finish(), "second finish");
  for (const given of [tag, new Uint8Array(16)]) {
    const decryptor = gcm.decryptor(NONCE);
    decryptor.updateUnverified(gcm.encrypt(NONCE, text(20)).subarray(0, 20));
    try {
      decryptor.finish(given);
      check(given === tag, "a wrong tag was accepted");
    } catch (error) {
      check(given !== tag && error instanceof AuthenticationError, String(error));
    }
    throws(StateError, () => decryptor.finish(tag), "second verification");
    throws(StateError, () => decryptor.updateUnverified(text(1)), "update after finish");
  }
  gcm.destroy();
}

/** A wrong kind of argument changes nothing. */
function refusedCalls(target: Target): void {
  const gcm = target.create(keyOf(16));
  const encryptor = gcm.encryptor(NONCE);
  const wrong = "text" as unknown as Uint8Array;
  throws(TypeError, () => encryptor.aad(wrong), "AAD");
  encryptor.aad(aad(3));
  throws(TypeError, () => encryptor.update(wrong), "text");
  const first = Uint8Array.from(encryptor.update(text(30)));
  throws(TypeError, () => encryptor.update(text(5), wrong), "output");
  const sealed = modelOf(16).seal(NONCE, aad(3), text(30));
  equalBytes(first, sealed.subarray(0, 30), "ciphertext");
  equalBytes(encryptor.finish(), sealed.subarray(30), "tag");
  const decryptor = gcm.decryptor(NONCE).aad(aad(3));
  decryptor.updateUnverified(first);
  throws(TypeError, () => decryptor.finish(wrong), "tag");
  decryptor.finish(sealed.subarray(30));
  gcm.destroy();
}

/** What the caller does to its own arrays afterwards must not matter. */
function callerChanges(target: Target): void {
  const key = Uint8Array.from(keyOf(16));
  const gcm = target.create(key);
  key.fill(0);
  const iv = text(40);
  const sealed = modelOf(16).seal(text(40), aad(9), text(70));
  const encryptor = gcm.encryptor(iv);
  const decryptor = gcm.decryptor(iv);
  iv.fill(0);
  const chunk = aad(9);
  encryptor.aad(chunk);
  decryptor.aad(chunk);
  chunk.fill(0);
  const piece = text(70);
  const out = encryptor.update(piece);
  piece.fill(0);
  equalBytes(out, sealed.subarray(0, 70), "ciphertext");
  decryptor.updateUnverified(out);
  out.fill(0);
  equalBytes(encryptor.finish(), sealed.subarray(70), "tag");
  decryptor.finish(sealed.subarray(70));
  gcm.destroy();
}

/** Outputs of earlier calls stay as they are. */
function outputsStay(target: Target): void {
  const gcm = target.create(keyOf(16));
  const lengths = Array.from({ length: 120 }, (_, i) => (i * 37) % 700);
  const sealed = lengths.map((length) => gcm.encrypt(NONCE, text(length)));
  const opened = sealed.map((bytes) => gcm.decrypt(NONCE, bytes));
  lengths.forEach((length, i) => {
    equalBytes(sealed[i], gcm.encrypt(NONCE, text(length)), `output ${i}`);
    equalBytes(opened[i], text(length), `opened ${i}`);
  });
  gcm.destroy();
}

function streamsOfOneKey(target: Target): void {
  const gcm = target.create(keyOf(32));
  const ivs = Array.from({ length: 20 }, (_, i) => text(12 + i));
  const encryptors = ivs.map((iv, i) => gcm.encryptor(iv).aad(aad(i)));
  const outputs = ivs.map((): Uint8Array[] => []);
  for (let round = 0; round < 4; round++)
    encryptors.forEach((encryptor, i) => {
      outputs[i].push(encryptor.update(text(100).subarray(round * 25, round * 25 + 25)));
      gcm.encrypt(NONCE, text(round * 10));
    });
  encryptors.forEach((encryptor, i) => {
    const sealed = modelOf(32).seal(ivs[i], aad(i), text(100));
    outputs[i].forEach((out, j) => {
      equalBytes(out, sealed.subarray(j * 25, j * 25 + 25), `stream ${i}, piece ${j}`);
    });
    equalBytes(encryptor.finish(), sealed.subarray(100), `stream ${i}`);
  });
  gcm.destroy();
}

function manyKeys(target: Target): void {
  const keys = Array.from({ length: 200 }, (_, i) => text(200 + 32).subarray(i, i + 32));
  const gcms = keys.map((key) => target.create(key));
  const again = () => gcms.map((gcm) => gcm.encrypt(NONCE, text(33)));
  const first = again();
  again().forEach((sealed, i) => {
    equalBytes(sealed, first[i], `key ${i}`);
  });
  gcms.filter((_, i) => i % 2 === 0).forEach((gcm) => void gcm.destroy());
  const fresh = target.create(keyOf(16));
  gcms.forEach((gcm, i) => {
    if (i % 2 === 1) equalBytes(gcm.encrypt(NONCE, text(33)), first[i], `key ${i} after others died`);
  });
  equalBytes(fresh.encrypt(NONCE, text(33)), modelOf(16).seal(NONCE, aad(0), text(33)), "a new key");
  for (const gcm of [...gcms, fresh]) gcm.destroy();
}

function destroyed(target: Target): void {
  const gcm = target.create(keyOf(16));
  const sealed = gcm.encrypt(NONCE, text(20));
  const encryptor = gcm.encryptor(NONCE);
  const decryptor = gcm.decryptor(NONCE);
  encryptor.update(text(5));
  const inAad = gcm.encryptor(NONCE);
  gcm.destroy();
  gcm.destroy();
  const calls: Record<string, (gcm: AesGcm) => unknown> = {
    encrypt: () => gcm.encrypt(NONCE, text(20)),
    decrypt: () => gcm.decrypt(NONCE, sealed),
    large: () => gcm.encrypt(NONCE, text(100_000)),
    mac: () => gcm.mac(NONCE, aad(1)),
    encryptor: () => gcm.encryptor(NONCE),
    decryptor: () => gcm.decryptor(NONCE),
    aad: () => inAad.aad(aad(1)),
    update: () => encryptor.update(text(1)),
    finish: () => encryptor.finish(),
    "decryptor's update": () => decryptor.updateUnverified(text(1)),
    "decryptor's finish": () => decryptor.finish(text(16)),
  };
  for (const [what, call] of Object.entries(calls)) throws(StateError, () => call(gcm), what);
}

/** Abandoned streams and cancelled ones leave the key usable. */
function abandoned(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (let i = 0; i < 300; i++) {
    gcm.encryptor(NONCE).update(text(21));
    const cancelled = gcm.decryptor(NONCE).aad(aad(2));
    cancelled.cancel();
    cancelled.cancel();
    throws(StateError, () => cancelled.finish(text(16)), "after cancel");
  }
  const sealed = modelOf(16).seal(NONCE, aad(2), text(21));
  equalBytes(sealPieces(gcm, NONCE, [aad(2)], [text(21)]), sealed, "afterwards");
  equalBytes(
    openPieces(gcm, NONCE, [aad(2)], [sealed.subarray(0, 21)], sealed.subarray(21)),
    text(21),
    "back",
  );
  gcm.destroy();
}

/** The rows on release, reuse and the end of keys. */
export const releaseCases: readonly Case[] = [
  { name: "release: zeros on a bad tag, in place too", run: zeroOnFailure },
  { name: "release: a key serves on after errors", run: serveOn },
  { name: "order: nothing after the end, no AAD after text", run: afterTheEnd },
  { name: "order: a refused call changes nothing", run: refusedCalls },
  { name: "reuse: the caller's arrays changed afterwards", run: callerChanges },
  { name: "reuse: earlier outputs stay", run: outputsStay },
  { name: "reuse: streams of one key are independent", run: streamsOfOneKey },
  { name: "reuse: many keys at once", run: manyKeys },
  { name: "reuse: abandoned and cancelled streams", run: abandoned },
  { name: "destroy: every later call is refused", run: destroyed },
];
