/** The file formats: names, endings, key sizes, lengths, and which one a file has. */
import { CliError } from "./errors.js";

/** Names for `--format`. */
export const FORMAT_NAMES = ["cobblestone-256", "cobblestone-128", "gcm"] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** Bytes of the raw format before and after the ciphertext: IV (NIST SP 800-38D, clause 8.2: 96 bits) and tag. */
export const GCM_IV_LENGTH = 12;
export const GCM_TAG_LENGTH = 16;
/** Longest plaintext of one raw message, in bytes (NIST SP 800-38D, clause 5.2.1.1). */
export const GCM_MAX_LENGTH = 2 ** 36 - 32;

interface Format {
  /** What is added to an input's name. */
  readonly ending: string;
  /** Key sizes in bytes. */
  readonly keySizes: readonly number[];
}

const FORMATS: Readonly<Record<FormatName, Format>> = {
  "cobblestone-256": { ending: ".evr", keySizes: [32] },
  "cobblestone-128": { ending: ".evr", keySizes: [16] },
  gcm: { ending: ".gcm", keySizes: [16, 24, 32] },
};

/** The endings that `decrypt` strips. */
export const ENDINGS: readonly string[] = [...new Set(Object.values(FORMATS).map((format) => format.ending))];

/** The ending of `name` among {@link ENDINGS}, when something is left without it. */
export function endingOf(name: string): string | undefined {
  return ENDINGS.find((ending) => name.endsWith(ending) && name.length > ending.length);
}

/** What is added to an input's name. */
export function endingFor(format: FormatName): string {
  return FORMATS[format].ending;
}

function cobblestoneFor(key: Uint8Array): FormatName {
  if (key.length === 32) return "cobblestone-256";
  if (key.length === 16) return "cobblestone-128";
  throw new CliError(
    "key",
    `a ${key.length}-byte key fits only --format gcm; Cobblestone takes 16 or 32 bytes`,
  );
}

function checkKeySize(format: FormatName, key: Uint8Array): FormatName {
  const { keySizes } = FORMATS[format];
  if (keySizes.includes(key.length)) return format;
  throw new CliError(
    "key",
    `--format ${format} takes a key of ${keySizes.join(", ")} bytes; this one has ${key.length}`,
  );
}

/** The format to encrypt with: what was asked for, else Cobblestone by the key's size. */
export function formatToSeal(asked: FormatName | undefined, key: Uint8Array): FormatName {
  return asked === undefined ? cobblestoneFor(key) : checkKeySize(asked, key);
}

/** The format to decrypt with: what was asked for, else by the name's ending, else Cobblestone by the key's size. */
export function formatToOpen(asked: FormatName | undefined, key: Uint8Array, name: string): FormatName {
  if (asked !== undefined) return checkKeySize(asked, key);
  return endingOf(name) === ".gcm" ? checkKeySize("gcm", key) : cobblestoneFor(key);
}
