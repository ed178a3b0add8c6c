/** Contestants that take a message in pieces and give it in pieces, with as much memory as they need for a few. */
import * as crypto from "node:crypto";
import { readFile } from "node:fs/promises";
import { gcmName, seal } from "./node-crypto.js";
import { encrypts, memoryFor, PIECE, type Run, type Shape, TAG } from "./shape.js";

/** What {@link evaristeStreams} is to be. */
export interface StreamOptions {
  /** A non-extractable CryptoKey, so that WebCrypto does the work, in segments. */
  readonly cryptoKey?: boolean;
  /** Default: decryption is verified first, from a source that is read twice. */
  readonly release?: "unverified";
}

type Through = ReadableWritablePair<Uint8Array, Uint8Array>;

/** encryptStream and decryptStream of this library. */
export async function evaristeStreams(shape: Shape, options: StreamOptions = {}): Promise<Run | undefined> {
  const isEncryption = encrypts(shape.operation);
  const unverified = options.release === "unverified";
  if (!isStream(shape) || (isEncryption && unverified)) return undefined;
  const { encryptStream, decryptStream } = await import("evariste/streams");
  const { key: raw, iv, ivFor, plaintext } = memoryFor(shape);
  const key = options.cryptoKey ? await cryptoKey(raw) : raw;
  if (isEncryption) return (i) => drain(pieces(plaintext).pipeThrough(encryptStream(key, ivFor(i))));
  const sealed = new Uint8Array(seal(shape, iv));
  if (unverified) {
    return () => drain(pieces(sealed).pipeThrough(decryptStream(key, iv, { release: "unverified" })));
  }
  const source = {
    size: sealed.length,
    read: async (offset: number, length: number) => sealed.subarray(offset, offset + length),
  };
  return () => drain(decryptStream(key, iv, { source }));
}

/** StitchedGcm of this library with a CryptoKey: the whole message in, parts out. */
export async function stitched(shape: Shape): Promise<Run | undefined> {
  if (!isStream(shape)) return undefined;
  const { StitchedGcm } = await import("evariste/webcrypto");
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  const gcm = await StitchedGcm.create(await cryptoKey(key));
  if (encrypts(shape.operation)) return async (i) => void (await gcm.encryptToParts(ivFor(i), plaintext));
  const sealed = new Uint8Array(seal(shape, iv));
  return async () => void (await gcm.decryptToParts(iv, sealed));
}

/** sealStream and openStream of this library: a tag per 16 KiB. Takes keys of 128 and 256 bits. */
export async function chunked(shape: Shape): Promise<Run | undefined> {
  if (!isStream(shape) || shape.keyBits === 192) return undefined;
  const { openStream, seal: sealWhole, sealStream } = await import("evariste/chunked");
  const { key, plaintext } = memoryFor(shape);
  if (encrypts(shape.operation)) return () => drain(pieces(plaintext).pipeThrough(sealStream(key)));
  const sealed = await sealWhole(key, plaintext);
  return () => drain(pieces(sealed).pipeThrough(openStream(key)));
}

/** The least that node:crypto needs: update for each piece, no streams. Decryption is unverified until its end. */
export function nodeLoop(shape: Shape): Run | undefined {
  if (!isStream(shape)) return undefined;
  const { key: raw, iv, ivFor, plaintext } = memoryFor(shape);
  const key = crypto.createSecretKey(raw);
  const algorithm = gcmName(shape.keyBits);
  if (encrypts(shape.operation)) {
    return (i) => {
      const cipher = crypto.createCipheriv(algorithm, key, ivFor(i));
      for (let at = 0; at < plaintext.length; at += PIECE) cipher.update(plaintext.subarray(at, at + PIECE));
      cipher.final();
      cipher.getAuthTag();
    };
  }
  const sealed = seal(shape, iv);
  return () => {
    const decipher = crypto.createDecipheriv(algorithm, key, iv, { authTagLength: TAG });
    for (let at = 0; at < shape.size; at += PIECE) {
      decipher.update(sealed.subarray(at, Math.min(at + PIECE, shape.size)));
    }
    decipher.setAuthTag(sealed.subarray(shape.size));
    decipher.final();
  };
}

/** Rust compiled to WebAssembly, in streams; AES-256 only, and its decryption is unverified until its end. */
export async function encryptWebStreams(shape: Shape): Promise<Run | undefined> {
  if (!isStream(shape) || shape.keyBits !== 256) return undefined;
  const rust = await import("@transcend-io/encrypt-web-streams");
  await withFilesFetched(() => rust.init());
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  if (encrypts(shape.operation)) {
    return (i) => drain(pieces(plaintext).pipeThrough(rust.createEncryptionStream(key, ivFor(i)) as Through));
  }
  const sealed = new Uint8Array(seal(shape, iv));
  return () => drain(pieces(sealed).pipeThrough(rust.createDecryptionStream(key, iv) as Through));
}

/** The package fetches its module from a `file:` URL, which Node's fetch refuses. */
async function withFilesFetched<T>(work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = async (url) =>
    new Response(await readFile(new URL(String(url))), { headers: { "content-type": "application/wasm" } });
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}

function isStream({ operation }: Shape): boolean {
  return operation.endsWith("Stream");
}

function cryptoKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return globalThis.crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** The message as somebody sends it who waits for the reader. */
function pieces(message: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < message.length) controller.enqueue(message.subarray(at, at + PIECE));
      else controller.close();
      at += PIECE;
    },
  });
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}
