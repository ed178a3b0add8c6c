/** `evariste/ranges`: any range of an ordinary message, and what an index promises. */
import { AuthenticationError, StateError } from "evariste";
import {
  buildIndex,
  type RandomAccessSource,
  type RangeOptions,
  RangeReader,
  readRange,
} from "evariste/ranges";
import { check, concat, equal, equalBytes } from "../check.js";
import { Model } from "../model.js";
import { Random } from "../random.js";
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

const BOTH: KeyUsage[] = ["encrypt", "decrypt"];
const SEGMENT = 256;
const HEADER = 17;

interface Read {
  readonly offset: number;
  readonly length: number;
}

/** A source in memory that remembers what was read. */
function memory(content: Uint8Array): RandomAccessSource & { readonly reads: Read[] } {
  const reads: Read[] = [];
  return {
    reads,
    size: content.length,
    async read(offset, length) {
      reads.push({ offset, length });
      return content.slice(offset, offset + length);
    },
  };
}

async function collect(stream: ReadableStream<Bytes>): Promise<Uint8Array> {
  const parts: Bytes[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concat(...parts);
    parts.push(value);
  }
}

async function anyRange(platform: Platform): Promise<void> {
  const random = new Random(17);
  const raw = bytes(32);
  const { subtle } = platform;
  // A J0 whose counter wraps inside the message, beside an ordinary nonce.
  const j0 = bytes(16, 9).slice();
  new DataView(j0.buffer).setUint32(12, 0xfffffff0);
  const wrapping = new Uint8Array(new Model(raw).ivFor(j0));
  const aad = bytes(21);
  for (const key of [raw, await cryptoKey(platform, raw, BOTH)]) {
    for (const iv of [NONCE, wrapping]) {
      for (const length of [0, 1, SEGMENT, 5 * SEGMENT, 5 * SEGMENT + 7]) {
        const text = bytes(length);
        const sealed = await oneShot(platform, raw, iv, text, aad);
        const options = { aad, segmentLength: SEGMENT, inFlight: 2, subtle };
        const index = await buildIndex(new Blob([sealed]), key, iv, options);
        equal(index.length, HEADER + 48 + 16 * Math.ceil(length / SEGMENT), "length of the index");
        for (const way of [{ verify: "whole" }, { verify: "none" }, { verify: "index", index }] as const) {
          const reader = await RangeReader.open(memory(sealed), key, iv, { ...options, ...way });
          equal(reader.size, length, "size");
          for (let round = 0; round < 12; round++) {
            const start = random.between(0, length);
            const end = random.between(start, length);
            const what = `${way.verify}: bytes ${start} to ${end} of ${length}`;
            equalBytes(await reader.read(start, end), text.subarray(start, end), what);
            equalBytes(
              await collect(reader.stream(start, end)),
              text.subarray(start, end),
              `${what}, stream`,
            );
          }
          equalBytes(await collect(reader.stream()), text, "all of it");
          reader.destroy();
          await rejects(StateError, () => reader.read(0, 0), "after destroy");
        }
        const [start, end] = [length >> 2, length >> 1];
        const range = await readRange(memory(sealed), key, iv, start, end, {
          verify: "index",
          index,
          subtle,
        });
        equalBytes(range, text.subarray(start, end), "readRange");
      }
    }
  }
}

/** With an index a range costs its own segments and the tag, nothing else. */
async function readsOnlyItsSpan(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const sealed = await oneShot(platform, raw, NONCE, bytes(20 * SEGMENT + 9), bytes(0));
  const { subtle } = platform;
  const index = await buildIndex(memory(sealed), raw, NONCE, { segmentLength: SEGMENT, subtle });
  const source = memory(sealed);
  await readRange(source, raw, NONCE, 3 * SEGMENT + 5, 5 * SEGMENT, { verify: "index", index, subtle });
  const asked = source.reads.map(({ offset, length }) => `${offset}+${length}`).sort();
  equal(
    asked.join(),
    [`${20 * SEGMENT + 9}+16`, `${3 * SEGMENT}+256`, `${4 * SEGMENT}+256`].sort().join(),
    "reads",
  );
}

/** Damage inside the span is an error, damage elsewhere is not this read's business. */
async function damage(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const { subtle } = platform;
  const text = bytes(6 * SEGMENT + 40);
  const sealed = await oneShot(platform, raw, NONCE, text, bytes(4));
  const base = { segmentLength: SEGMENT, subtle };
  for (const key of [raw, await cryptoKey(platform, raw, BOTH)]) {
    const index = await buildIndex(memory(sealed), key, NONCE, { ...base, aad: bytes(4) });
    const way = { ...base, verify: "index", index } as const;
    for (let segment = 0; segment < 7; segment++) {
      for (const at of [segment * SEGMENT, Math.min(segment * SEGMENT + SEGMENT, text.length) - 1]) {
        const forged = flipped(sealed, at);
        const start = segment * SEGMENT + 10;
        const read = (from: number, to: number) => readRange(memory(forged), key, NONCE, from, to, way);
        await rejects(AuthenticationError, () => read(start, start + 1), `byte ${at} in the span`);
        await rejects(AuthenticationError, () => read(0, text.length), `byte ${at} in the message`);
        if (segment < 6) {
          equalBytes(
            await read(start + SEGMENT, text.length),
            text.subarray(start + SEGMENT),
            "behind the damage",
          );
        }
        const whole = { ...base, aad: bytes(4), verify: "whole" } as const;
        await rejects(AuthenticationError, () => readRange(memory(forged), key, NONCE, 0, 1, whole), "whole");
        await rejects(
          AuthenticationError,
          () => buildIndex(memory(forged), key, NONCE, { ...base, aad: bytes(4) }),
          "index",
        );
        const none = { ...base, verify: "none" } as const;
        equal((await readRange(memory(forged), key, NONCE, at, at + 1, none))[0], text[at] ^ 1, "unverified");
      }
    }
    for (const cut of [sealed.slice(0, -1), sealed.slice(SEGMENT), concat(sealed, bytes(1))]) {
      await rejects(
        AuthenticationError,
        () => readRange(memory(cut), key, NONCE, 0, 9, way),
        "another length",
      );
    }
    const swapped = concat(
      sealed.subarray(SEGMENT, 2 * SEGMENT),
      sealed.subarray(0, SEGMENT),
      sealed.subarray(2 * SEGMENT),
    );
    await rejects(
      AuthenticationError,
      () => readRange(memory(swapped), key, NONCE, 0, 9, way),
      "swapped segments",
    );
  }
}

async function forgedIndex(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const { subtle } = platform;
  const length = 3 * SEGMENT;
  const sealed = await oneShot(platform, raw, NONCE, bytes(length), bytes(0));
  const base = { segmentLength: SEGMENT, subtle };
  const index = await buildIndex(memory(sealed), raw, NONCE, base);
  const read = (given: Uint8Array, iv = NONCE, message: Uint8Array = sealed, key: Bytes = raw) =>
    readRange(memory(message), key, iv, 0, 10, { subtle, verify: "index", index: given });
  equalBytes(await read(index), bytes(length).subarray(0, 10), "the true index");
  for (let at = 0; at < index.length; at++) {
    // Magic and version are form; all else is authenticated.
    await rejects(at < 5 ? RangeError : AuthenticationError, () => read(flipped(index, at)), `byte ${at}`);
  }
  await rejects(AuthenticationError, () => read(concat(index, bytes(1))), "extended");
  await rejects(AuthenticationError, () => read(index.slice(0, -1)), "cut");
  await rejects(RangeError, () => read(index.slice(0, 40)), "cut to its beginning");
  await rejects(RangeError, () => read(new Uint8Array(0)), "empty");
  const otherIv = flipped(NONCE, 0);
  const other = await oneShot(platform, raw, otherIv, bytes(length, 2), bytes(0));
  await rejects(AuthenticationError, () => read(index, otherIv, other), "an index of another message");
  await rejects(AuthenticationError, () => read(index, otherIv), "another IV alone");
  const sameIv = await oneShot(platform, raw, NONCE, bytes(length, 2), bytes(0));
  await rejects(AuthenticationError, () => read(index, NONCE, sameIv), "an index of another text");
  await rejects(
    AuthenticationError,
    () => read(index, NONCE, flipped(sealed, sealed.length - 1)),
    "another tag",
  );
  await rejects(AuthenticationError, () => read(index, NONCE, sealed, bytes(16, 5)), "another key");
  const again = await buildIndex(memory(sealed), raw, NONCE, base);
  check(
    again.some((byte, i) => byte !== index[i]),
    "two indexes are the same: no salt",
  );
}

async function misuse(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const { subtle } = platform;
  const sealed = await oneShot(platform, raw, NONCE, bytes(100), bytes(0));
  const open = (options: object, key: Bytes | CryptoKey = raw) =>
    RangeReader.open(new Blob([sealed]), key, NONCE, { subtle, ...options } as unknown as RangeOptions);
  await rejects(TypeError, () => open({}), "no word on verification");
  await rejects(TypeError, () => open({ verify: true }), "verify: true");
  await rejects(TypeError, () => open({ verify: "index" }), "no index");
  await rejects(RangeError, () => open({ verify: "none", segmentLength: 17 }), "a segment of 17 bytes");
  for (const usage of BOTH) {
    const key = await cryptoKey(platform, raw, [usage]);
    await rejects(TypeError, () => open({ verify: "none" }, key), `only ${usage}`);
    await rejects(TypeError, () => buildIndex(new Blob([sealed]), key, NONCE, { subtle }), `only ${usage}`);
  }
  const reader = await open({ verify: "none" });
  for (const [start, end] of [
    [-1, 3],
    [0, 101],
    [5, 4],
    [0.5, 3],
    [0, Number.NaN],
  ]) {
    await rejects(RangeError, () => reader.read(start, end), `${start} to ${end}`);
  }
  await rejects(TypeError, () => reader.read("0" as unknown as number, 1), "a string");
  await rejects(StateError, () => reader.sealIndex(), "an index of what was not verified");
  reader.destroy();
  const stop = AbortSignal.abort(new SyntaxError("stop"));
  await rejects(SyntaxError, () => open({ verify: "whole", signal: stop }), "aborted");
}

/** That ranges are read rightly, verified as far as was asked, and from no more of the source than needed. */
export const rangeCases: readonly AsyncCase[] = [
  { name: "any range", run: anyRange },
  { name: "an indexed read reads only its span", run: readsOnlyItsSpan },
  { name: "damage inside and outside a range", run: damage },
  { name: "a forged index", run: forgedIndex },
  { name: "ranges: what is not allowed", run: misuse },
];
