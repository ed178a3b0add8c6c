/** What several families of cases share. */
import type { AesGcm } from "evariste";
import { Model } from "../model.js";
import { Random } from "../random.js";

/** The three key lengths, in bytes. */
export const KEY_LENGTHS = [16, 24, 32] as const;

/** A fixed key of `length` bytes. */
export function keyOf(length: number): Uint8Array<ArrayBuffer> {
  return new Random(length).bytes(length);
}

/** A fixed nonce of 12 bytes. */
export const NONCE: Uint8Array = new Random(12).bytes(12);

/** Fixed bytes: the same whatever the length asked for. */
export function text(length: number): Uint8Array<ArrayBuffer> {
  return new Random(99).bytes(length);
}

/** Fixed additional data, other bytes than {@link text}. */
export function aad(length: number): Uint8Array<ArrayBuffer> {
  return new Random(7).bytes(length);
}

const models = new Map<number, Model>();

/** The model of {@link keyOf}. */
export function modelOf(keyLength: number): Model {
  let model = models.get(keyLength);
  if (model === undefined) {
    model = new Model(keyOf(keyLength));
    models.set(keyLength, model);
  }
  return model;
}

/** Computes once, for all targets. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Seals a message that comes in pieces; the outputs joined, with the tag. */
export function sealPieces(
  gcm: AesGcm,
  iv: Uint8Array,
  aads: readonly Uint8Array[],
  texts: readonly Uint8Array[],
): Uint8Array {
  const encryptor = gcm.encryptor(iv);
  for (const piece of aads) encryptor.aad(piece);
  const length = texts.reduce((sum, piece) => sum + piece.length, 0);
  const sealed = new Uint8Array(length + gcm.tagLength);
  let at = 0;
  for (const piece of texts) {
    sealed.set(encryptor.update(piece), at);
    at += piece.length;
  }
  sealed.set(encryptor.finish(), at);
  return sealed;
}

/** Opens a message that comes in pieces; the outputs joined. @throws AuthenticationError */
export function openPieces(
  gcm: AesGcm,
  iv: Uint8Array,
  aads: readonly Uint8Array[],
  texts: readonly Uint8Array[],
  tag: Uint8Array,
): Uint8Array {
  const decryptor = gcm.decryptor(iv);
  for (const piece of aads) decryptor.aad(piece);
  const plain = new Uint8Array(texts.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of texts) {
    plain.set(decryptor.updateUnverified(piece), at);
    at += piece.length;
  }
  decryptor.finish(tag);
  return plain;
}
