/** `evariste/combine`: parts from anywhere make one ordinary message, or an error that says why not. */
import { AuthenticationError } from "evariste";
import { combineParts, encryptPart, RECORD_LENGTH } from "evariste/combine";
import { check, concat, equal, equalBytes } from "../check.js";
import { Random } from "../random.js";
import {
  type AsyncCase,
  type Bytes,
  bytes,
  cryptoKey,
  flipped,
  NONCE,
  type Platform,
  rejects,
  synchronous,
} from "./case.js";

async function anyParts(platform: Platform): Promise<void> {
  const random = new Random(23);
  const { subtle } = platform;
  for (let round = 0; round < 40; round++) {
    const raw = random.bytes(random.pick([16, 24, 32]));
    const asKey = async () =>
      raw.length === 24 || random.pick([true, false]) ? raw : cryptoKey(platform, raw, ["encrypt"]);
    const iv = random.bytes(random.pick([12, 16, 8]));
    const aad = random.bytes(random.between(0, 40));
    const text = random.bytes(random.between(0, 9000));
    const cuts = [
      0,
      ...Array.from({ length: 5 }, () => 16 * random.between(0, text.length >> 4)),
      text.length,
    ];
    cuts.sort((a, b) => a - b);
    const parts = [];
    for (let i = 1; i < cuts.length; i++) {
      const options = { segmentLength: 16 * random.between(5, 60), inFlight: random.between(1, 4), subtle };
      const part = text.subarray(cuts[i - 1], cuts[i]);
      parts.push(await encryptPart(await asKey(), iv, 16 * Math.ceil(cuts[i - 1] / 16), part, options));
    }
    const expected = synchronous(raw, iv, text, aad);
    const ciphertext = concat(...parts.flatMap((part) => part.ciphertext));
    equalBytes(ciphertext, expected.subarray(0, text.length), `round ${round}: ciphertext`);
    const records = parts.map((part) => part.record);
    for (const order of [records, [...records].reverse(), [...records.slice(2), ...records.slice(0, 2)]]) {
      const tag = await combineParts(await asKey(), iv, order, { aad, length: text.length, subtle });
      equalBytes(tag, expected.subarray(text.length), `round ${round}: tag`);
    }
  }
}

async function guards(platform: Platform): Promise<void> {
  const { subtle } = platform;
  const raw = bytes(16);
  const text = bytes(400);
  const part = async (start: number, end: number, iv: Bytes = NONCE, key: Bytes = raw) =>
    (await encryptPart(key, iv, start, text.subarray(start, end), { subtle })).record;
  const combine = (records: Iterable<Uint8Array>, length = 400, iv = NONCE, key = raw) =>
    combineParts(key, iv, records, { length, subtle });
  const [a, b, c] = [await part(0, 160), await part(160, 320), await part(320, 400)];
  equal(a.length, RECORD_LENGTH, "length of a record");
  equalBytes(await combine([c, a, b]), synchronous(raw, NONCE, text, bytes(0)).subarray(400), "all of them");
  const wrong: [string, Uint8Array[], number?][] = [
    ["none", []],
    ["first missing", [b, c]],
    ["middle missing", [a, c]],
    ["last missing", [a, b]],
    ["doubled", [a, b, b, c]],
    ["overlapping", [a, await part(144, 320), c]],
    ["overlapping, with a gap as long", [a, await part(144, 304), c]],
    ["contained", [a, b, c, await part(16, 32)]],
    ["too long", [a, b, c], 399],
    ["too short", [a, b, c], 401],
    ["not whole blocks inside", [await part(0, 150), b, c]],
  ];
  for (const [what, records, length] of wrong)
    await rejects(RangeError, () => combine(records, length), what);
  const otherIv = flipped(NONCE, 3);
  await rejects(RangeError, async () => combine([a, await part(160, 320, otherIv), c]), "another message");
  await rejects(
    AuthenticationError,
    async () => combine([a, await part(160, 320, NONCE, bytes(16, 3)), c]),
    "another key",
  );
  await rejects(
    AuthenticationError,
    () => combine([a, b, c], 400, NONCE, bytes(16, 3)),
    "combined under another key",
  );
  for (let at = 0; at < RECORD_LENGTH; at++) {
    // Magic, version and message id are form; all else is authenticated.
    const kind = at < 21 ? RangeError : AuthenticationError;
    await rejects(kind, () => combine([a, flipped(b, at), c]), `byte ${at} of a record`);
  }
  for (const record of [b.slice(1), concat(b, bytes(1)), new Uint8Array(0)]) {
    await rejects(RangeError, () => combine([a, record, c]), "no record");
  }
  check(
    (await part(160, 320)).some((byte, i) => byte !== b[i]),
    "two records are the same: no salt",
  );
  await rejects(RangeError, () => encryptPart(raw, NONCE, 8, text, { subtle }), "offset 8");
  await rejects(RangeError, () => encryptPart(raw, NONCE, -16, text, { subtle }), "offset -16");
  await rejects(RangeError, () => encryptPart(raw, NONCE, 2 ** 36, text, { subtle }), "beyond the limit");
  const opening = await cryptoKey(platform, raw, ["decrypt"]);
  await rejects(TypeError, () => encryptPart(opening, NONCE, 0, text, { subtle }), "decrypt only");
  const stop = AbortSignal.abort(new SyntaxError("stop"));
  await rejects(SyntaxError, () => encryptPart(raw, NONCE, 0, text, { subtle, signal: stop }), "aborted");
}

/** Far parts: the counter at 2^32 blocks less a few, without the 64 GiB before them. */
async function farParts(platform: Platform): Promise<void> {
  const { subtle } = platform;
  const raw = bytes(16);
  const offset = 2 ** 36 - 32 - 48;
  const { ciphertext } = await encryptPart(raw, NONCE, offset, new Uint8Array(48), {
    segmentLength: 16,
    subtle,
  });
  const key = await cryptoKey(platform, raw, ["encrypt"]);
  const other = await encryptPart(key, NONCE, offset, new Uint8Array(48), { segmentLength: 16, subtle });
  equalBytes(concat(...ciphertext), concat(...other.ciphertext), "raw key and CryptoKey");
  const ctr = await subtle.importKey("raw", raw, "AES-CTR", false, ["encrypt"]);
  const counter = new Uint8Array(16);
  counter.set(NONCE);
  // J0 counts 1, the first block of text 2.
  new DataView(counter.buffer).setUint32(12, 2 + offset / 16);
  const keystream = await subtle.encrypt({ name: "AES-CTR", counter, length: 32 }, ctr, new Uint8Array(48));
  equalBytes(concat(...ciphertext), new Uint8Array(keystream), "AES-CTR");
}

/** That parts of a message, encrypted apart, combine to the ordinary message and to nothing else. */
export const combineCases: readonly AsyncCase[] = [
  { name: "parts in any cut and order", run: anyParts },
  { name: "parts that do not make a message", run: guards },
  { name: "parts at the far end", run: farParts },
];
