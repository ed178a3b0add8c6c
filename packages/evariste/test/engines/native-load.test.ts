import { describe, expect, it } from "vitest";
import { candidates } from "../../src/engines/native/load.js";

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
