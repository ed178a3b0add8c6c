/** OpenJDK's TestAESMain: what it does and what it prints, with this library's cipher. */
import { AesGcm, type AesGcmOptions } from "evariste";
import { inParts, propertiesLine, type TestAesProperties } from "./properties.js";

type Bytes = Uint8Array<ArrayBuffer>;

const TAG = 12;
const AAD = Uint8Array.of(0x11, 0x22, 0x33, 0x44, 0x55);

/** Zero and 16 bytes long, so that J0 passes through GHASH. All messages have it, and are the same message. */
const IV = new Uint8Array(16);

/** Bytes of a buffer that `checkOutput` prints. */
const SHOWN = 32;

/** Milliseconds that the two halves took. */
export interface TestAesTimes {
  readonly encode: number;
  readonly decode: number;
}

/** What one half works on. */
interface Prepared {
  readonly run: () => Bytes;
  readonly expected: Bytes;
}

/**
 * Runs both halves.
 *
 * @param options engine and kernels, as `AesGcm` takes them
 * @param print gets each line
 * @param now milliseconds from any origin
 * @throws Error when `checkOutput` finds an output that is not the first one
 */
export function runTestAes(
  properties: TestAesProperties,
  options: AesGcmOptions,
  print: (line: string) => void,
  now: () => number = () => performance.now(),
): TestAesTimes {
  print(`${properties.iterations} iterations`);
  const encode = half(
    prepare("Encryption", properties, options, print),
    properties,
    "encryption",
    print,
    now,
  );
  print(`TestAESEncode runtime was ${encode} ms`);
  const decode = half(
    prepare("Decryption", properties, options, print),
    properties,
    "decryption",
    print,
    now,
  );
  print(`TestAESDecode runtime was ${decode} ms`);
  return { encode, decode };
}

function half(
  { run, expected }: Prepared,
  { iterations, warmupIterations, checkOutput }: TestAesProperties,
  name: string,
  print: (line: string) => void,
  now: () => number,
): number {
  const once = checkOutput ? () => compare(run(), expected) : run;
  print(`Starting ${name} warm-up`);
  for (let i = 0; i < warmupIterations; i++) once();
  print(`Finished ${name} warm-up`);
  const start = now();
  for (let i = 0; i < iterations; i++) once();
  return now() - start;
}

function prepare(
  kind: "Encryption" | "Decryption",
  properties: TestAesProperties,
  options: AesGcmOptions,
  print: (line: string) => void,
): Prepared {
  const { msgSize, keySize, encInputOffset, checkOutput, algorithm, mode, paddingStr } = properties;
  const key = Uint8Array.from({ length: keySize / 8 }, (_, i) => i - 8);
  const settings = { ...options, tagLength: TAG };
  const gcm = new AesGcm(key, settings);
  print("");
  print(propertiesLine(properties));
  print(`Algorithm: ${algorithm}(${keySize}bit)`);
  print(`${kind} cipher provider: evariste ${gcm.engine}, ${gcm.kernel}`);
  print(`${kind} cipher algorithm: ${algorithm}/${mode}/${paddingStr}`);
  const input = new Uint8Array(encInputOffset + msgSize);
  for (let i = 0; i < msgSize; i++) input[encInputOffset + i] = i;
  const encode = encoder(key, settings, input, properties);
  const encoded = encode();
  const decode = decoder(gcm, encoded, properties);
  const decoded = decode();
  if (checkOutput) {
    const buffers = { "key:    ": key, "input:  ": input, "encode: ": encoded, "decode: ": decoded };
    for (const [name, bytes] of Object.entries(buffers)) print(shown(name, bytes));
  }
  return kind === "Encryption" ? { run: encode, expected: encoded } : { run: decode, expected: decoded };
}

/** A new cipher for each message, which is an own key here, and a new output. */
function encoder(
  key: Bytes,
  settings: AesGcmOptions,
  input: Bytes,
  properties: TestAesProperties,
): () => Bytes {
  const { msgSize, encInputOffset, encOutputOffset, lastChunkSize } = properties;
  const length = encOutputOffset + msgSize + TAG;
  const message = { aad: AAD };
  if (!inParts(properties)) {
    return () => {
      const gcm = new AesGcm(key, settings);
      const out = new Uint8Array(length);
      gcm.encryptInto(IV, input, out, message);
      gcm.destroy();
      return out;
    };
  }
  const cut = msgSize - lastChunkSize;
  const first = input.subarray(encInputOffset, encInputOffset + cut);
  const last = input.subarray(encInputOffset + cut);
  return () => {
    const gcm = new AesGcm(key, settings);
    const out = new Uint8Array(length);
    const encryptor = gcm.encryptor(IV).aad(AAD);
    encryptor.update(first, out.subarray(encOutputOffset));
    encryptor.update(last, out.subarray(encOutputOffset + cut));
    out.set(encryptor.finish(), encOutputOffset + msgSize);
    gcm.destroy();
    return out;
  };
}

/** The same cipher for all messages, and a new output for each. */
function decoder(gcm: AesGcm, encoded: Bytes, properties: TestAesProperties): () => Bytes {
  const { msgSize, encOutputOffset, decOutputOffset, lastChunkSize } = properties;
  const length = decOutputOffset + msgSize;
  const message = { aad: AAD };
  if (!inParts(properties)) {
    return () => {
      const out = new Uint8Array(length);
      gcm.decryptInto(IV, encoded, out, message);
      return out;
    };
  }
  // The original cuts the ciphertext with its tag, whose last piece is so the tag's and some of the text's.
  const sealed = encoded.subarray(encOutputOffset);
  const cut = Math.min(msgSize, msgSize + TAG - lastChunkSize);
  const first = sealed.subarray(0, cut);
  const last = sealed.subarray(cut, msgSize);
  const tag = sealed.subarray(msgSize);
  return () => {
    const out = new Uint8Array(length);
    const decryptor = gcm.decryptor(IV).aad(AAD);
    decryptor.updateUnverified(first, out.subarray(decOutputOffset));
    decryptor.updateUnverified(last, out.subarray(decOutputOffset + cut));
    decryptor.finish(tag);
    return out;
  };
}

function compare(actual: Bytes, expected: Bytes): void {
  const index = actual.findIndex((byte, i) => byte !== expected[i]);
  if (index >= 0) throw new Error(`the output differs from the first one at index ${index}`);
}

function shown(name: string, bytes: Bytes): string {
  const hex = Array.from(bytes.subarray(0, SHOWN), (byte) => byte.toString(16).padStart(2, "0"));
  return `${name} [${bytes.length}]: ${hex.join(" ")}`;
}
