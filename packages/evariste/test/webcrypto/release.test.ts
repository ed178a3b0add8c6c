/** What is left in memory of a message that failed. */
import { afterEach, expect, test, vi } from "vitest";
import { AesGcm, AuthenticationError } from "../../src/index.js";
import { StitchedGcm } from "../../src/webcrypto/index.js";
import { JoinedOutput, PartsOutput } from "../../src/webcrypto/output.js";
import { expectBytes, random } from "../support/bytes.js";

afterEach(() => vi.restoreAllMocks());

const KEY = random(16);
const IV = random(12);

/** Every output that the platform gives while `run` runs. */
async function outputsOf(run: () => Promise<unknown>): Promise<Uint8Array[]> {
  const outputs: Uint8Array[] = [];
  const real = crypto.subtle.encrypt.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "encrypt").mockImplementation(async (...args) => {
    const output = await real(...args);
    // Longer than a tag: a text.
    if (output.byteLength > 16) outputs.push(new Uint8Array(output));
    return output;
  });
  await run();
  return outputs;
}

test.each([JoinedOutput, PartsOutput])("%o clears what it took", (Kind) => {
  const output = new Kind();
  const pieces = [random(10), random(20)] as Uint8Array<ArrayBuffer>[];
  output.begin(30);
  for (const piece of pieces) output.take(piece);
  const held = output instanceof JoinedOutput ? [output.bytes] : output.parts;
  expect(held.every((bytes) => bytes.some((byte) => byte !== 0))).toBe(true);
  output.clear();
  for (const bytes of held) expectBytes(bytes, new Uint8Array(bytes.length));
});

test.each(["decrypt", "decryptToParts"] as const)(
  "%s of a forged message leaves no plaintext",
  async (way) => {
    const gcm = await StitchedGcm.create(KEY, { segmentLength: 64, syncBelow: 0 });
    const sealed = new AesGcm(KEY).encrypt(IV, random(1000)).slice();
    sealed[999] ^= 1;
    const outputs = await outputsOf(() =>
      expect(gcm[way](IV, sealed)).rejects.toBeInstanceOf(AuthenticationError),
    );
    expect(outputs.length).toBe(16);
    for (const output of outputs) expectBytes(output, new Uint8Array(output.length));
  },
);

test("an aborted decryption leaves no plaintext", async () => {
  const gcm = await StitchedGcm.create(KEY, { segmentLength: 64, inFlight: 3, syncBelow: 0 });
  const sealed = new AesGcm(KEY).encrypt(IV, random(1000)).slice();
  const abort = new AbortController();
  const options = { signal: abort.signal, onProgress: () => abort.abort(new RangeError("stop")) };
  const outputs = await outputsOf(() =>
    expect(gcm.decryptToParts(IV, sealed, options)).rejects.toThrow("stop"),
  );
  expect(outputs.length).toBeGreaterThan(1);
  for (const output of outputs) expectBytes(output, new Uint8Array(output.length));
});
