import { describe, expect, it } from "vitest";
import { cpuFeatures, describeMachine, formatMachine } from "../src/machine.js";
import { majorVersion } from "../src/processes/find-java.js";
import { versionIn, versions } from "../src/versions.js";

describe("cpuFeatures", () => {
  it("reads x86-64", () => {
    const text =
      "processor\t: 0\nflags\t\t: fpu sse2 pclmulqdq aes avx512f vaes\n\nprocessor\t: 1\nflags\t\t: aes\n";
    expect(cpuFeatures(text)).toEqual(["pclmulqdq", "aes", "avx512f", "vaes"]);
  });

  it("reads aarch64", () => {
    expect(cpuFeatures("Features\t: fp asimd aes pmull sha3\n")).toEqual(["asimd", "aes", "pmull", "sha3"]);
  });

  it("says nothing where it knows nothing", () => expect(cpuFeatures("")).toEqual([]));
});

it("the machine is described with engines, kernels and reasons", () => {
  const text = formatMachine({
    ...describeMachine(),
    load: 2,
    engines: [
      {
        name: "native",
        available: true,
        chosen: true,
        kernels: [
          { name: "gcm_wide", role: "gcm", available: false, chosen: false, reason: "no VAES" },
          { name: "gcm_narrow", role: "gcm", available: true, chosen: true },
        ],
      },
      { name: "wasm", available: false, chosen: false, kernels: [], reason: "no SIMD" },
    ],
  });
  expect(text).toContain("* native   gcm_wide (no VAES), gcm_narrow*");
  expect(text).toContain("  wasm     not available: no SIMD");
  expect(text).toContain("The machine is busy (load 2.00 per core)");
});

it("majorVersion reads what java --version prints", () => {
  expect(majorVersion("openjdk 25.0.1 2025-10-21 LTS\nOpenJDK Runtime")).toBe(25);
  expect(majorVersion("java 17 2021-09-14 LTS")).toBe(17);
  expect(majorVersion("nonsense")).toBeUndefined();
});

describe("versions", () => {
  it("are those of packages and of what else is measured here", () => {
    const found = versions();
    expect(found["@noble/ciphers"]).toMatch(/^\d+\.\d+\.\d+$/);
    expect(found.evariste).toMatch(/^\d+\.\d+\.\d+$/);
    for (const version of Object.values(found)) expect(version).toMatch(/^\d/);
  });

  it("are the first numbers that a program prints", () => {
    expect(versionIn("deno 2.5.4 (stable, release)\nv8 14.0")).toBe("2.5.4");
    expect(versionIn("openjdk 25 2025-09-16")).toBe("25");
    expect(versionIn("no number")).toBeUndefined();
  });
});
