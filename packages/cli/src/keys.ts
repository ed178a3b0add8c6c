/** Keys: where they come from, how they are written, and the sizes that each format takes. */
import { type FileHandle, open } from "node:fs/promises";
import { complain } from "./console.js";
import { blame, CliError } from "./errors.js";

/** How the bytes of a key are written down. */
export const KEY_ENCODINGS = ["auto", "hex", "base64", "raw"] as const;
export type KeyEncoding = (typeof KEY_ENCODINGS)[number];

/** The sizes of AES keys in bytes. */
const KEY_SIZES = [16, 24, 32];
/** Longer than any way of writing a key, short enough to refuse a wrong file at once. */
const LONGEST_KEY_FILE = 4096;

/** The rules of `auto`, for `--help`. */
export const KEY_HELP = `Keys are 16, 24 or 32 bytes, from --key-file or else from the variable EVARISTE_KEY
(hex or base64); never from an argument, which other users could see. A key file is read, in this order, as
  hex     if it is exactly 32, 48 or 64 hexadecimal digits,
  base64  if it is exactly the base64 (or base64url) text of 16, 24 or 32 bytes,
  raw     if it is exactly 16, 24 or 32 bytes;
white space at the end of hex and base64 is ignored. So 32 hexadecimal digits are a 16-byte key, not 32 raw
bytes, and 32 letters and digits are the base64 of 24 bytes: --key-encoding raw says otherwise.`;

/** What a key source may say; from the command line. */
export interface KeyOptions {
  readonly keyFile?: string;
  readonly keyEncoding?: KeyEncoding;
  readonly quiet?: boolean;
}

function fromHex(text: string): Uint8Array | undefined {
  return /^[0-9a-fA-F]+$/.test(text) && KEY_SIZES.includes(text.length / 2)
    ? Buffer.from(text, "hex")
    : undefined;
}

function fromBase64(text: string): Uint8Array | undefined {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  const bytes = Buffer.from(standard, "base64");
  const again = bytes.toString("base64");
  // Written back it must be the same text, padded rightly or not at all: Node's decoder ignores what it does not know.
  const same = again.replace(/=+$/, "") === standard && (!text.endsWith("=") || again.length === text.length);
  return same && KEY_SIZES.includes(bytes.length) ? bytes : undefined;
}

const READERS: Readonly<
  Record<Exclude<KeyEncoding, "auto">, (content: Uint8Array) => Uint8Array | undefined>
> = {
  hex: (content) => fromHex(asText(content)),
  base64: (content) => fromBase64(asText(content)),
  raw: (content) => (KEY_SIZES.includes(content.length) ? Uint8Array.from(content) : undefined),
};

const ACCEPTED: Readonly<Record<KeyEncoding, string>> = {
  auto: "16, 24 or 32 raw bytes, or their hex or base64 text",
  hex: "32, 48 or 64 hexadecimal digits",
  base64: "the base64 text of 16, 24 or 32 bytes",
  raw: "exactly 16, 24 or 32 bytes",
};

function asText(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1").trimEnd();
}

/**
 * Reads a key out of the content of a key file.
 *
 * @returns 16, 24 or 32 bytes
 * @throws CliError of kind `key` that says what is allowed, and no byte of the content
 */
export function parseKey(content: Uint8Array, encoding: KeyEncoding, origin: string): Uint8Array {
  const order = encoding === "auto" ? (["hex", "base64", "raw"] as const) : [encoding];
  for (const name of order) {
    const key = READERS[name](content);
    if (key !== undefined) return key;
  }
  throw notAKey(`${content.length} bytes`, encoding, origin);
}

function notAKey(found: string, encoding: KeyEncoding, origin: string): CliError {
  return new CliError("key", `is not a key: ${found}; allowed are ${ACCEPTED[encoding]}`, origin);
}

/**
 * The key that the person gave: `--key-file`, else `EVARISTE_KEY`.
 *
 * @throws CliError of kind `key`
 */
export async function loadKey(options: KeyOptions): Promise<Uint8Array> {
  if (options.keyFile !== undefined) return readKeyFile(options.keyFile, options);
  const variable = process.env.EVARISTE_KEY;
  if (variable !== undefined && variable !== "") {
    const content = Buffer.from(variable, "latin1");
    for (const encoding of ["hex", "base64"] as const) {
      const key = READERS[encoding](content);
      if (key !== undefined) return key;
    }
    throw new CliError("key", "is not the hex or base64 text of 16, 24 or 32 bytes", "EVARISTE_KEY");
  }
  throw new CliError(
    "key",
    "no key: use --key-file FILE or set EVARISTE_KEY; `evariste keygen -o FILE` makes one",
  );
}

/** True when there is a key to load. */
export function hasKey(options: KeyOptions): boolean {
  return options.keyFile !== undefined || (process.env.EVARISTE_KEY ?? "") !== "";
}

async function readKeyFile(path: string, options: KeyOptions): Promise<Uint8Array> {
  // One byte more shows that there is more.
  const content = Buffer.alloc(LONGEST_KEY_FILE + 1);
  try {
    const handle = await open(path, "r");
    try {
      await warnIfShared(handle, path, options.quiet === true);
      const length = await fill(handle, content);
      const encoding = options.keyEncoding ?? "auto";
      if (length > LONGEST_KEY_FILE) throw notAKey(`more than ${LONGEST_KEY_FILE} bytes`, encoding, path);
      return parseKey(content.subarray(0, length), encoding, path);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw blame("key", path, error);
  } finally {
    content.fill(0);
  }
}

async function fill(handle: FileHandle, target: Buffer): Promise<number> {
  let length = 0;
  while (length < target.length) {
    const { bytesRead } = await handle.read(target, length, target.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

async function warnIfShared(handle: FileHandle, path: string, quiet: boolean): Promise<void> {
  const stat = await handle.stat();
  // Windows reports a mode that says nothing about who may read.
  if (quiet || process.platform === "win32" || !stat.isFile() || (stat.mode & 0o077) === 0) return;
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  complain(`warning: ${path}: others can read this key (mode ${mode}); run chmod 600 on it`);
}
