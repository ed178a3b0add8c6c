/** `evariste/webcrypto` against one-shot calls of the same platform. */
import { AuthenticationError, StateError } from "evariste";
import { StitchedGcm } from "evariste/webcrypto";
import { check, concat, equal, equalBytes } from "../check.js";
import { Model } from "../model.js";
import { Random } from "../random.js";
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
  synchronous,
} from "./case.js";

const NONE: Bytes = new Uint8Array(0);
const BOTH: KeyUsage[] = ["encrypt", "decrypt"];

/** Lengths at and around every edge of the first segments, and to 70,000. */
function edges(segment: number): number[] {
  const around = [-17, -16, -15, -1, 0, 1, 15, 16, 17];
  const near = [1, 2, 3, 4, 7].flatMap((count) => around.map((d) => count * segment + d));
  return [...new Set([0, 1, 15, 16, 17, ...near, 69_999, 70_000])].filter((n) => n >= 0 && n <= 70_000);
}

async function bitExact(platform: Platform, keyLength: number): Promise<void> {
  const raw = bytes(keyLength);
  const key = await cryptoKey(platform, raw, BOTH);
  const aad = bytes(33, 2);
  let round = 0;
  for (const segmentLength of [16, 48, 1024, 4096, 16_384]) {
    const gcms = await Promise.all(
      [1, 2, 3, 4].map((inFlight) =>
        StitchedGcm.create(key, { segmentLength, inFlight, subtle: platform.subtle }),
      ),
    );
    // Tiny segments of long messages are thousands of calls and show nothing new.
    for (const length of edges(segmentLength).filter((n) => n <= segmentLength * 100)) {
      const gcm = gcms[round++ % gcms.length];
      const text = bytes(length);
      const expected = await oneShot(platform, raw, NONCE, text, aad);
      const what = `${length} bytes in segments of ${segmentLength}`;
      equalBytes(await gcm.encrypt(NONCE, text, { aad }), expected, what);
      equalBytes(await gcm.decrypt(NONCE, expected, { aad }), text, `${what}, decrypted`);
    }
    for (const gcm of gcms) gcm.destroy();
  }
}

/** Any length from 0 to 70,000, segment, number in flight, AAD and tag length: drawn at random, repeatably. */
async function randomMessages(platform: Platform): Promise<void> {
  const random = new Random(5);
  for (let round = 0; round < 150; round++) {
    const raw = random.bytes(random.pick([16, 32]));
    const text = random.bytes(random.between(0, 70_000));
    const segmentLength = 16 * random.between(Math.ceil(text.length / 1600), 2048);
    const inFlight = random.between(1, 4);
    const aad = random.bytes(random.pick([0, 1, 15, 16, 17, 32, 1000]));
    const tagLength = random.between(12, 16);
    const iv = random.bytes(random.pick([12, 16]));
    const options = { segmentLength, inFlight, tagLength, syncBelow: 0, subtle: platform.subtle };
    const gcm = await StitchedGcm.create(raw, options);
    const expected = await oneShot(platform, raw, iv, text, aad, tagLength);
    const what = `round ${round}: ${text.length} bytes, segments of ${segmentLength}, ${inFlight} in flight`;
    equalBytes(concat(...(await gcm.encryptToParts(iv, text, { aad }))), expected, what);
    equalBytes(concat(...(await gcm.decryptToParts(iv, expected, { aad }))), text, what);
    gcm.destroy();
  }
}

async function anyIvAndKey(platform: Platform): Promise<void> {
  for (const keyLength of [16, 24, 32]) {
    const raw = bytes(keyLength);
    for (const syncBelow of [0, 1 << 20]) {
      const options = { segmentLength: 64, syncBelow, subtle: platform.subtle };
      const gcm = await StitchedGcm.create(raw, options);
      for (const ivLength of [1, 7, 8, 11, 12, 13, 15, 16, 17, 32, 60, 128, 129, 1000]) {
        for (const length of [0, 5, 64, 300]) {
          const iv = bytes(ivLength, 7);
          const expected = synchronous(raw, iv, bytes(length), bytes(3));
          const what = `key of ${keyLength}, IV of ${ivLength}, text of ${length}`;
          equalBytes(await gcm.encrypt(iv, bytes(length), { aad: bytes(3) }), expected, what);
          equalBytes(await gcm.decrypt(iv, expected, { aad: bytes(3) }), bytes(length), what);
        }
      }
      await rejects(RangeError, () => gcm.encrypt(NONE, bytes(5)), "empty IV");
      gcm.destroy();
    }
  }
}

/** The 32-bit counter at its wrap, at and inside segments, by IVs that are solved for a chosen J0. */
async function counterWrap(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const model = new Model(raw);
  const key = await cryptoKey(platform, raw, BOTH);
  for (const segmentLength of [16, 64, 1024]) {
    const gcm = await StitchedGcm.create(key, { segmentLength, inFlight: 3, subtle: platform.subtle });
    for (const lastWord of [0xffffffff, 0xfffffffe, 0xfffffffd, 0xfffffffb, 0xfffffff7, 0xffffffbf, 0]) {
      const j0 = bytes(16, 9).slice();
      new DataView(j0.buffer).setUint32(12, lastWord);
      const iv = new Uint8Array(model.ivFor(j0));
      for (const length of [16, 33, 64, 128, 2000]) {
        const expected = await oneShot(platform, raw, iv, bytes(length), bytes(5));
        equalBytes(expected, synchronous(raw, iv, bytes(length), bytes(5)), "one-shot");
        const what = `J0 ends in ${lastWord.toString(16)}: ${length} bytes in segments of ${segmentLength}`;
        equalBytes(await gcm.encrypt(iv, bytes(length), { aad: bytes(5) }), expected, what);
        equalBytes(await gcm.decrypt(iv, expected, { aad: bytes(5) }), bytes(length), what);
      }
    }
    gcm.destroy();
  }
}

async function largeAad(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const key = await cryptoKey(platform, raw, BOTH);
  const gcm = await StitchedGcm.create(key, { segmentLength: 1024, subtle: platform.subtle });
  for (const length of [0, 1, 16, 17, 1 << 20, (1 << 20) + 1, 2_500_000]) {
    const aad = bytes(length, 3);
    const text = bytes(5000);
    const expected = await oneShot(platform, raw, NONCE, text, aad);
    equalBytes(await gcm.encrypt(NONCE, text, { aad }), expected, `AAD of ${length} bytes`);
    equalBytes(await gcm.decrypt(NONCE, expected, { aad }), text, `AAD of ${length} bytes, decrypted`);
  }
  gcm.destroy();
}

async function tampering(platform: Platform): Promise<void> {
  const raw = bytes(32);
  const aad = bytes(20, 4);
  for (const key of [
    raw,
    await cryptoKey(platform, raw, BOTH),
    await cryptoKey(platform, raw, ["decrypt"]),
  ]) {
    for (const [length, segmentLength] of [
      [0, 64],
      [40, 64],
      [1000, 64],
      [1000, 1024],
    ]) {
      const options = { segmentLength, inFlight: 3, syncBelow: 0, subtle: platform.subtle };
      const gcm = await StitchedGcm.create(key, options);
      const sealed = await oneShot(platform, raw, NONCE, bytes(length), aad);
      const last = sealed.length - 1;
      const places = [...new Set([0, 1, 63, 64, length >> 1, length - 1, length, last - 8, last])];
      const forgeries: [string, Bytes, Bytes, Bytes][] = places
        .filter((at) => at >= 0 && at <= last)
        .map((at) => [`byte ${at}`, NONCE, flipped(sealed, at), aad]);
      forgeries.push(
        ["AAD", NONCE, sealed, flipped(aad, 3)],
        ["no AAD", NONCE, sealed, NONE],
        ["IV", flipped(NONCE, 0), sealed, aad],
        ["extended", NONCE, concat(sealed, bytes(1)) as Bytes, aad],
        ["extended in front", NONCE, concat(bytes(16), sealed) as Bytes, aad],
      );
      for (const kept of [0, 1, 15, length, last].filter((n) => n < sealed.length)) {
        forgeries.push([`cut to ${kept}`, NONCE, sealed.slice(0, kept), aad]);
      }
      for (const [what, iv, forged, otherAad] of forgeries) {
        const named = `${length} bytes in segments of ${segmentLength}: ${what}`;
        await rejects(AuthenticationError, () => gcm.decrypt(iv, forged, { aad: otherAad }), named);
        await rejects(AuthenticationError, () => gcm.decryptToParts(iv, forged, { aad: otherAad }), named);
      }
      equalBytes(await gcm.decrypt(NONCE, sealed, { aad }), bytes(length), "the true message afterwards");
      gcm.destroy();
    }
  }
}

async function usages(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const sealed = await oneShot(platform, raw, NONCE, bytes(500), NONE);
  for (const segmentLength of [64, 1024]) {
    const create = async (given: KeyUsage[]) =>
      StitchedGcm.create(await cryptoKey(platform, raw, given), { segmentLength, subtle: platform.subtle });
    const sealing = await create(["encrypt"]);
    equalBytes(await sealing.encrypt(NONCE, bytes(500)), sealed, "encrypt only");
    await rejects(TypeError, () => sealing.decrypt(NONCE, sealed), "decryption with encrypt only");
    const opening = await create(["decrypt"]);
    equalBytes(await opening.decrypt(NONCE, sealed), bytes(500), "decrypt only");
    await rejects(TypeError, () => opening.encrypt(NONCE, bytes(500)), "encryption with decrypt only");
    for (const gcm of [sealing, opening]) gcm.destroy();
  }
  const wrapping = await cryptoKey(platform, raw, ["wrapKey", "unwrapKey"]);
  await rejects(TypeError, () => StitchedGcm.create(wrapping), "neither usage");
  const cbc = await platform.subtle.importKey("raw", raw, "AES-CBC", false, BOTH);
  await rejects(TypeError, () => StitchedGcm.create(cbc), "a key for AES-CBC");
  await rejects(RangeError, () => StitchedGcm.create(bytes(17)), "17 bytes");
}

async function abortAndProgress(platform: Platform): Promise<void> {
  const { subtle } = platform;
  const gcm = await StitchedGcm.create(bytes(16), { segmentLength: 64, inFlight: 2, syncBelow: 0, subtle });
  const seen: number[] = [];
  await gcm.encrypt(NONCE, bytes(200), { onProgress: (done, total) => seen.push(done, total) });
  equal(seen.join(), [64, 200, 128, 200, 192, 200, 200, 200].join(), "progress");
  for (const length of [10, 64 * 50]) {
    const sealed = await gcm.encrypt(NONCE, bytes(length));
    const before = AbortSignal.abort(new RangeError("stop"));
    await rejects(RangeError, () => gcm.encrypt(NONCE, bytes(length), { signal: before }), "aborted before");
    await rejects(RangeError, () => gcm.decrypt(NONCE, sealed, { signal: before }), "aborted before");
    const ways = ["encrypt", "encryptToParts", "decrypt", "decryptToParts"] as const;
    for (const way of ways) {
      const during = new AbortController();
      let calls = 0;
      const onProgress = () => {
        calls++;
        during.abort(new RangeError("stop"));
      };
      const input = way.startsWith("encrypt") ? bytes(length) : sealed;
      const running: Promise<unknown> = gcm[way](NONCE, input, { signal: during.signal, onProgress });
      if (length > 64) {
        await rejects(RangeError, () => running, "aborted in between");
        check(calls <= 4, `${calls} segments were delivered after the abort`);
      } else await running;
    }
  }
  gcm.destroy();
}

/** What callers do with their memory after the call, and what they do to the key. */
async function afterTheCall(platform: Platform): Promise<void> {
  const raw = bytes(32);
  for (const key of [raw, await cryptoKey(platform, raw, BOTH)]) {
    const gcm = await StitchedGcm.create(key, { segmentLength: 64, syncBelow: 0, subtle: platform.subtle });
    // By one call, and in segments.
    for (const length of [40, 1000]) {
      const [iv, aad] = [NONCE.slice(), bytes(20).slice()];
      const running = gcm.encrypt(iv, bytes(length), { aad });
      iv.fill(0);
      aad.fill(0);
      const expected = await oneShot(platform, raw, NONCE, bytes(length), bytes(20));
      equalBytes(await running, expected, "IV and AAD changed after the call");
    }
    for (const part of await gcm.encryptToParts(NONCE, bytes(200))) {
      const around = new Uint8Array(part.buffer);
      const outside = concat(
        around.subarray(0, part.byteOffset),
        around.subarray(part.byteOffset + part.length),
      );
      check(
        outside.every((byte) => byte === 0),
        "a part's memory holds the tag of its segment",
      );
    }
    const interrupted = gcm.encrypt(NONCE, bytes(1000));
    const other = gcm.decrypt(NONCE, bytes(1000));
    gcm.destroy();
    await rejects(StateError, () => interrupted, "destroyed during an encryption");
    await rejects(StateError, () => other, "destroyed during a decryption");
    await rejects(StateError, () => gcm.encrypt(NONCE, bytes(10)), "destroyed before");
  }
}

async function sharedMemory({ subtle }: Platform): Promise<void> {
  const gcm = await StitchedGcm.create(bytes(16), { segmentLength: 64, syncBelow: 0, subtle });
  const shared = sharedBytes(200);
  await rejects(TypeError, () => gcm.encrypt(NONCE, shared), "shared plaintext");
  await rejects(TypeError, () => gcm.decrypt(NONCE, shared), "shared ciphertext");
  equalBytes(
    await gcm.encrypt(NONCE, shared.subarray(0, 40)),
    await gcm.encrypt(NONCE, new Uint8Array(40)),
    "little shared memory is copied",
  );
  gcm.destroy();
}

/** That messages cut into segments are ordinary AES-GCM, whatever their length, key and IV. */
export const stitchedCases: readonly AsyncCase[] = [
  { name: "stitched is one-shot, AES-128", run: (platform) => bitExact(platform, 16) },
  { name: "stitched is one-shot, AES-256", run: (platform) => bitExact(platform, 32) },
  { name: "stitched is one-shot, random messages", run: randomMessages },
  { name: "IVs of every length, keys of every length", run: anyIvAndKey },
  { name: "the counter's wrap", run: counterWrap },
  { name: "large AAD", run: largeAad },
  { name: "a forged message gives an error and no byte", run: tampering },
  { name: "usages are kept to", run: usages },
  { name: "abort and progress", run: abortAndProgress },
  { name: "memory and keys after the call", run: afterTheCall },
  { name: "shared memory", run: sharedMemory },
];
