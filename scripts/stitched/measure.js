/** Times StitchedGcm against one-shot WebCrypto on the runtime that it runs in: Node, Deno, Bun or a page. */
import { StitchedGcm } from "evariste/webcrypto";

const ONE_CALL = "one call";

/** Bytes from one change of the text to the next: enough for pages of memory to be pages of their own. */
const STEP = 1024;

function makeText(length) {
  const text = new Uint8Array(length);
  for (let at = 0; at < length; at += STEP) text[at] = at / STEP;
  return text;
}

/** A new IV each time, as encryption must have. */
function counterIvs() {
  let count = 0;
  return () => {
    const iv = new Uint8Array(12);
    new DataView(iv.buffer).setUint32(8, ++count);
    return iv;
  };
}

/** What the memory costs without any cryptography. */
function memoryContestants(text, out) {
  return {
    copy: () => out.set(text),
    "fresh memory": () => new Uint8Array(text.length).fill(1),
  };
}

/** One-shot calls first, then every way of StitchedGcm with its default, or those that do not join with each of `paces`. */
async function contestants(key, length, paces) {
  const { subtle } = crypto;
  const text = makeText(length);
  const out = new Uint8Array(length + 16).fill(1);
  const iv = new Uint8Array(12);
  const nextIv = counterIvs();
  const sealed = new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv }, key, text));
  const encrypt = { [ONE_CALL]: () => subtle.encrypt({ name: "AES-GCM", iv: nextIv() }, key, text) };
  const decrypt = { [ONE_CALL]: () => subtle.decrypt({ name: "AES-GCM", iv }, key, sealed) };
  for (const pace of paces) {
    const gcm = await StitchedGcm.create(key, pace);
    const name = `${pace.segmentLength / 1024} KiB, ${pace.inFlight} in flight`;
    encrypt[`${name}, parts`] = () => gcm.encryptToParts(nextIv(), text);
    encrypt[`${name}, into`] = () => gcm.encryptInto(nextIv(), text, out);
    decrypt[`${name}, parts`] = () => gcm.decryptToParts(iv, sealed);
    decrypt[`${name}, into`] = () => gcm.decryptInto(iv, sealed, out);
  }
  if (paces.length === 0) {
    const gcm = await StitchedGcm.create(key);
    encrypt.parts = () => gcm.encryptToParts(nextIv(), text);
    encrypt.into = () => gcm.encryptInto(nextIv(), text, out);
    encrypt.joined = () => gcm.encrypt(nextIv(), text);
    decrypt.parts = () => gcm.decryptToParts(iv, sealed);
    decrypt.into = () => gcm.decryptInto(iv, sealed, out);
    decrypt.joined = () => gcm.decrypt(iv, sealed);
  }
  return { encrypt, decrypt, memory: memoryContestants(text, out) };
}

function shuffled(names) {
  return names
    .map((name) => [Math.random(), name])
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name);
}

/** Milliseconds of every round; the first round, in which code and memory warm up, is not kept. */
async function takeTurns(ways, rounds, collect) {
  const samples = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of shuffled(Object.keys(ways))) {
      collect();
      const start = performance.now();
      await ways[name]();
      const elapsed = performance.now() - start;
      if (round > 0) samples[name].push(elapsed);
    }
  }
  return samples;
}

/**
 * @param {{ length: number, rounds: number, paces: { segmentLength: number, inFlight: number }[] }} options
 * @param {() => void} collect collects garbage, where the runtime lets a program do so
 * @returns {Promise<Record<string, Record<string, number[]>>>} by operation and contestant, milliseconds
 */
export async function measure({ length, rounds, paces }, collect) {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(16).fill(7), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
  const results = {};
  for (const [operation, ways] of Object.entries(await contestants(key, length, paces)))
    results[operation] = await takeTurns(ways, rounds, collect);
  return results;
}
