/** One file through `evariste/chunked`, and errors in words. */
import { AuthenticationError } from "evariste";
import { openStream, sealStream } from "evariste/chunked";
import type { Destination } from "./destination.js";

/** Bytes that are done, seconds since the start. */
export type Progress = (bytes: number, seconds: number) => void;

/** Milliseconds of work after which the page gets its turn: promises alone never let it paint or take a click. */
const LONGEST_STRETCH = 25;

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

/** Encrypts or decrypts `file` into `destination`. Memory stays at a few pieces, whatever the size. */
export async function run(
  way: "encrypt" | "decrypt",
  key: Uint8Array,
  file: Blob,
  destination: Destination,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  const started = performance.now();
  let bytes = 0;
  let yielded = started;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    async transform(piece, controller) {
      bytes += piece.length;
      if (performance.now() - yielded > LONGEST_STRETCH) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        yielded = performance.now();
      }
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

const WORDS: Readonly<Record<string, string>> = {
  AbortError: "Cancelled. Nothing was kept.",
  QuotaExceededError: "This browser's storage is full. Choose another place to write to.",
  NotReadableError: "The file cannot be read. Was it moved or changed?",
};

/** What the user is told. */
export function inWords(error: unknown): string {
  if (error instanceof AuthenticationError)
    return "This key does not open this file, or the file was changed or cut. Nothing was kept.";
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return WORDS[name] ?? `It did not work: ${message}`;
}
