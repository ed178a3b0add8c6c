/**
 * The least that encrypting a file with node:crypto takes: read 16 KiB, update, write. Arguments: `whole` (one message)
 * or `chunks` (a message with its tag per 16 KiB, as chunked formats need); input; output.
 */
import { createCipheriv, createSecretKey } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

const CHUNK = 16 * 1024;

const [mode, input, output] = process.argv.slice(2);
const key = createSecretKey(new Uint8Array(32).fill(1));
const iv = new Uint8Array(12);
const from = openSync(input, "r");
const to = openSync(output, "w");
const chunk = new Uint8Array(CHUNK);

function nextCipher() {
  for (let i = iv.length - 1; i >= 0 && ++iv[i] === 0; i--);
  return createCipheriv("aes-256-gcm", key, iv);
}

let cipher = nextCipher();
for (let length = readSync(from, chunk); length > 0; length = readSync(from, chunk)) {
  writeSync(to, cipher.update(chunk.subarray(0, length)));
  if (mode === "chunks") {
    cipher.final();
    writeSync(to, cipher.getAuthTag());
    cipher = nextCipher();
  }
}
cipher.final();
writeSync(to, cipher.getAuthTag());
// The command does so too.
fsyncSync(to);
closeSync(to);
closeSync(from);
