/** What happens to bytes on their way from a source to a sink: sealing and opening in each format. */
import { randomBytes } from "node:crypto";
import { AesGcm, AuthenticationError } from "evariste";
import { ChunkOpener, ChunkSealer, HEADER_LENGTH } from "evariste/chunked";
import { CliError } from "./errors.js";
import { type FormatName, GCM_IV_LENGTH, GCM_MAX_LENGTH, GCM_TAG_LENGTH } from "./formats.js";
import type { Source } from "./sources.js";

/** Pieces read from files when sealing: 64 chunks of 16 KiB. */
export const SEAL_PIECE = 1024 * 1024;
/** Pieces read from files when opening: 64 sealed chunks, so that none is split between two pieces. */
export const OPEN_PIECE = 64 * 16_400;

/** One message's way through the cipher. */
export interface Transform {
  /** What comes before the first piece's output. */
  readonly prefix: Uint8Array;
  /** May overwrite `piece`, and may return a part of it. What it returns stays as it is until the second call after. */
  update(piece: Uint8Array): Uint8Array;
  finish(): Uint8Array;
  /** Clears keys and held-back bytes; on every path. */
  destroy(): void;
}

/** What both directions need to know. */
export interface CipherOptions {
  readonly format: FormatName;
  readonly key: Uint8Array;
  /** The application's context; for the raw format this is the AAD. */
  readonly context: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/**
 * Begins to seal the message that `source` holds.
 *
 * @throws CliError of kind `input` for a file that is longer than the raw format allows
 */
export async function sealing(source: Source, { format, key, context }: CipherOptions): Promise<Transform> {
  if (format === "gcm") return sealRaw(source, key, context);
  const sealer = await ChunkSealer.create(key, { context });
  const outputs = new Outputs();
  return {
    prefix: sealer.header,
    update: (piece) => {
      const out = outputs.next(sealer.outputLength(piece.length));
      sealer.updateInto(piece, out);
      return out;
    },
    finish: () => sealer.finish(),
    destroy: () => sealer.destroy(),
  };
}

/**
 * Begins to open the message that `source` holds, having read its header from it.
 *
 * @throws CliError of kind `authentication` when the key or the context is not the right one
 */
export async function opening(source: Source, options: CipherOptions): Promise<Transform> {
  return options.format === "gcm" ? openRaw(source, options) : openChunks(source, options);
}

async function openChunks(source: Source, { key, context }: CipherOptions): Promise<Transform> {
  const header = await source.take(HEADER_LENGTH);
  if (header.length < HEADER_LENGTH) throw notAuthentic(source, "truncated: shorter than a header");
  const wrongKey = "wrong key or context, or the start of the file was altered";
  const opener = await orBlame(source, wrongKey, () => ChunkOpener.create(key, header, { context }));
  const outputs = new Outputs();
  return {
    prefix: NOTHING,
    update: (piece) => {
      const out = outputs.next(opener.outputLength(piece.length));
      blameFor(source, "altered", () => opener.updateInto(piece, out));
      return out;
    },
    finish: () => blameFor(source, "truncated, or altered near its end", () => opener.finish()),
    destroy: () => {
      opener.destroy();
      outputs.clear();
    },
  };
}

function sealRaw(source: Source, key: Uint8Array, context: Uint8Array): Transform {
  let length = 0;
  const checkLength = (bytes: number) => {
    if (bytes <= GCM_MAX_LENGTH) return;
    throw new CliError(
      "input",
      "is longer than 64 GiB, too long for --format gcm; Cobblestone takes it",
      source.name,
    );
  };
  checkLength(source.size ?? 0);
  const gcm = new AesGcm(key);
  const iv = randomBytes(GCM_IV_LENGTH);
  const encryptor = gcm.encryptor(iv).aad(context);
  return {
    prefix: iv,
    update: (piece) => {
      length += piece.length;
      checkLength(length);
      return encryptor.update(piece, piece);
    },
    finish: () => encryptor.finish(),
    destroy: () => {
      encryptor.cancel();
      gcm.destroy();
    },
  };
}

async function openRaw(source: Source, { key, context }: CipherOptions): Promise<Transform> {
  const iv = await source.take(GCM_IV_LENGTH);
  if (iv.length < GCM_IV_LENGTH) throw notAuthentic(source, "truncated: shorter than an IV and a tag");
  const gcm = new AesGcm(key);
  const decryptor = gcm.decryptor(iv).aad(context);
  const held = new HoldBack(GCM_TAG_LENGTH);
  return {
    prefix: NOTHING,
    update: (piece) => {
      const ciphertext = held.push(piece);
      return decryptor.updateUnverified(ciphertext, ciphertext);
    },
    finish: () => {
      if (!held.full) throw notAuthentic(source, "truncated: shorter than an IV and a tag");
      blameFor(source, "wrong key or context, truncated or altered", () => decryptor.finish(held.rest));
      return NOTHING;
    },
    destroy: () => {
      decryptor.cancel();
      gcm.destroy();
    },
  };
}

/** Memory for outputs, two in turn: one is filled while the other is written. New memory would cost a page fault per 4 KiB. */
class Outputs {
  readonly #buffers = [NOTHING, NOTHING];
  #turn = 0;

  /** The next `length` bytes to fill. */
  next(length: number): Uint8Array {
    this.#turn ^= 1;
    if (this.#buffers[this.#turn]!.length < length) this.#buffers[this.#turn] = new Uint8Array(length);
    return this.#buffers[this.#turn]!.subarray(0, length);
  }

  /** Clears the plaintext. */
  clear(): void {
    for (const buffer of this.#buffers) buffer.fill(0);
  }
}

/** Keeps the last bytes of a stream back, because only its end shows that they are the tag. */
class HoldBack {
  #rest = NOTHING;

  constructor(private readonly length: number) {}

  /** The bytes held back. */
  get rest(): Uint8Array {
    return this.#rest;
  }

  get full(): boolean {
    return this.#rest.length === this.length;
  }

  /** @returns the bytes that are certainly not among the last; memory of its own or a part of `piece` */
  push(piece: Uint8Array): Uint8Array {
    if (this.#rest.length === 0 && piece.length >= this.length) {
      this.#rest = piece.slice(piece.length - this.length);
      return piece.subarray(0, piece.length - this.length);
    }
    const both = Buffer.concat([this.#rest, piece]);
    const cut = Math.max(0, both.length - this.length);
    this.#rest = Uint8Array.prototype.slice.call(both, cut);
    return both.subarray(0, cut);
  }
}

function notAuthentic(source: Source, reason: string): CliError {
  return new CliError("authentication", reason, source.name);
}

function refine(source: Source, reason: string, error: unknown): unknown {
  return error instanceof AuthenticationError ? notAuthentic(source, reason) : error;
}

function blameFor<T>(source: Source, reason: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refine(source, reason, error);
  }
}

async function orBlame<T>(source: Source, reason: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refine(source, reason, error);
  }
}
