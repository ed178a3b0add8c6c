/** The asynchronous contestants of a page. None of them writes into the caller's memory. */
import { StitchedGcm } from "evariste/webcrypto";
import { encrypts, memoryFor, nextIv, type Shape } from "../contestants/shape.js";
import type { Contestant } from "../harness.js";

/** subtle.encrypt and subtle.decrypt with a CryptoKey, so many at once. */
export async function webCrypto(name: string, shape: Shape, inFlight: number): Promise<Contestant> {
  const { key, iv, plaintext } = memoryFor(shape);
  const { subtle } = crypto;
  const cryptoKey = await importKey(key);
  if (encrypts(shape.operation)) {
    return repeatAsync(name, shape.size, inFlight, (i) => {
      // The call copies the IV before it returns.
      nextIv(iv, i);
      return subtle.encrypt({ name: "AES-GCM", iv: view(iv) }, cryptoKey, view(plaintext));
    });
  }
  const sealed = await subtle.encrypt({ name: "AES-GCM", iv: view(iv) }, cryptoKey, view(plaintext));
  return repeatAsync(name, shape.size, inFlight, () =>
    subtle.decrypt({ name: "AES-GCM", iv: view(iv) }, cryptoKey, sealed),
  );
}

/** StitchedGcm of this library with a raw key: short messages on a synchronous engine, long ones in segments by WebCrypto. */
export async function stitched(name: string, shape: Shape): Promise<Contestant> {
  const { key, iv, plaintext } = memoryFor(shape);
  const gcm = await StitchedGcm.create(key);
  if (encrypts(shape.operation)) {
    return repeatAsync(name, shape.size, 1, (i) => {
      nextIv(iv, i);
      return gcm.encrypt(iv, plaintext);
    });
  }
  const sealed = await gcm.encrypt(iv, plaintext);
  return repeatAsync(name, shape.size, 1, () => gcm.decrypt(iv, sealed));
}

function importKey(raw: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", view(raw), "AES-GCM", false, ["encrypt", "decrypt"]);
}

function view(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

/** Each operation that ends lets the next begin. */
function repeatAsync(
  name: string,
  bytes: number,
  inFlight: number,
  operation: (i: number) => Promise<unknown>,
): Contestant {
  const lane = async (from: number, iterations: number) => {
    for (let i = from; i < iterations; i += inFlight) await operation(i);
  };
  const run = async (iterations: number) => {
    await Promise.all(Array.from({ length: inFlight }, (_, from) => lane(from, iterations)));
  };
  return { name, run, bytes };
}
