/** Large files in the page's storage, made and compared in little memory. */
import { check } from "../../../scripts/runtimes/steps.js";

const PIECE = 4 * 2 ** 20;

async function folder() {
  return await navigator.storage.getDirectory();
}

export async function handleOf(name) {
  return await (await folder()).getFileHandle(name, { create: true });
}

/** The file that has this name now. */
export async function fileOf(name) {
  return await (await handleOf(name)).getFile();
}

/** A file of many different pieces. */
export async function makeFile(name, bytes) {
  const writable = await (await handleOf(name)).createWritable();
  const piece = new Uint32Array(PIECE / 4).map((_, i) => Math.imul(i, 2654435761));
  for (let at = 0; at < bytes; at += PIECE) {
    piece[0] = at / PIECE;
    await writable.write(new Uint8Array(piece.buffer, 0, Math.min(PIECE, bytes - at)));
  }
  await writable.close();
  return await fileOf(name);
}

/** Gives the file another name, which keeps it from the page's next run. */
export async function rename(from, to) {
  await (await handleOf(from)).move(to);
  return await fileOf(to);
}

/** @throws Error at the first byte of the stream that is not the file's */
export async function compare(stream, expected) {
  const reader = stream.getReader();
  let at = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value;
    const wanted = new Uint8Array(await expected.slice(at, at + part.length).arrayBuffer());
    check(wanted.length === part.length, `more than ${expected.size} bytes`);
    for (let i = 0; i < part.length; i++)
      if (part[i] !== wanted[i]) throw new Error(`another byte at ${at + i}`);
    at += part.length;
  }
  check(at === expected.size, `${at} bytes instead of ${expected.size}`);
}
