/** Segments of a platform's key, hashed by the platform and on an engine of our own. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Engine, HashKey } from "../../src/engines/engine.js";
import * as select from "../../src/engines/select.js";
import { nativeHashKey } from "../../src/engines/webcrypto/hash-key.js";
import { PlatformKey } from "../../src/engines/webcrypto/platform-key.js";
import { HashSubkey } from "../../src/gcm/hash-subkey.js";
import { AesGcm, engines } from "../../src/index.js";
import { StitchedGcm } from "../../src/webcrypto/index.js";
import { ghash, hashSubkey } from "../model/gcm.js";
import { expectBytes, random } from "../support/bytes.js";

const RAW = random(16);
const H = hashSubkey(RAW);
const native = engines().find(({ name }) => name === "native");
const withoutNative = native?.available ? "" : ` (${native?.reason ?? "not in this build"})`;

afterEach(() => vi.restoreAllMocks());

function importKey(): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", RAW as Uint8Array<ArrayBuffer>, "AES-GCM", false, ["encrypt"]);
}

/** GHASH from zero by the model. */
function modelHash(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(data.length / 16) * 16);
  padded.set(data);
  return ghash(H, padded);
}

describe("a platform's key", () => {
  const LENGTHS = [0, 1, 15, 16, 17, 64, 65, 1000, 70_001];

  test("hashes by GMAC", async () => {
    const key = new PlatformKey(crypto.subtle, await importKey());
    for (const length of LENGTHS) {
      const data = random(length);
      expectBytes(await key.hash(data), modelHash(data));
    }
    key.destroy();
  });

  test("hashes by a key of H, made once, wiped with it", async () => {
    const seen = { made: 0, hashed: 0, wiped: 0 };
    const hashKeyOf = (subkey: HashSubkey): HashKey => {
      seen.made++;
      return {
        ghash(data, y) {
          seen.hashed++;
          subkey.ghash(data, y);
        },
        wipe: () => void seen.wiped++,
      };
    };
    const key = new PlatformKey(crypto.subtle, await importKey(), hashKeyOf);
    const encrypt = vi.spyOn(crypto.subtle, "encrypt");
    await key.subkey();
    const before = encrypt.mock.calls.length;
    for (const length of LENGTHS) {
      const data = random(length);
      expectBytes(await key.hash(data), modelHash(data));
    }
    expect(encrypt.mock.calls.length).toBe(before);
    key.destroy();
    expect(seen).toEqual({ made: 1, hashed: LENGTHS.length - 1, wiped: 1 });
    await expect(key.hash(random(16))).rejects.toThrow("destroyed");
  });

  test("that is destroyed while H is recovered makes no key of H", async () => {
    const make = vi.fn();
    const key = new PlatformKey(crypto.subtle, await importKey(), make);
    const probed = key.subkey();
    key.destroy();
    await probed.catch(() => {});
    expect(make).not.toHaveBeenCalled();
  });
});

describe.runIf(native?.available)(`H on the native engine${withoutNative}`, () => {
  test("hashes as the model, and every message through it opens", async () => {
    const key = nativeHashKey(new HashSubkey(H));
    for (let length = 0; length <= 600; length += 7) {
      const data = random(length);
      const y = new Uint8Array(16);
      key?.ghash(data, y);
      expectBytes(y, modelHash(data));
    }
    key?.wipe();
  });

  test("runs what StitchedGcm decrypts of a CryptoKey", async () => {
    const usages: KeyUsage[] = ["encrypt", "decrypt"];
    const cryptoKey = await crypto.subtle.importKey(
      "raw",
      RAW as Uint8Array<ArrayBuffer>,
      "AES-GCM",
      false,
      usages,
    );
    const gcm = await StitchedGcm.create(cryptoKey, { segmentLength: 4096 });
    const [iv, text, out] = [random(12), random(100_001), new Uint8Array(100_001)];
    const sealed = new AesGcm(RAW).encrypt(iv, text);
    const platform = vi.spyOn(crypto.subtle, "encrypt");
    expectBytes(await gcm.decrypt(iv, sealed), text);
    await gcm.decryptInto(iv, sealed, out);
    expectBytes(out, text);
    // AAD of more than the probe's block would be a hash that the platform was asked for.
    const aads = platform.mock.calls.map(([algorithm]) => (algorithm as AesGcmParams).additionalData);
    expect(aads.every((aad) => (aad?.byteLength ?? 0) <= 16)).toBe(true);
    sealed[70_000] ^= 1;
    await expect(gcm.decrypt(iv, sealed)).rejects.toThrow("authentic");
    await expect(gcm.decryptInto(iv, sealed, out)).rejects.toThrow("authentic");
    expectBytes(out, new Uint8Array(100_001));
    gcm.destroy();
  });
});

describe("an engine that hashes wrongly", () => {
  test("is not used, and said to be wrong once", () => {
    const wipe = vi.fn();
    const createHashKey = (): HashKey => ({ ghash: (_, y) => void y.fill(1), wipe });
    const engine = { name: "native", createHashKey } as unknown as Engine;
    vi.spyOn(select, "loadEngine").mockReturnValue(engine);
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    for (let i = 0; i < 3; i++) expect(nativeHashKey(new HashSubkey(H))).toBeUndefined();
    expect(wipe).toHaveBeenCalledTimes(3);
    expect(warn).toHaveBeenCalledOnce();
  });

  test("is not missed where it is not there", () => {
    vi.spyOn(select, "loadEngine").mockImplementation(() => {
      throw new Error("not available");
    });
    expect(nativeHashKey(new HashSubkey(H))).toBeUndefined();
  });
});
