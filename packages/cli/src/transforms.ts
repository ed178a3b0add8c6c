/** What happens to bytes on their way from a source to a sink: sealing and opening in each format. */
import { randomBytes } from "node:crypto";
import { AesGcm, AuthenticationError } from "evariste";
import { ChunkOpener, ChunkSealer, HEADER_LENGTH } from "evariste/chunked";
import { CliError } from "./errors.js";
import { type FormatName, GCM_IV_LENGTH, GCM_TAG_LENGTH } from "./formats.js";
import type { Source } from "./sources.js";

/** Pieces read from files when sealing: 64 chunks of 16 KiB. */
export const SEAL_PIECE = 1024 * 1024;
/** Pieces read from files when opening: 64 sealed chunks, so that none is split between two pieces. */
export const OPEN_PIECE = 64 * 16_400;

/** One message's way through the cipher. */
export interface Transform {
  /** What comes before the first piece's output. */
  readonly prefix: Uint8Array;
  /** True when the output of `update` is authentic at once, not only after `finish`. */
  readonly releasesVerified: boolean;
  /** May overwrite `piece`, and may return a part of it. */
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

/** Begins to seal a message. */
export async function sealing({ format, key, context }: CipherOptions): Promise<Transform> {
  if (format === "gcm") return sealRaw(key, context);
  const sealer = await ChunkSealer.create(key, { context });
  return {
    prefix: sealer.header,
    releasesVerified: true,
    update: (piece) => sealer.update(piece),
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
  return {
    prefix: NOTHING,
    releasesVerified: true,
    update: (piece) => blameFor(source, "altered", () => opener.update(piece)),
    finish: () => blameFor(source, "truncated, or altered near its end", () => opener.finish()),
    destroy: () => opener.destroy(),
  };
}

function sealRaw(key: Uint8Array, context: Uint8Array): Transform {
  const gcm = new AesGcm(key);
  const iv = randomBytes(GCM_IV_LENGTH);
  const encryptor = gcm.encryptor(iv).aad(context);
  return {
    prefix: iv,
    releasesVerified: true,
    update: (piece) => encryptor.update(piece, piece),
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
    releasesVerified: false,
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
