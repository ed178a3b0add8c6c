/** Options whose getters run code of the caller in the middle of a call. */
import { describe, expect, it } from "vitest";
import { AesGcm, type EngineName, engines, StateError } from "../src/index.js";
import { pattern, same } from "./support/bytes.js";

const KEY = pattern(32, 5);
const IV = pattern(12);
const names: EngineName[] = engines()
  .filter((engine) => engine.available)
  .map((engine) => engine.name);

/** Options that run `act` when their AAD is asked for. */
function during(act: () => void): { readonly aad: undefined } {
  return {
    get aad() {
      act();
      return undefined;
    },
  };
}

function transferAway(view: Uint8Array): void {
  structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
}

describe.each(names)("%s: a getter of the AAD", (engine) => {
  const gcm = new AesGcm(KEY, { engine });

  it.each([20, 200, 100_000])("that transfers another argument away, %i bytes", (length) => {
    const sealed = gcm.encrypt(IV, pattern(length));
    const away = (
      call: (view: Uint8Array, options: { readonly aad: undefined }) => unknown,
      of: Uint8Array,
    ) =>
      expect(() => {
        const view = Uint8Array.from(of);
        call(
          view,
          during(() => transferAway(view)),
        );
      }).toThrow(/is detached/);
    away((iv, options) => gcm.encrypt(iv, pattern(length), options), IV);
    away((iv, options) => gcm.decrypt(iv, sealed, options), IV);
    away((text, options) => gcm.encrypt(IV, text, options), pattern(length));
    away((view, options) => gcm.decrypt(IV, view, options), sealed);
    away((view, options) => gcm.decryptInto(IV, view, new Uint8Array(length), options), sealed);
    away((out, options) => gcm.encryptInto(IV, pattern(length), out, options), sealed);
    away((out, options) => gcm.decryptInto(IV, sealed, out, options), sealed);
    expect(same(gcm.encrypt(IV, pattern(length)), sealed)).toBe(true);
  });

  it("that destroys the key", () => {
    const sealed = gcm.encrypt(IV, pattern(100));
    for (const call of [
      (own: AesGcm) =>
        own.encrypt(
          IV,
          pattern(100),
          during(() => own.destroy()),
        ),
      (own: AesGcm) =>
        own.decrypt(
          IV,
          sealed,
          during(() => own.destroy()),
        ),
      (own: AesGcm) =>
        own.encryptInto(
          IV,
          pattern(100),
          new Uint8Array(116),
          during(() => own.destroy()),
        ),
      (own: AesGcm) =>
        own.decryptInto(
          IV,
          sealed,
          new Uint8Array(100),
          during(() => own.destroy()),
        ),
    ]) {
      const own = new AesGcm(KEY, { engine });
      own.encrypt(IV, pattern(100));
      expect(() => call(own)).toThrow(StateError);
    }
  });

  it("whose options shrink the key", () => {
    const memory = new ArrayBuffer(32, { maxByteLength: 32 });
    const options = {
      get engine() {
        memory.resize(7);
        return engine;
      },
    };
    expect(() => new AesGcm(new Uint8Array(memory), options)).toThrow("key has 7 bytes");
  });

  it("of a batch that shrinks its data", () => {
    const memory = new ArrayBuffer(200, { maxByteLength: 200 });
    const messages = {
      ivs: pattern(24),
      data: new Uint8Array(memory),
      offsets: Uint32Array.of(0, 100, 200),
      get aadOffsets() {
        memory.resize(5);
        return new Uint32Array(3);
      },
    };
    expect(() => gcm.decryptBatch(messages)).toThrow(RangeError);
  });

  it("of a batch that gives a new view each time does not cost the caller the data", () => {
    const data = pattern(64);
    const messages = {
      ivs: pattern(24),
      offsets: Uint32Array.of(0, 32, 64),
      get data() {
        return data.subarray(0, 64);
      },
    };
    gcm.encryptBatch(messages);
    expect(same(data, pattern(64))).toBe(true);
  });
});
