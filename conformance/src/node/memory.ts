/** Memory: steady over many messages, and right after it had to grow. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Case, Target } from "../case.js";
import { aad, keyOf, NONCE, openPieces, sealPieces, text } from "../cases/common.js";
import { check, equalBytes } from "../check.js";
import { nodeSeal } from "./differential.js";

const MESSAGES = 10 ** 5;
/** Bytes that a garbage-collected heap may differ by without a leak; one byte array per message would be far beyond it. */
const ALLOWED_GROWTH = 12 * 2 ** 20;

/** What is not collected yet says nothing about leaks. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

async function bytesInUse(): Promise<number> {
  const collect = collector();
  for (let i = 0; i < 3; i++) {
    collect();
    // Finalizers run in a turn of their own, and free what only a second collection finds.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
}

/** Rounds in one turn of the event loop: what was abandoned is given back between turns (FinalizationRegistry). */
const TURN = 500;

async function rounds(count: number, round: (i: number) => void): Promise<void> {
  for (let i = 0; i < count; i++) {
    round(i);
    if (i % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function repeat(target: Target, count: number, round: (i: number) => void): Promise<void> {
  await rounds(count / 10, round);
  const before = await bytesInUse();
  await rounds(count, round);
  const grown = (await bytesInUse()) - before;
  check(grown < ALLOWED_GROWTH, `${target.name}: ${grown} bytes more after ${count} rounds`);
}

async function steadyMessages(target: Target, count: number): Promise<void> {
  const gcm = target.create(keyOf(16));
  const message = text(48);
  const out = new Uint8Array(64);
  await repeat(target, count, () => {
    gcm.encryptInto(NONCE, message, out);
    gcm.decryptInto(NONCE, out, out);
  });
  gcm.destroy();
}

/** Keys and streams, some of them abandoned: a table of handles must not fill up. */
function steadyKeys(target: Target): Promise<void> {
  return repeat(target, 20_000, (i) => {
    const gcm = target.create(keyOf(32));
    gcm.encryptor(NONCE).aad(aad(3)).update(text(5));
    gcm.decryptor(NONCE).cancel();
    gcm.encrypt(NONCE, text(20));
    if (i % 2 === 0) gcm.destroy();
  });
}

/** Larger than any memory set aside, then small, then larger still (hacl-star#979). */
function growing(target: Target): void {
  const gcm = target.create(keyOf(16));
  const encryptor = gcm.encryptor(NONCE);
  const sizes = target.fast ? [50, 9_000_000, 50, 40_000_000, 50] : [50, 300_000, 50, 3_000_000, 50];
  for (const size of sizes) {
    const message = new Uint8Array(size).fill(size);
    const sealed = nodeSeal(keyOf(16), NONCE, aad(20), message);
    const options = { aad: aad(20) };
    check(Buffer.compare(gcm.encrypt(NONCE, message, options), sealed) === 0, `${size} bytes`);
    check(Buffer.compare(gcm.decrypt(NONCE, sealed, options), message) === 0, `${size} bytes, decrypt`);
    check(
      Buffer.compare(sealPieces(gcm, NONCE, [aad(20)], [message]), sealed) === 0,
      `${size} bytes, stream`,
    );
    const opened = openPieces(gcm, NONCE, [aad(20)], [sealed.subarray(0, size)], sealed.subarray(size));
    check(Buffer.compare(opened, message) === 0, `${size} bytes, stream, decrypt`);
    encryptor.update(text(21));
  }
  const wanted = nodeSeal(keyOf(16), NONCE, aad(0), Buffer.concat(sizes.map(() => text(21))));
  equalBytes(encryptor.finish(), wanted.subarray(21 * sizes.length), "a stream open all the while");
  gcm.destroy();
}

/** Large AAD and large pieces at odd places of their memory. */
function largeAad(target: Target): void {
  const gcm = target.create(keyOf(24));
  for (const length of [65_536, 65_537, 1_000_003]) {
    const header = new Uint8Array(length + 3).subarray(3).fill(length);
    const sealed = nodeSeal(keyOf(24), text(200), header, text(77));
    equalBytes(gcm.encrypt(text(200), text(77), { aad: header }), sealed, `AAD of ${length} bytes`);
    equalBytes(sealPieces(gcm, text(200), [header], [text(77)]), sealed, `AAD of ${length} bytes, stream`);
  }
  gcm.destroy();
}

/** Cases that need Node: its memory counters, and node:crypto to compare with. */
export const nodeCases: readonly Case[] = [
  { name: "memory: steady over 10^5 messages", run: (target) => steadyMessages(target, MESSAGES) },
  { name: "memory: steady over keys and streams", run: steadyKeys },
  { name: "memory: large, small, larger messages", run: growing },
  { name: "large AAD, long IV", run: largeAad },
];
