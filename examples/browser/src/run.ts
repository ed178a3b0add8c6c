/** One file through `evariste/chunked`. */
import { openStream, sealStream } from "evariste/chunked";
import type { Destination } from "./destination.js";
import type { Job } from "./job.js";

/** Bytes read at once. */
const PIECE = 1024 * 1024;

/** A file in pieces of one size: those of `Blob.stream()` are as large as the browser likes, and each is worked on whole. */
function piecesOf(file: Blob): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= file.size) {
        controller.close();
        return;
      }
      controller.enqueue(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()));
      at += PIECE;
    },
  });
}

/**
 * Encrypts or decrypts a file. Memory stays at a few pieces, whatever the size.
 *
 * @param progress takes the bytes that are done and the seconds since the start
 */
export async function run(
  { way, key, file }: Job,
  destination: Destination,
  signal: AbortSignal,
  progress: (bytes: number, seconds: number) => void,
): Promise<void> {
  const started = performance.now();
  let bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      bytes += piece.length;
      progress(bytes, (performance.now() - started) / 1000);
      controller.enqueue(piece);
    },
  });
  const cipher = way === "encrypt" ? sealStream(key) : openStream(key);
  try {
    await piecesOf(file).pipeThrough(counted).pipeThrough(cipher).pipeTo(destination.writable, { signal });
  } catch (error) {
    await destination.discard();
    throw error;
  }
}
