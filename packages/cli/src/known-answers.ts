/** Known answers of the command's formats, each checked by `evariste selftest` on every engine that this machine has. */
import { AesGcm, AuthenticationError, type EngineName } from "evariste";
import { ChunkedReader, open, seal } from "evariste/chunked";

/** Published cases: D. McGrew and J. Viega, "The Galois/Counter Mode of Operation (GCM)", appendix B. Hexadecimal. */
const GCM_CASES = [
  {
    name: "GCM test case 4 (AES-128)",
    key: "feffe9928665731c6d6a8f9467308308",
    tag: "5bc94fbc3221a5db94fae95ae7121a47",
  },
  {
    name: "GCM test case 10 (AES-192)",
    key: "feffe9928665731c6d6a8f9467308308feffe9928665731c",
    tag: "2519498e80f1478f37ba55bd6d27618c",
  },
  {
    name: "GCM test case 16 (AES-256)",
    key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
    tag: "76fc6ece0f4e1768cddf8853bb2d551b",
  },
] as const;
/** What the three cases share. */
const GCM_IV = "cafebabefacedbaddecaf888";
const GCM_AAD = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
const GCM_PLAINTEXT =
  "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
  "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";

/** One check: a name for people, and a function that says what is wrong. */
export interface Check {
  readonly name: string;
  run(): string | undefined | Promise<string | undefined>;
}

/** The checks of one engine. */
export function engineChecks(engine: EngineName): Check[] {
  return GCM_CASES.map(({ name, key, tag }) => ({
    name: `${engine}: ${name}`,
    run: () => {
      const gcm = new AesGcm(bytes(key), { engine });
      const sealed = gcm.encrypt(bytes(GCM_IV), bytes(GCM_PLAINTEXT), { aad: bytes(GCM_AAD) });
      if (hex(sealed.subarray(-16)) !== tag) return "wrong tag";
      const plaintext = gcm.decrypt(bytes(GCM_IV), sealed, { aad: bytes(GCM_AAD) });
      if (hex(plaintext) !== GCM_PLAINTEXT) return "wrong plaintext";
      sealed[0]! ^= 1;
      return refuses(() => gcm.decrypt(bytes(GCM_IV), sealed, { aad: bytes(GCM_AAD) }));
    },
  }));
}

/** The checks of the chunked format, on the engines that new keys use. */
export function formatChecks(): Check[] {
  return [16, 32].map((keyLength) => ({
    name: `Cobblestone-${keyLength * 8}: sealed, opened, read from the middle, forgery refused`,
    run: () => chunkedCheck(new Uint8Array(keyLength).fill(7)),
  }));
}

async function chunkedCheck(key: Uint8Array): Promise<string | undefined> {
  const plaintext = Uint8Array.from({ length: 40_000 }, (_, i) => i * 31);
  const sealed = await seal(key, plaintext);
  if (hex(await open(key, sealed)) !== hex(plaintext)) return "does not open what it sealed";
  const reader = await ChunkedReader.open(new Blob([sealed]), key);
  if (hex(await reader.read(16_380, 33_000)) !== hex(plaintext.subarray(16_380, 33_000)))
    return "wrong range";
  sealed[20_000]! ^= 1;
  return refuses(() => open(key, sealed));
}

async function refuses(forged: () => unknown): Promise<string | undefined> {
  try {
    await forged();
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined;
    throw error;
  }
  return "accepted a forgery";
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "hex");
}

function hex(data: Uint8Array): string {
  return Buffer.from(data).toString("hex");
}
