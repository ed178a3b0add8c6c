/** `evariste/streams`: right in any cut, honest when something is wrong, and no faster than its reader. */
import { AuthenticationError } from "evariste";
import { decryptStream, encryptStream, type RandomAccessSource } from "evariste/streams";
import { allBytes, check, concat, equal, equalBytes } from "../check.js";
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
  synchronous,
} from "./case.js";

const NONE: Bytes = new Uint8Array(0);
const BOTH: KeyUsage[] = ["encrypt", "decrypt"];
const SEGMENT = 1024;

/** A stream that makes a piece only when asked, and counts. */
function counted(parts: readonly Uint8Array[]) {
  const made = { pieces: 0, cancelled: undefined as unknown };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (made.pieces < parts.length) controller.enqueue(parts[made.pieces++]);
        else controller.close();
      },
      cancel(reason) {
        made.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { made, stream };
}

/** Reads to the end; by a reader, since not every browser's streams can be iterated. */
async function collect(stream: ReadableStream<Uint8Array>, into: Uint8Array[] = []): Promise<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concat(...into);
    into.push(value);
  }
}

function pieces(text: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.subarray(i * size, (i + 1) * size),
  );
}

/** A source in memory that counts its reads and can be changed between them. */
function memory(content: Uint8Array) {
  const made = { reads: 0, beforeRead: undefined as ((reads: number) => void) | undefined };
  const source: RandomAccessSource = {
    size: content.length,
    async read(offset, length) {
      made.beforeRead?.(made.reads++);
      return content.slice(offset, offset + length);
    },
  };
  return { made, source };
}

/** Lets everything that can run without a reader run. */
async function idle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setTimeout(resolve, 1));
}

async function anyCut(platform: Platform): Promise<void> {
  const random = new Random(11);
  const { subtle } = platform;
  for (let round = 0; round < 80; round++) {
    const raw = random.bytes(random.pick([16, 24, 32]));
    const iv = random.bytes(random.pick([12, 16, 1, 60]));
    const text = random.bytes(
      random.pick([0, 1, 16, SEGMENT - 1, SEGMENT, SEGMENT + 16, random.between(0, 20_000)]),
    );
    const aad = random.bytes(random.pick([0, 20]));
    const tagLength = random.between(12, 16);
    const options = {
      aad,
      subtle,
      tagLength,
      segmentLength: 16 * random.between(4, 100),
      inFlight: random.between(1, 4),
    };
    const whole = synchronous(raw, iv, text, aad);
    const sealed = whole.slice(0, text.length + tagLength);
    const useCryptoKey = raw.length !== 24 && random.pick([true, false]);
    const key = useCryptoKey ? await cryptoKey(platform, raw, BOTH) : raw;
    const what = `round ${round}: ${text.length} bytes, segments of ${options.segmentLength}`;
    const sealing = encryptStream(key, iv, options);
    const cut = random.cut(text, random.between(1, 30));
    equalBytes(await collect(counted(cut).stream.pipeThrough(sealing)), sealed, what);
    equalBytes(await sealing.tag, sealed.subarray(text.length), `${what}: tag`);
    const separate = encryptStream(key, iv, { ...options, tag: "separate" });
    equalBytes(
      await collect(counted(cut).stream.pipeThrough(separate)),
      sealed.subarray(0, text.length),
      what,
    );
    equalBytes(await separate.tag, sealed.subarray(text.length), `${what}: separate tag`);
    const opening = decryptStream(key, iv, { ...options, release: "unverified" });
    const sealedCut = random.cut(sealed, random.between(1, 30));
    equalBytes(await collect(counted(sealedCut).stream.pipeThrough(opening)), text, `${what}: unverified`);
    const source = random.pick([new Blob([sealed]), memory(sealed).source]);
    equalBytes(await collect(decryptStream(key, iv, { ...options, source })), text, `${what}: verified`);
    const [ciphertext, tag] = [sealed.slice(0, text.length), sealed.slice(text.length)];
    const detached = decryptStream(key, iv, { ...options, tag, source: new Blob([ciphertext]) });
    equalBytes(await collect(detached), text, `${what}: verified, tag apart`);
    const transform = decryptStream(key, iv, { ...options, tag, release: "unverified" });
    const stream = counted(random.cut(ciphertext, 3)).stream;
    equalBytes(await collect(stream.pipeThrough(transform)), text, `${what}: unverified, tag apart`);
  }
}

/** Every way of damaging a message. */
function forgeries(sealed: Bytes, aad: Bytes): [string, Bytes, Bytes][] {
  const length = sealed.length - 16;
  const places = [0, SEGMENT - 1, SEGMENT, length >> 1, length - 1, length, sealed.length - 1];
  return [
    ...places
      .filter((at) => at >= 0 && at < sealed.length)
      .map((at): [string, Bytes, Bytes] => [`byte ${at}`, flipped(sealed, at), aad]),
    ["AAD", sealed, flipped(aad, 0)],
    ["extended", concat(sealed, bytes(1)) as Bytes, aad],
    ["extended by a segment", concat(sealed, bytes(SEGMENT)) as Bytes, aad],
    ["without its last byte", sealed.slice(0, -1), aad],
    ["without its last segment", sealed.slice(0, -SEGMENT), aad],
    ["cut inside the tag's length", sealed.slice(0, 15), aad],
    ["nothing", NONE, aad],
  ];
}

async function tampering(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const aad = bytes(10);
  for (const key of [raw, await cryptoKey(platform, raw, BOTH)]) {
    for (const length of [0, 500, 5 * SEGMENT, 5 * SEGMENT + 100]) {
      const sealed = await oneShot(platform, raw, NONCE, bytes(length), aad);
      for (const [what, forged, otherAad] of forgeries(sealed, aad)) {
        const options = { aad: otherAad, segmentLength: SEGMENT, subtle: platform.subtle };
        for (const source of [new Blob([forged]), memory(forged).source]) {
          const released: Uint8Array[] = [];
          const verified = decryptStream(key, NONCE, { ...options, source });
          await rejects(AuthenticationError, () => collect(verified, released), `${length} bytes: ${what}`);
          equal(released.length, 0, `${length} bytes, ${what}: pieces that were released`);
        }
        const once = () =>
          counted(pieces(forged, 700)).stream.pipeThrough(
            decryptStream(key, NONCE, { ...options, release: "unverified" }),
          );
        await rejects(AuthenticationError, () => collect(once()), `${what}: read`);
        await rejects(AuthenticationError, () => once().pipeTo(new WritableStream()), `${what}: pipeTo`);
        if (Symbol.asyncIterator in ReadableStream.prototype) {
          const iterate = async () => {
            for await (const piece of once()) check(piece.length > 0, "an empty piece");
          };
          await rejects(AuthenticationError, iterate, `${what}: for await`);
        }
      }
    }
  }
}

/** Between the passes: what changed is noticed before it comes out, in the segment where it is. */
async function changedSource(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const text = bytes(6 * SEGMENT + 50);
  for (const key of [raw, await cryptoKey(platform, raw, BOTH)]) {
    for (let changed = 0; changed < 7; changed++) {
      const sealed = await oneShot(platform, raw, NONCE, text, NONE);
      const { made, source } = memory(sealed);
      // One read for the tag and one per segment is the first pass.
      made.beforeRead = (reads) => {
        if (reads === 8) sealed[changed * SEGMENT + 5] ^= 4;
      };
      const options = { segmentLength: SEGMENT, inFlight: 2, subtle: platform.subtle, source };
      const released: Uint8Array[] = [];
      await rejects(
        AuthenticationError,
        () => collect(decryptStream(key, NONCE, options), released),
        `segment ${changed} changed between the passes`,
      );
      equalBytes(concat(...released), text.subarray(0, changed * SEGMENT), "what was released before");
    }
  }
}

async function usages(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const { subtle } = platform;
  const sealed = await oneShot(platform, raw, NONCE, bytes(500), NONE);
  const sealing = await cryptoKey(platform, raw, ["encrypt"]);
  const opening = await cryptoKey(platform, raw, ["decrypt"]);
  const encrypted = counted([bytes(500)]).stream.pipeThrough(encryptStream(sealing, NONCE, { subtle }));
  equalBytes(await collect(encrypted), sealed, "encrypt only");
  for (const [key, what] of [
    [sealing, "decryption with encrypt only"],
    [opening, "segments without encrypt"],
  ] as const) {
    const source = new Blob([sealed]);
    await rejects(TypeError, () => collect(decryptStream(key, NONCE, { source, subtle })), what);
    const once = decryptStream(key, NONCE, { release: "unverified", subtle });
    await rejects(TypeError, () => collect(counted([sealed]).stream.pipeThrough(once)), what);
  }
  const forbidden = encryptStream(opening, NONCE, { subtle });
  await rejects(TypeError, () => collect(counted([bytes(9)]).stream.pipeThrough(forbidden)), "decrypt only");
  await rejects(TypeError, () => forbidden.tag, "its tag");
  await rejects(TypeError, () => decryptStream(raw, NONCE, {} as { release: "unverified" }), "no way named");
  await rejects(RangeError, () => encryptStream(raw, NONE), "no IV");
  await rejects(RangeError, () => encryptStream(raw.subarray(1), NONCE), "15 bytes of key");
}

async function backpressure(platform: Platform): Promise<void> {
  const raw = bytes(16);
  const { subtle } = platform;
  const inFlight = 2;
  const options = { segmentLength: SEGMENT, inFlight, subtle };
  const text = bytes(40 * SEGMENT);
  const sealed = await oneShot(platform, raw, NONCE, text, NONE);
  for (const key of [raw, await cryptoKey(platform, raw, BOTH)]) {
    const transforms = [
      { parts: pieces(text, SEGMENT), transform: encryptStream(key, NONCE, options) },
      {
        parts: pieces(sealed, SEGMENT),
        transform: decryptStream(key, NONCE, { ...options, release: "unverified" }),
      },
    ];
    for (const { parts, transform } of transforms) {
      const { made, stream } = counted(parts);
      const reader = stream.pipeThrough(transform).getReader();
      for (let read = 0; read < 10; read++) {
        await idle();
        check(made.pieces <= read + inFlight + 3, `${made.pieces} pieces were taken for ${read} reads`);
        equal((await reader.read()).value?.length, SEGMENT, "a piece of output");
      }
      await reader.cancel("enough");
      equal(made.cancelled, "enough", "the reason of the cancellation");
    }
    const { made, source } = memory(sealed);
    made.beforeRead = () => {};
    const reader = decryptStream(key, NONCE, { ...options, source }).getReader();
    await idle();
    equal(made.reads, 0, "reads of the source before anybody reads");
    for (let read = 1; read <= 10; read++) {
      await reader.read();
      await idle();
      // The first pass: a read for the tag and 40 segments.
      check(made.reads <= 41 + read + inFlight, `${made.reads} reads of the source after ${read} reads`);
    }
    await reader.cancel();
  }
}

/** One piece that is many segments long waits for its reader too. */
async function longPiece(platform: Platform): Promise<void> {
  const text = bytes(30 * SEGMENT);
  const transform = encryptStream(bytes(16), NONCE, {
    segmentLength: SEGMENT,
    inFlight: 2,
    subtle: platform.subtle,
  });
  const writer = transform.writable.getWriter();
  let written = false;
  const writing = writer.write(text).then(() => {
    written = true;
  });
  const reader = transform.readable.getReader();
  for (let read = 0; read < 20; read++) {
    await idle();
    check(!written, `the piece was taken whole after ${read} reads`);
    equal((await reader.read()).value?.length, SEGMENT, "output");
  }
  writer.abort(new RangeError("enough")).catch(() => {});
  await rejects(RangeError, () => writing, "the write under way when the stream is aborted");
  await rejects(RangeError, () => reader.read(), "a read after the abort");
  await rejects(RangeError, () => transform.tag, "the tag after the abort");
}

/** However a stream ends, nothing hangs and the other side learns of it. */
async function ends(platform: Platform): Promise<void> {
  const { subtle } = platform;
  const raw = bytes(32);
  const sealed = await oneShot(platform, raw, NONCE, bytes(5000), NONE);
  const make = () => [
    encryptStream(raw, NONCE, { segmentLength: SEGMENT, subtle }),
    decryptStream(raw, NONCE, { segmentLength: SEGMENT, subtle, release: "unverified" }),
  ];
  for (const transform of make()) {
    await transform.readable.cancel("early");
    await transform.writable.getWriter().closed.then(
      () => check(false, "the writable side closed"),
      (reason) => equal(reason, "early", "what the writable side learns"),
    );
  }
  for (const transform of make()) {
    await transform.writable.abort(new RangeError("stop"));
    await rejects(RangeError, () => transform.readable.getReader().read(), "read after abort");
  }
  for (const transform of make()) {
    const failing = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes(3000));
      },
      pull(controller) {
        controller.error(new RangeError("the network"));
      },
    });
    await rejects(RangeError, () => collect(failing.pipeThrough(transform)), "a source that fails");
  }
  for (const transform of make()) {
    const wrong = counted(["text" as unknown as Uint8Array]).stream;
    await rejects(TypeError, () => collect(wrong.pipeThrough(transform)), "pieces that are not bytes");
  }
  const shortened = { size: sealed.length, read: async () => new Uint8Array(3) };
  await rejects(
    Error,
    () => collect(decryptStream(raw, NONCE, { source: shortened, subtle })),
    "short reads",
  );
  const cancelled = decryptStream(raw, NONCE, { source: new Blob([sealed]), segmentLength: SEGMENT, subtle });
  const reader = cancelled.getReader();
  const reading = reader.read();
  await reader.cancel();
  check((await reading).done, "a read under way when the stream is cancelled");
}

/** The caller's key, IV and AAD are copied; what came out is not touched again. */
async function copies(platform: Platform): Promise<void> {
  const raw = bytes(16).slice();
  const [iv, aad] = [NONCE.slice(), bytes(30).slice()];
  const text = bytes(4000);
  const sealed = await oneShot(platform, raw, iv, text, aad);
  const options = { aad, segmentLength: SEGMENT, subtle: platform.subtle };
  const sealing = encryptStream(raw, iv, options);
  const opening = decryptStream(raw, iv, { ...options, source: new Blob([sealed]) });
  for (const own of [raw, iv, aad]) own.fill(0);
  equalBytes(await collect(counted(pieces(text, 999)).stream.pipeThrough(sealing)), sealed, "encryption");
  equalBytes(await collect(opening), text, "decryption");
  allBytes(raw, 0, "the caller's key");
}

/** That streams give ordinary AES-GCM in any cut, wait for their reader, and release nothing that was forged. */
export const streamCases: readonly AsyncCase[] = [
  { name: "streams cut anywhere", run: anyCut },
  { name: "a forged stream ends in an error; verified ones release nothing", run: tampering },
  { name: "a source that changes between the passes", run: changedSource },
  { name: "streams keep to usages", run: usages },
  { name: "streams wait for their reader", run: backpressure },
  { name: "a long piece waits for its reader", run: longPiece },
  { name: "every end of a stream", run: ends },
  { name: "streams copy their arguments", run: copies },
];
