/** `encryptInto` and `decryptInto` of `evariste/webcrypto`. */
import { AuthenticationError } from "evariste";
import { StitchedGcm } from "evariste/webcrypto";
import { allBytes, check, equal, equalBytes } from "../check.js";
import { sharedBytes } from "../shared-memory.js";
import {
  type AsyncCase,
  type Bytes,
  bytes,
  cryptoKey,
  flipped,
  NONCE,
  oneShot,
  type Platform,
  rejects,
} from "./case.js";

const RAW = bytes(16);
const AAD = bytes(20, 4);
const SEGMENT = 64;
/** By one call, and in segments. */
const LENGTHS = [0, 1, 40, 64, 65, 500, 1000];
const SHIFTS = [0, 1, -1, 16, -16, 64, -64, 100, -100, 2000];
const MARGIN = 128;
const FILL = 0xcc;

/** A key that stitches, one whose messages all go to the synchronous engines, and where they run. */
async function openAll(platform: Platform): Promise<StitchedGcm[]> {
  const options = { segmentLength: SEGMENT, inFlight: 3, subtle: platform.subtle };
  const key = await cryptoKey(platform, RAW, ["encrypt", "decrypt"]);
  return [
    await StitchedGcm.create(key, options),
    await StitchedGcm.create(RAW, { ...options, syncBelow: 1 << 20 }),
  ];
}

/** One piece of memory with `input` in it, and a place for the output `shift` bytes behind the input's start. */
function place(input: Bytes, outputLength: number, shift: number) {
  const memory = new Uint8Array(2 * MARGIN + Math.max(input.length, outputLength) + Math.max(0, shift)).fill(
    FILL,
  );
  const source = memory.subarray(MARGIN, MARGIN + input.length);
  source.set(input);
  const before = memory.slice();
  const [from, to] = [MARGIN + shift, MARGIN + shift + outputLength];
  const untouched = (what: string) => {
    equalBytes(memory.subarray(0, from), before.subarray(0, from), `${what}: before the output`);
    equalBytes(memory.subarray(to), before.subarray(to), `${what}: after the output`);
  };
  // Longer than needed: the rest is the caller's.
  return { source, out: memory.subarray(from), result: memory.subarray(from, to), untouched };
}

async function anywhere(platform: Platform): Promise<void> {
  for (const gcm of await openAll(platform)) {
    for (const length of LENGTHS) {
      const sealed = await oneShot(platform, RAW, NONCE, bytes(length), AAD);
      for (const shift of SHIFTS) {
        const what = `${length} bytes, output at ${shift}`;
        const enc = place(bytes(length), sealed.length, shift);
        equal(await gcm.encryptInto(NONCE, enc.source, enc.out, { aad: AAD }), sealed.length, what);
        equalBytes(enc.result, sealed, what);
        enc.untouched(what);
        const dec = place(sealed, length, shift);
        equal(await gcm.decryptInto(NONCE, dec.source, dec.out, { aad: AAD }), length, what);
        equalBytes(dec.result, bytes(length), `${what}, decrypted`);
        dec.untouched(`${what}, decrypted`);
      }
    }
    gcm.destroy();
  }
}

/** No byte of plaintext is written before all of the message is verified. */
async function forgedInto(platform: Platform): Promise<void> {
  for (const gcm of await openAll(platform)) {
    for (const length of LENGTHS) {
      const sealed = await oneShot(platform, RAW, NONCE, bytes(length), AAD);
      for (const at of [0, length >> 1, sealed.length - 1]) {
        for (const shift of [0, 2000]) {
          const what = `${length} bytes, byte ${at} forged, output at ${shift}`;
          const { source, out, result, untouched } = place(flipped(sealed, at), length, shift);
          const first = result.slice();
          const onProgress = () => equalBytes(result, first, `${what}, meanwhile`);
          const options = { aad: AAD, onProgress };
          await rejects(AuthenticationError, () => gcm.decryptInto(NONCE, source, out, options), what);
          allBytes(result, 0, what);
          untouched(what);
        }
      }
    }
    gcm.destroy();
  }
}

async function progressAndAbort(platform: Platform): Promise<void> {
  const [gcm] = await openAll(platform);
  const sealed = await gcm.encrypt(NONCE, bytes(200));
  const out = new Uint8Array(200);
  const seen: number[] = [];
  await gcm.decryptInto(NONCE, sealed, out, { onProgress: (done) => seen.push(done) });
  equal(seen.join(), [32, 64, 96, 132, 164, 196, 200].join(), "progress");
  for (const way of ["encryptInto", "decryptInto"] as const) {
    const during = new AbortController();
    const memory = new Uint8Array(10_016).fill(FILL);
    const input = way === "encryptInto" ? bytes(10_000) : await gcm.encrypt(NONCE, bytes(10_000));
    let calls = 0;
    const onProgress = () => {
      if (++calls === 170) during.abort(new RangeError("stop"));
      check(calls < 175, `${way}: ${calls} segments were delivered after the abort`);
    };
    const options = { signal: during.signal, onProgress };
    if (way === "encryptInto") during.abort(new RangeError("stop"));
    await rejects(RangeError, () => gcm[way](NONCE, input, memory, options), `${way} aborted`);
    if (way === "decryptInto") allBytes(memory.subarray(0, 10_000), 0, "after the abort");
  }
  gcm.destroy();
}

async function refusedOutputs(platform: Platform): Promise<void> {
  for (const gcm of await openAll(platform)) {
    const sealed = await gcm.encrypt(NONCE, bytes(200));
    const out = new Uint8Array(215).fill(FILL);
    await rejects(RangeError, () => gcm.encryptInto(NONCE, bytes(200), out), "215 bytes for 216");
    await rejects(RangeError, () => gcm.decryptInto(NONCE, sealed, out.subarray(16)), "199 bytes for 200");
    allBytes(out, FILL, "written before the check");
    const shared = sharedBytes(216);
    await rejects(TypeError, () => gcm.encryptInto(NONCE, bytes(200), shared), "shared out");
    await rejects(TypeError, () => gcm.decryptInto(NONCE, sealed, shared), "shared plain out");
    allBytes(shared, 0, "shared memory");
    const short = sealed.slice(0, 15);
    await rejects(AuthenticationError, () => gcm.decryptInto(NONCE, short, out), "shorter than a tag");
    gcm.destroy();
  }
}

/** `encryptInto` and `decryptInto` of {@link StitchedGcm}. */
export const intoCases: readonly AsyncCase[] = [
  { name: "into the caller's memory, in place and overlapping", run: anywhere },
  { name: "into the caller's memory: no byte before the tag is verified", run: forgedInto },
  { name: "into the caller's memory: progress and abort", run: progressAndAbort },
  { name: "into the caller's memory: what is refused", run: refusedOutputs },
];
