/**
 * How much memory streams need: 4 GiB through encryptStream and decryptStream in Node, each way in a process of its own,
 * and by how much its resident set grew at most.
 *
 *     node scripts/stream-memory.mjs [--gib 4] [words of ways' names]       # after npm run build; needs as much free disk
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decryptStream, encryptStream } from "evariste/streams";

const LIMIT_MIB = 64;
const MIB = 2 ** 20;
const PIECE = 256 * 1024;
const RAW = new Uint8Array(32).fill(7);
const IV = new Uint8Array(12);

const KEYS = {
  "raw key": () => new Uint8Array(RAW),
  CryptoKey: () => crypto.subtle.importKey("raw", RAW, "AES-GCM", false, ["encrypt", "decrypt"]),
};

/** Every way takes a key, the length, and a file: which the first two write and the others read. */
const WAYS = {
  encryptStream: (key, length, file) =>
    plaintext(length).pipeThrough(encryptStream(key, IV)).pipeTo(fileSink(file)),
  "decryptStream, verified": (key, _, file) => decryptStream(key, IV, { source: file }).pipeTo(nowhere()),
  "decryptStream, unverified": (key, length, file) =>
    ciphertext(file, length + 16)
      .pipeThrough(decryptStream(key, IV, { release: "unverified" }))
      .pipeTo(nowhere()),
};

/** One piece again and again, so that the input is no garbage of its own. */
function plaintext(length) {
  const piece = new Uint8Array(PIECE);
  let left = length;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const part = piece.subarray(0, Math.min(left, PIECE));
      left -= part.length;
      controller.enqueue(part);
    },
  });
}

/** Reads into the same memory: the stream takes a piece before it asks for the next. */
function ciphertext(file, length) {
  const piece = new Uint8Array(PIECE);
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at === length) return controller.close();
        const { bytesRead } = await file.read(piece, 0, Math.min(PIECE, length - at), at);
        at += bytesRead;
        controller.enqueue(piece.subarray(0, bytesRead));
      },
    },
    { highWaterMark: 0 },
  );
}

function fileSink(file) {
  return new WritableStream({
    async write(piece) {
      await file.writev([piece]);
    },
  });
}

function nowhere() {
  return new WritableStream({ write() {} });
}

/** Prints seconds, and MiB by which the resident set grew. */
async function child(way, keyName, length, path) {
  const file = await open(path, way === "encryptStream" ? "w" : "r");
  const key = await KEYS[keyName]();
  const before = process.memoryUsage.rss();
  const start = performance.now();
  await WAYS[way](key, length, file);
  const seconds = (performance.now() - start) / 1000;
  const growth = process.resourceUsage().maxRSS / 1024 - before / MIB;
  await file.close();
  console.log(JSON.stringify({ seconds, growth, before: before / MIB }));
}

function parent({ gib }, words) {
  const folder = mkdtempSync(join(tmpdir(), "evariste-memory-"));
  const path = join(folder, "sealed");
  const length = Math.round(Number(gib) * 2 ** 30);
  try {
    for (const keyName of Object.keys(KEYS)) {
      for (const way of Object.keys(WAYS)) {
        const name = `${way}, ${keyName}`;
        // Every decryption needs what encryptStream wrote.
        if (way !== "encryptStream" && !words.every((word) => name.includes(word))) continue;
        const args = [import.meta.filename, "--child", way, keyName, String(length), path];
        const { seconds, growth, before } = JSON.parse(
          execFileSync(process.execPath, args, { encoding: "utf8" }),
        );
        const rate = (length / seconds / 1e6).toFixed(0);
        const verdict = growth < LIMIT_MIB ? `< ${LIMIT_MIB}` : `MISSES ${LIMIT_MIB}`;
        console.log(
          `${name.padEnd(38)} ${seconds.toFixed(1)} s, ${rate} MB/s, grew by ${growth.toFixed(1)} MiB from ${before.toFixed(1)}: ${verdict}`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { gib: { type: "string", default: "4" }, child: { type: "boolean", default: false } },
});
if (values.child) {
  const [way, keyName, length, path] = positionals;
  await child(way, keyName, Number(length), path);
} else parent(values, positionals);
