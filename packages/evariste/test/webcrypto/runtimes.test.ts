import { describe, expect, test, vi } from "vitest";
import { macrotask, Pacer } from "../../src/engines/webcrypto/pacing.js";
import { Pipeline } from "../../src/engines/webcrypto/pipeline.js";
import { detectRuntime, RUNTIMES } from "../../src/engines/webcrypto/runtimes.js";
import { settingsOf } from "../../src/webcrypto/settings.js";

describe("runtimes", () => {
  const process = { versions: { node: "20.0.0" } };
  test.each([
    ["node", { process }],
    ["deno", { process, Deno: {} }],
    ["bun", { process, Bun: {} }],
    ["chromium", { navigator: { userAgentData: {} } }],
    ["firefox", { navigator: {}, InternalError: class {} }],
    // This test runs on V8, as workerd and Electron's sandbox do.
    ["other", { navigator: {} }],
    ["other", {}],
  ])("%s", (name, globals) => expect(detectRuntime(globals)).toBe(name));

  test("this one is Node", () => expect(detectRuntime()).toBe("node"));

  test.each(Object.entries(RUNTIMES))("the profile of %s is one that callers could choose", (_, profile) => {
    expect(settingsOf(profile)).toMatchObject({
      segmentLength: profile.segmentLength,
      inFlight: profile.inFlight,
    });
  });

  test("streams have segments of their own length, unless the caller says so", () => {
    expect(settingsOf({}, "stream").segmentLength).toBe(RUNTIMES.node.streamSegment);
    expect(settingsOf({}).segmentLength).toBe(RUNTIMES.node.segmentLength);
    expect(settingsOf({ segmentLength: 8192 }, "stream").segmentLength).toBe(8192);
  });

  test.each([
    { segmentLength: 0 },
    { segmentLength: 8 },
    { segmentLength: 100 },
    { segmentLength: -16 },
    { segmentLength: 2 ** 30 + 16 },
    { segmentLength: Number.NaN },
    { inFlight: 0 },
    { inFlight: 65 },
    { inFlight: 1.5 },
    { tagLength: 11 },
    { tagLength: 8 },
  ])("refuses %o", (options) => expect(() => settingsOf(options)).toThrow(RangeError));
});

describe("freed memory", () => {
  test("the allocator is asked once to keep it, and not at all where it does anyway", async () => {
    const lengths: number[] = [];
    vi.resetModules();
    const { keepFreedMemory } = await import("../../src/engines/webcrypto/memory.js");
    vi.stubGlobal(
      "Uint8Array",
      class extends Uint8Array {
        constructor(length: number) {
          super(length);
          lengths.push(length);
        }
      },
    );
    keepFreedMemory(0);
    expect(lengths).toEqual([]);
    keepFreedMemory(1000);
    keepFreedMemory(1000);
    vi.unstubAllGlobals();
    expect(lengths).toEqual([1000]);
  });
});

describe("pacing", () => {
  test("a macrotask lets timers run", async () => {
    let ran = false;
    setTimeout(() => {
      ran = true;
    }, 0);
    const until = performance.now() + 5;
    while (performance.now() < until);
    for (let i = 0; i < 3 && !ran; i++) await macrotask();
    expect(ran).toBe(true);
  });

  test("where there are only messages, all who wait share one", async () => {
    vi.stubGlobal("setImmediate", undefined);
    const post = vi.spyOn(MessagePort.prototype, "postMessage");
    for (let round = 1; round <= 3; round++) {
      await Promise.all([macrotask(), macrotask(), macrotask()]);
      expect(post).toHaveBeenCalledTimes(round);
    }
    post.mockRestore();
    vi.unstubAllGlobals();
  });

  test("asks for a pause only after its time", async () => {
    expect(new Pacer(10_000).pause()).toBeUndefined();
    const pacer = new Pacer(0);
    await expect(pacer.pause()).resolves.toBeUndefined();
  });

  test("a pipeline that never waits for the platform lets timers run", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const pipeline = new Pipeline<void>(2, 8, () => {});
    for (let i = 0; i < 60; i++) {
      await pipeline.add(async () => {
        const until = performance.now() + 2;
        while (performance.now() < until);
      });
    }
    await pipeline.drain();
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });
});
