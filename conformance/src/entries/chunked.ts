/** `evariste/chunked` on the streams and the HMAC of this runtime. */
import { AuthenticationError } from "evariste";
import { open, openStream, seal, sealedLength, sealStream } from "evariste/chunked";
import { concat, equal, equalBytes, Mismatch } from "../check.js";
import { Random } from "../random.js";
import type { EntryCase } from "./case.js";

const LENGTHS = [0, 1, 16_383, 16_384, 16_385, 100_003];
const CONTEXT = { context: Uint8Array.of(1, 2, 3) };

function source(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/** What a stream gives, by a reader: not every runtime iterates streams. */
async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  return concat(...parts);
}

async function streams(): Promise<void> {
  const random = new Random(31);
  for (const length of LENGTHS) {
    const key = random.bytes(random.pick([16, 32]));
    const message = random.bytes(length);
    const sealed = await collect(source(random.cut(message, 5)).pipeThrough(sealStream(key, CONTEXT)));
    equal(sealed.length, sealedLength(length), `${length} bytes: length of the file`);
    equalBytes(await open(key, sealed, CONTEXT), message, `${length} bytes: streamed, opened whole`);
    const whole = await seal(key, message, CONTEXT);
    const opened = await collect(source(random.cut(whole, 7)).pipeThrough(openStream(key, CONTEXT)));
    equalBytes(opened, message, `${length} bytes: sealed whole, streamed back`);
  }
}

async function forgedStream(): Promise<void> {
  const random = new Random(32);
  const key = random.bytes(32);
  const sealed = await seal(key, random.bytes(50_000));
  const cut = sealed.subarray(0, sealed.length - 1);
  const altered = sealed.map((byte, i) => (i === 40_000 ? byte ^ 1 : byte));
  for (const [what, bytes] of Object.entries({ cut, altered })) {
    try {
      await collect(source([bytes]).pipeThrough(openStream(key)));
    } catch (error) {
      if (error instanceof AuthenticationError) continue;
      throw new Mismatch(`${what}: ${String(error)}, not AuthenticationError`);
    }
    throw new Mismatch(`${what}: no error`);
  }
}

/** Web streams end to end. */
export const chunkedCases: readonly EntryCase[] = [
  { name: "chunked: streams and whole messages agree", run: streams },
  { name: "chunked: a stream that was cut or altered fails", run: forgedStream },
];
