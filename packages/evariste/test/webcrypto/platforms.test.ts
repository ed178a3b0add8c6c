/** What a platform may do wrong, and what it may not be asked. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { recover } from "../../src/engines/webcrypto/recover.js";
import { AesGcm, engines } from "../../src/index.js";
import { buildIndex } from "../../src/ranges/index.js";
import { decryptStream, encryptStream } from "../../src/streams/index.js";
import { StitchedGcm } from "../../src/webcrypto/index.js";
import { hashSubkey, seal as modelSeal } from "../model/gcm.js";
import { expectBytes, random } from "../support/bytes.js";

const RAW = random(16);
const IV = random(12);
const NONE = new Uint8Array(0);

afterEach(() => vi.restoreAllMocks());

/** The platform's WebCrypto with some methods replaced. */
function platform(changed: Partial<SubtleCrypto>): SubtleCrypto {
  const real = crypto.subtle;
  const bind = (name: "encrypt" | "decrypt" | "importKey" | "deriveKey" | "digest") =>
    (real[name] as (...args: unknown[]) => unknown).bind(real);
  return {
    encrypt: bind("encrypt"),
    decrypt: bind("decrypt"),
    importKey: bind("importKey"),
    deriveKey: bind("deriveKey"),
    digest: bind("digest"),
    ...changed,
  } as SubtleCrypto;
}

function importKey(usages: KeyUsage[] = ["encrypt", "decrypt"]): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", RAW as Uint8Array<ArrayBuffer>, "AES-GCM", false, usages);
}

describe("recover", () => {
  test("finds H and the probe's mask", async () => {
    const probe = await recover(async (iv, aad) => new Uint8Array(modelSeal(RAW, iv, aad, NONE)));
    expectBytes(probe.subkey.bytes(), hashSubkey(RAW));
    expectBytes(probe.mask, modelSeal(RAW, probe.iv, NONE, NONE));
  });

  test("refuses a platform whose tags do not depend on the AAD, as under H = 0", async () => {
    await expect(recover(async () => new Uint8Array(16).fill(7))).rejects.toThrow("do not depend on the AAD");
  });

  test("takes another IV each time", async () => {
    const ivs = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const { iv } = await recover(async (_, aad) => aad.slice());
      ivs.add(iv.join());
    }
    expect(ivs.size).toBe(5);
  });
});

/** Whether the library hashes for the platform. */
function hashesItself(): boolean {
  return engines().some(({ name, available }) => name === "native" && available);
}

describe("a platform that gives wrong answers", () => {
  /** One bit of each output of some length is flipped. */
  const broken = (matters: (length: number) => boolean) =>
    platform({
      async encrypt(...args) {
        const bytes = new Uint8Array(await crypto.subtle.encrypt(...args));
        if (matters(bytes.length)) bytes[bytes.length - 1] ^= 1;
        return bytes.buffer;
      },
    });

  test.each([
    ["in the tags of empty messages", (length: number) => length === 16],
    ["in the tags of texts", (length: number) => length > 16],
  ])("%s is not used", async (_, matters) => {
    const subtle = broken(matters);
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    await expect(StitchedGcm.create(await importKey(), { subtle })).rejects.toThrow("self-test");
    const gcm = await StitchedGcm.create(RAW, { subtle, syncBelow: 0 });
    expect(gcm.engine).not.toBe("webcrypto");
    expect(warn).toHaveBeenCalledOnce();
    const text = random(3000);
    expectBytes(await gcm.encrypt(IV, text), new AesGcm(RAW).encrypt(IV, text));
  });

  test("that fails for a moment is asked again", async () => {
    let failing = true;
    const subtle = platform({
      async encrypt(...args) {
        if (failing) throw new DOMException("out of memory", "OperationError");
        return crypto.subtle.encrypt(...args);
      },
    });
    await expect(StitchedGcm.create(await importKey(), { subtle })).rejects.toThrow("out of memory");
    failing = false;
    expect((await StitchedGcm.create(RAW, { subtle })).engine).toBe("webcrypto");
  });

  test("is asked for its answer once", async () => {
    const subtle = platform({});
    const spy = vi.spyOn(subtle, "importKey");
    for (let i = 0; i < 3; i++) (await StitchedGcm.create(await importKey(), { subtle })).destroy();
    expect(spy).toHaveBeenCalledOnce();
  });
});

describe("a platform that lacks something", () => {
  test("AES-192: raw keys run on the synchronous engines", async () => {
    const subtle = platform({
      async importKey(...args: unknown[]) {
        if ((args[1] as Uint8Array).length === 24) throw new DOMException("no 192", "OperationError");
        return (crypto.subtle.importKey as (...args: unknown[]) => Promise<CryptoKey>)(...args);
      },
    } as Partial<SubtleCrypto>);
    const raw = random(24);
    const gcm = await StitchedGcm.create(raw, { subtle, syncBelow: 0, segmentLength: 64 });
    expect(gcm.engine).not.toBe("webcrypto");
    expect((await StitchedGcm.create(RAW, { subtle })).engine).toBe("webcrypto");
    for (const length of [0, 64, 1000]) {
      const text = random(length);
      const sealed = await gcm.encrypt(IV, text, { aad: RAW });
      expectBytes(sealed, new AesGcm(raw).encrypt(IV, text, { aad: RAW }));
      expectBytes(await gcm.decrypt(IV, sealed, { aad: RAW }), text);
    }
  });

  test("WebCrypto, outside secure contexts: raw keys work, CryptoKeys say why not", async () => {
    vi.spyOn(globalThis, "crypto", "get").mockReturnValue({
      getRandomValues: crypto.getRandomValues.bind(crypto),
    } as Crypto);
    const gcm = await StitchedGcm.create(RAW);
    expect(gcm.engine).not.toBe("webcrypto");
    expectBytes(await gcm.encrypt(IV, random(0)), new AesGcm(RAW).encrypt(IV, NONE));
    const key = { algorithm: { name: "AES-GCM" }, usages: ["encrypt"] } as unknown as CryptoKey;
    await expect(StitchedGcm.create(key)).rejects.toThrow("secure context");
    await expect(buildIndex(new Blob([new Uint8Array(16)]), RAW, IV)).rejects.toThrow();
  });
});

describe("what the platform is asked", () => {
  /** Counts calls under way and remembers IVs. */
  function watched() {
    const seen = { now: 0, most: 0, ivs: [] as Uint8Array[], lengths: [] as number[] };
    const subtle = platform({
      async encrypt(algorithm, key, data) {
        seen.now++;
        seen.most = Math.max(seen.most, seen.now);
        seen.ivs.push(new Uint8Array((algorithm as AesGcmParams).iv as Uint8Array));
        seen.lengths.push(data.byteLength);
        // Later than its neighbours, so that calls pile up as far as they may.
        await new Promise((resolve) => setTimeout(resolve, 2));
        try {
          return await crypto.subtle.encrypt(algorithm, key, data);
        } finally {
          seen.now--;
        }
      },
    });
    return { seen, subtle };
  }

  test.each([1, 2, 3, 4])("%i segments in flight, never more", async (inFlight) => {
    const { seen, subtle } = watched();
    const options = { segmentLength: 64, inFlight, subtle };
    const gcm = await StitchedGcm.create(await importKey(), options);
    const text = random(64 * 20);
    await gcm.encrypt(IV, random(64 * 2));
    seen.most = 0;
    await gcm.encryptToParts(IV, text);
    expect(seen.most).toBe(inFlight);
    seen.most = 0;
    await gcm.decryptToParts(IV, new AesGcm(RAW).encrypt(IV, text));
    // GCTR and GHASH of a segment are two calls, where the platform has to hash.
    expect(seen.most).toBe(hashesItself() ? inFlight : 2 * inFlight);
  });

  test("IVs of 16 bytes where segments begin, and no IV twice for a text", async () => {
    const { seen, subtle } = watched();
    const gcm = await StitchedGcm.create(await importKey(), { segmentLength: 64, inFlight: 4, subtle });
    seen.ivs.length = 0;
    seen.lengths.length = 0;
    await gcm.encrypt(IV, random(1000));
    expect(seen.ivs.every((iv) => iv.length === 16)).toBe(true);
    const ofTexts = seen.ivs.filter((_, i) => seen.lengths[i] > 0).map((iv) => iv.join());
    expect(ofTexts.length).toBe(16);
    expect(new Set(ofTexts).size).toBe(16);
  });

  test("nothing more after an abort", async () => {
    const { seen, subtle } = watched();
    const gcm = await StitchedGcm.create(await importKey(), { segmentLength: 64, inFlight: 2, subtle });
    const abort = new AbortController();
    const reason = new Error("stop");
    const onProgress = () => abort.abort(reason);
    const running = gcm.encrypt(IV, random(6400), { signal: abort.signal, onProgress });
    await expect(running).rejects.toBe(reason);
    const calls = seen.ivs.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen.ivs.length).toBe(calls);
    expect(seen.now).toBe(0);
  });

  test("a failing call is the error, and the rest is waited for", async () => {
    // Not yet: the self-test comes first.
    let calls = -100;
    let running = 0;
    const subtle = platform({
      async encrypt(algorithm, key, data) {
        if (data.byteLength > 0 && ++calls === 5) throw new RangeError("out of memory");
        running++;
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return crypto.subtle.encrypt(algorithm, key, data);
      },
    });
    const options = { segmentLength: 64, inFlight: 3, subtle };
    const gcm = await StitchedGcm.create(await importKey(), options);
    await gcm.encrypt(IV, random(640));
    calls = 0;
    await expect(gcm.encrypt(IV, random(6400))).rejects.toThrow("out of memory");
    expect(running).toBe(0);
    calls = 0;
    const stream = new Blob([random(6400)])
      .stream()
      .pipeThrough(encryptStream(await importKey(), IV, options));
    await expect(new Response(stream).arrayBuffer()).rejects.toThrow("out of memory");
    calls = 0;
    const source = new Blob([new AesGcm(RAW).encrypt(IV, random(6400))]);
    const opened = decryptStream(await importKey(), IV, { ...options, source });
    await expect(new Response(opened).arrayBuffer()).rejects.toThrow("out of memory");
  });
});
