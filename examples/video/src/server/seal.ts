/** From a file to what lies on a web server: the sealed file and its index. */
import { createReadStream, createWriteStream } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { buildIndex } from "evariste/ranges";
import { encryptStream } from "evariste/streams";
import { lookup } from "mime-types";

/** What a jump in the film fetches at least, in bytes. */
export const INDEX_SEGMENT = 256 * 1024;

/**
 * Writes `NAME.sealed`, an ordinary AES-GCM message under a key of its own, and `NAME.index`.
 *
 * @param folder where to
 * @returns what the page needs to know, for the fragment of its address; it holds the key
 */
export async function sealFilm(path: string, folder: string, name: string): Promise<URLSearchParams> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const file = `${name}.sealed`;
  const index = `${name}.index`;
  const sealing = Duplex.fromWeb(encryptStream(key, iv) as Parameters<typeof Duplex.fromWeb>[0]);
  await pipeline(createReadStream(path), sealing, createWriteStream(join(folder, file)));
  const sealed = await open(join(folder, file));
  try {
    await writeFile(join(folder, index), await buildIndex(sealed, key, iv, { segmentLength: INDEX_SEGMENT }));
  } finally {
    await sealed.close();
  }
  const type = lookup(path) || "video/mp4";
  return new URLSearchParams({ file, index, type, iv: toHex(iv), key: toHex(key) });
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
