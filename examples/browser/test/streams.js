/** The library's streams from file to file, on whatever thread this is asked on. */
import { decryptStream, encryptStream } from "evariste/streams";

async function writableOf(name) {
  const folder = await navigator.storage.getDirectory();
  const handle = await folder.getFileHandle(name, { create: true });
  // Only workers have it; it writes at once, without a copy that becomes the file at the end.
  return "createSyncAccessHandle" in handle ? await syncWritable(handle) : await handle.createWritable();
}

async function syncWritable(handle) {
  const file = await handle.createSyncAccessHandle();
  file.truncate(0);
  return new WritableStream({
    write(piece) {
      for (let at = 0; at < piece.length; ) at += file.write(piece.subarray(at));
    },
    close: () => file.close(),
    abort: () => file.close(),
  });
}

/** @returns {Promise<string>} the rate, in words */
async function timed(bytes, work) {
  const started = performance.now();
  await work();
  return `${(bytes / 1000 / (performance.now() - started)).toFixed(0)} MB/s,`;
}

/** Each takes a CryptoKey, an IV, a file and the name of the file to write. */
export const STREAMS = {
  encryptStream: async (key, iv, file, name) => {
    const writable = await writableOf(name);
    return await timed(file.size, () => file.stream().pipeThrough(encryptStream(key, iv)).pipeTo(writable));
  },
  decryptStream: async (key, iv, source, name) => {
    const writable = await writableOf(name);
    return await timed(source.size, () => decryptStream(key, iv, { source }).pipeTo(writable));
  },
};
