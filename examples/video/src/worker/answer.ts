/** A plaintext as a web server would give it: whole, or the range that is asked for. */
import type { RangeReader } from "evariste/ranges";
import parseRange from "range-parser";

type Bytes = Uint8Array<ArrayBuffer>;

/** Where a range begins and ends, its end not included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Answers a request with what is read, and only when its first piece was read: until then a failure can still be a status.
 *
 * @param range the request's header `Range`
 * @param onFailure told of an error, also of one in the midst of the body, which the receiver sees as a broken connection
 */
export async function answer(
  reader: RangeReader,
  type: string,
  range: string | null,
  onFailure: (error: unknown) => void,
): Promise<Response> {
  const headers = new Headers({
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-store",
    "Content-Type": type,
    "X-Content-Type-Options": "nosniff",
  });
  const span = spanOf(range, reader.size);
  if (span === "outside") {
    headers.set("Content-Range", `bytes */${reader.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = span ?? { start: 0, end: reader.size };
  headers.set("Content-Length", String(end - start));
  if (span !== undefined) headers.set("Content-Range", `bytes ${start}-${end - 1}/${reader.size}`);
  try {
    const body = await begun(reader.stream(start, end), onFailure);
    return new Response(body, { status: span === undefined ? 200 : 206, headers });
  } catch (error) {
    onFailure(error);
    return new Response(null, { status: 502 });
  }
}

/** @returns undefined for the whole, which is also what a header means that asks for several ranges or makes no sense */
function spanOf(range: string | null, size: number): Span | "outside" | undefined {
  if (range === null) return undefined;
  const ranges = parseRange(size, range);
  if (ranges === -1) return "outside";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return { start: ranges[0].start, end: ranges[0].end + 1 };
}

/** The same stream once its first piece is there. @throws what reading that throws */
async function begun(
  stream: ReadableStream<Bytes>,
  onFailure: (error: unknown) => void,
): Promise<ReadableStream<Bytes>> {
  const reader = stream.getReader();
  const give = (
    { done, value }: ReadableStreamReadResult<Bytes>,
    to: ReadableStreamDefaultController<Bytes>,
  ) => {
    if (done) to.close();
    else to.enqueue(value);
  };
  const first = await reader.read();
  return new ReadableStream(
    {
      start: (controller) => give(first, controller),
      async pull(controller) {
        const next = await reader.read().catch((error) => {
          onFailure(error);
          throw error;
        });
        give(next, controller);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
