import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Engine } from "../src/engines/engine.js";
import { load } from "../src/engines/portable/index.js";
import { nothingSeen, spyEngine } from "./support/spy-engine.js";

const key = new Uint8Array(16);

afterEach(() => {
  vi.doUnmock("../src/engines/openssl/index.js");
  vi.restoreAllMocks();
});

async function withOpenssl(loadOpenssl: () => Engine): Promise<typeof import("../src/index.js")> {
  vi.resetModules();
  vi.doMock("../src/engines/openssl/index.js", () => ({ load: loadOpenssl }));
  return import("../src/index.js");
}

function reportOf(library: typeof import("../src/index.js"), name: string) {
  return library.engines().find((engine) => engine.name === name);
}

describe("an engine that fails its self-test", () => {
  /** Each returns the engine with one fault. */
  const faults: Record<string, (engine: Engine) => Engine> = {
    "a wrong tag": (engine) => ({
      ...engine,
      createKey(rawKey, disabled) {
        const good = engine.createKey(rawKey, disabled);
        return {
          ...spyParts(good),
          seal(iv, aad, plaintext, out, tagLength) {
            good.seal(iv, aad, plaintext, out, tagLength);
            out[plaintext.length] ^= 1;
          },
        };
      },
    }),
    "forgeries accepted": (engine) => ({
      ...engine,
      createKey(rawKey, disabled) {
        const good = engine.createKey(rawKey, disabled);
        return { ...spyParts(good), open: (...args) => good.open(...args) || true };
      },
    }),
    "forgeries accepted in pieces": (engine) => ({
      ...engine,
      createKey(rawKey, disabled) {
        const good = engine.createKey(rawKey, disabled);
        return {
          ...spyParts(good),
          start(iv, direction, tagLength) {
            const stream = good.start(iv, direction, tagLength);
            return {
              aad: (chunk) => stream.aad(chunk),
              update: (chunk, out) => stream.update(chunk, out),
              finish: (tag) => stream.finish(tag),
              verify: () => true,
              wipe: () => stream.wipe(),
            };
          },
        };
      },
    }),
  };

  /** A key's methods as own properties, so that one of them can be replaced. */
  function spyParts(good: ReturnType<Engine["createKey"]>): ReturnType<Engine["createKey"]> {
    return {
      kernel: good.kernel,
      seal: (...args) => good.seal(...args),
      open: (...args) => good.open(...args),
      start: (...args) => good.start(...args),
      ghash: (...args) => good.ghash(...args),
      gctr: (...args) => good.gctr(...args),
      wipe: () => good.wipe(),
    };
  }

  it.each(Object.entries(faults))("is dropped with a warning: %s", async (_, fault) => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const library = await withOpenssl(() => ({ ...fault(load()), name: "openssl" }));
    expect(new library.AesGcm(key, { disable: ["native", "wasm"] }).engine).toBe("portable");
    expect(reportOf(library, "openssl")).toMatchObject({ available: false, chosen: false });
    expect(reportOf(library, "openssl")?.reason).toMatch(/^failed its self-test: /);
    expect(warn.mock.calls.filter(([message]) => String(message).includes("openssl"))).toHaveLength(1);
    expect(() => new library.AesGcm(key, { engine: "openssl" })).toThrow(
      /not available: failed its self-test/,
    );
  });
});

describe("an engine that cannot run", () => {
  it("is reported with the reason, without a warning", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const library = await withOpenssl(() => {
      throw new Error("there is no node:crypto today");
    });
    const reason = "there is no node:crypto today";
    expect(reportOf(library, "openssl")).toEqual({
      name: "openssl",
      available: false,
      chosen: false,
      kernels: [],
      reason,
    });
    expect(() => new library.AesGcm(key, { engine: "openssl" })).toThrow(
      `the openssl engine is not available: ${reason}`,
    );
    expect(warn.mock.calls.filter(([message]) => String(message).includes("openssl"))).toHaveLength(0);
  });

  it("is tried once", async () => {
    const loader = vi.fn(() => spyEngine(nothingSeen()));
    const library = await withOpenssl(loader);
    for (let i = 0; i < 3; i++) new library.AesGcm(key, { engine: "openssl", disable: ["x"] });
    library.engines();
    expect(loader).toHaveBeenCalledTimes(1);
  });
});

describe("options", () => {
  it("force an engine, switch one off, and refuse what is none", async () => {
    vi.resetModules();
    const { AesGcm } = await import("../src/index.js");
    expect(new AesGcm(key, { engine: "portable" }).engine).toBe("portable");
    expect(new AesGcm(key, { engine: "portable" }).kernel).toMatch(/\+/);
    expect(() => new AesGcm(key, { engine: "openssl", disable: ["openssl"] })).toThrow(/switched off/);
    expect(() => new AesGcm(key, { engine: "rot13" as "portable" })).toThrow(
      /^engine is "rot13"; allowed are /,
    );
    expect(() => new AesGcm(key, { disable: "portable" })).toThrow(TypeError);
    const all = ["native", "openssl", "wasm", "portable"];
    expect(() => new AesGcm(key, { disable: all })).toThrow(
      /no AES-GCM engine is available \(.*portable: switched off/,
    );
  });

  it("report engines without a gap: a reason exactly where one is not available", async () => {
    vi.resetModules();
    const { engines, AesGcm } = await import("../src/index.js");
    const reports = engines();
    for (const report of reports) expect(report.reason === undefined).toBe(report.available);
    for (const kernel of reports.flatMap((report) => report.kernels))
      expect(kernel.reason === undefined).toBe(kernel.available);
    const chosen = reports.filter((report) => report.chosen).map((report) => report.name);
    expect(new AesGcm(key).engine.split("+").sort()).toEqual(chosen.sort());
    expect(chosen.length).toBeGreaterThan(0);
  });
});

describe("EVARISTE_DISABLE", () => {
  const folder = mkdtempSync(join(tmpdir(), "evariste-selection-"));
  const SCRIPT = `
    import { AesGcm, engines } from "./index.js";
    const report = Object.fromEntries(engines().map(({ name, available, reason }) => [name, { available, reason }]));
    let engine;
    try { engine = new AesGcm(new Uint8Array(16)).engine; } catch (error) { engine = error.message; }
    engines();
    console.log(JSON.stringify({ report, engine }));`;

  beforeAll(async () => {
    await build({
      configFile: false,
      logLevel: "error",
      resolve: { conditions: ["evariste-source", "node"] },
      ssr: { resolve: { conditions: ["evariste-source", "node"] }, noExternal: true },
      build: {
        ssr: join(import.meta.dirname, "../src/index.ts"),
        outDir: folder,
        emptyOutDir: true,
        minify: false,
        rollupOptions: { output: { entryFileNames: "index.js" } },
      },
    });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "main.js"), SCRIPT);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(disable: string, warning = /^$/) {
    const env = { ...process.env, EVARISTE_DISABLE: disable };
    const child = spawnSync(process.execPath, [join(folder, "main.js")], { env, encoding: "utf8" });
    expect(child.stderr).toMatch(warning);
    return JSON.parse(child.stdout) as {
      report: Record<string, { available: boolean; reason?: string }>;
      engine: string;
    };
  }

  it("switches engines off by name, in a new process", () => {
    const { report, engine } = run("native, wasm,openssl");
    expect(engine).toBe("portable");
    expect(report.openssl).toEqual({ available: false, reason: "switched off" });
    expect(report.portable.available).toBe(true);
  });

  it("warns of names that are none, once", () => {
    const warning =
      /^\(node:\d+\) EvaristeWarning: evariste: EVARISTE_DISABLE names "natve", "gcm"; no engine or kernel here is called so\n\(.*\)\n$/;
    const { engine } = run("natve,wasm, gcm ,,gctr_bitsliced,openssl", warning);
    expect(engine).not.toContain("openssl");
  });

  it("leaves everything on when it is empty", () => {
    expect(run("").report.openssl).toEqual({ available: true });
  });

  it("can switch everything off, and engines() still answers", () => {
    const { report, engine } = run("native,wasm,openssl,portable");
    expect(engine).toMatch(/^no AES-GCM engine is available/);
    expect(Object.values(report).every((each) => !each.available)).toBe(true);
  });
});
