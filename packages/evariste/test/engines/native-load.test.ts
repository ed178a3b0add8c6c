import { describe, expect, it, vi } from "vitest";
import { candidates, loadAddon } from "../../src/engines/native/load.js";

const platform = vi.hoisted(() => ({ requireFromHere: vi.fn<(id: string) => unknown>() }));
vi.mock("#platform", async (original) => ({ ...(await original<object>()), ...platform }));

describe("the native engine's packages", () => {
  it("are one per C library under Linux", () => {
    expect(candidates({ platform: "linux", arch: "x64" })).toEqual([
      "@evariste/native-linux-x64-gnu",
      "@evariste/native-linux-x64-musl",
      "@evariste/native/build/evariste-linux-x64.node",
    ]);
  });

  it("are named for POWER's byte order, which Node's name of the architecture leaves out", () => {
    expect(candidates({ platform: "linux", arch: "ppc64" })).toEqual([
      "@evariste/native-linux-ppc64le-gnu",
      "@evariste/native-linux-ppc64le-musl",
      "@evariste/native/build/evariste-linux-ppc64.node",
    ]);
  });

  it("are one per architecture elsewhere", () => {
    expect(candidates({ platform: "darwin", arch: "arm64" })[0]).toBe("@evariste/native-darwin-arm64");
    expect(candidates({ platform: "win32", arch: "x64" })[0]).toBe("@evariste/native-win32-x64");
  });
});

describe("without an addon that works", () => {
  function messageOf(load: (id: string) => unknown): string[] {
    platform.requireFromHere.mockImplementation(load);
    try {
      loadAddon();
    } catch (error) {
      return (error as Error).message.split("\n");
    }
    throw new Error("it was loaded");
  }

  function notFound(id: string): never {
    const message = `Cannot find module '${id}'\nRequire stack:\n- /a/b.js`;
    throw Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
  }

  const places = candidates(process);
  const machine = `${process.platform}-${process.arch}`;

  it("says in one sentence that there is none, then where it looked", () => {
    expect(messageOf(notFound)).toEqual([
      `no addon for ${machine} is installed`,
      ...places.map((id) => `${id}: not installed`),
    ]);
  });

  it("says what is wrong with the one that is there", () => {
    const broken = (id: string) => {
      if (id !== places[0]) return notFound(id);
      throw new Error("libc.so.6: version `GLIBC_2.34' not found\nmore");
    };
    expect(messageOf(broken)).toEqual([
      `no addon for ${machine} works`,
      `${places[0]}: libc.so.6: version \`GLIBC_2.34' not found`,
      ...places.slice(1).map((id) => `${id}: not installed`),
    ]);
    const lacking = (id: string) => (id === places[0] ? notFound("something-else") : notFound(id));
    expect(messageOf(lacking).slice(0, 2)).toEqual([
      `no addon for ${machine} works`,
      `${places[0]}: Cannot find module 'something-else'`,
    ]);
  });
});
