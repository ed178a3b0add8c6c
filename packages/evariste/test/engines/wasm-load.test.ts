import { afterEach, describe, expect, it, vi } from "vitest";
import { random } from "../support/bytes.js";

/** The engine's modules, fresh, so that nothing was compiled yet. */
function freshEngine() {
  vi.resetModules();
  return import("../../src/engines/wasm/index.js");
}

/** WebAssembly with some of it replaced. */
function withWebAssembly(changes: Partial<Record<keyof typeof WebAssembly, unknown>>) {
  const names = Object.getOwnPropertyNames(WebAssembly) as (keyof typeof WebAssembly)[];
  vi.stubGlobal("WebAssembly", { ...Object.fromEntries(names.map((n) => [n, WebAssembly[n]])), ...changes });
}

function refuse(message: string) {
  return class {
    constructor() {
      throw new Error(message);
    }
  };
}

const none: ReadonlySet<string> = new Set();

describe("loading the wasm engine", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("says so where there is no WebAssembly", async () => {
    vi.stubGlobal("WebAssembly", undefined);
    const { load, ready } = await freshEngine();
    expect(load).toThrow("this runtime has no WebAssembly");
    await expect(ready()).rejects.toThrow("this runtime has no WebAssembly");
  });

  it("passes on why compiling is forbidden", async () => {
    withWebAssembly({ Module: refuse("Wasm code generation disallowed by embedder") });
    const { load } = await freshEngine();
    expect(load).toThrow(/not available.*Wasm code generation disallowed by embedder/);
  });

  it("works after ready() where a synchronous compile is refused", async () => {
    withWebAssembly({ Module: refuse("larger than the limit on this thread") });
    const { load, ready } = await freshEngine();
    expect(load).toThrow("larger than the limit");
    await ready();
    const key = load().createKey(random(16), none);
    const sealed = new Uint8Array(20);
    const iv = random(12);
    key.seal(iv, new Uint8Array(0), random(4), sealed, 16);
    expect(key.open(iv, new Uint8Array(0), sealed, new Uint8Array(4), 16)).toBe(true);
  });

  it("takes standard SIMD where relaxed SIMD is not valid or switched off", async () => {
    const { load: loadRelaxed } = await freshEngine();
    const reports = loadRelaxed().kernels(new Set(["gcm_swizzle_relaxed"]));
    expect(reports[0]).toMatchObject({ name: "gcm_swizzle_relaxed", available: false, chosen: false });
    expect(reports[1]).toMatchObject({ name: "gcm_swizzle", available: true, chosen: true });
    withWebAssembly({ validate: () => false });
    const { load } = await freshEngine();
    expect(load().kernels(none)[0].reason).toBe("this runtime has no relaxed SIMD");
    expect(load().createKey(random(16), none).kernel).toBe("gcm_swizzle");
  });

  it("decodes the module without the runtime's help", async () => {
    vi.stubGlobal("Buffer", undefined);
    const { load } = await freshEngine();
    const engine = load();
    vi.unstubAllGlobals();
    expect(engine.createKey(random(16), none).kernel).toMatch(/^gcm_swizzle/);
  });
});
