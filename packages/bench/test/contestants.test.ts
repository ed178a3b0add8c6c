import { describe, expect, it } from "vitest";
import { ownMemory } from "../src/contestants/evariste.js";
import { KINDS, type KindName, type MakeRun } from "../src/contestants/kinds.js";
import { memoryFor, OPERATIONS, type Operation, type Shape } from "../src/contestants/shape.js";
import { EVARISTE, installed, missing, PACKAGES, PLATFORM, STREAMS } from "../src/contestants/table.js";

const SPECS = [EVARISTE, ...PLATFORM, ...PACKAGES];
const shape: Shape = { operation: "encrypt", size: 100, keyBits: 128 };

async function runOf(kind: KindName, row: Shape, options?: object) {
  const make = (await KINDS[kind].load()) as MakeRun;
  return make(row, options);
}

describe("every contestant", () => {
  // Decryption opens what node:crypto sealed, so a contestant that computes something else throws.
  it.each(SPECS.flatMap((spec) => OPERATIONS.map((operation) => ({ ...spec, operation }))))(
    "$name does $operation",
    async ({ kind, options, operation }) => {
      const run = await runOf(kind, { ...shape, operation }, options);
      expect(run).toBeTypeOf("function");
      await run!(0);
      await run!(1);
    },
  );

  it.each(STREAMS)("$name passes a message of several pieces both ways", async ({ kind, options }) => {
    for (const operation of ["encryptStream", "decryptStream"] as const) {
      const run = await runOf(kind, { operation, size: 200_001, keyBits: 256 }, options);
      if (operation === "encryptStream" && options?.release === "unverified") expect(run).toBeUndefined();
      else await run!(0);
    }
  });
});

describe("JMH's shapes", () => {
  const operations: Operation[] = [
    "encryptInto",
    "decryptInto",
    "encryptMultiPart",
    "decryptMultiPart",
    "updateAAD",
  ];
  const memories = ["array", "heap", "direct"] as const;
  const rows = operations.flatMap((operation) => memories.map((memory) => ({ operation, memory })));

  it.each(rows)("$operation on $memory memory", async (row) => {
    for (const kind of ["evariste", "createCipheriv"] as const) {
      const run = await runOf(kind, { ...shape, size: 1500, ...row });
      await run!(0);
      await run!(5000);
    }
  });

  it("have IVs of 16 bytes that slide, and others counters of 12", () => {
    const jmh = memoryFor({ ...shape, memory: "heap" });
    expect(jmh.iv).toHaveLength(16);
    expect(jmh.ivFor(1).subarray(0, 15)).toEqual(jmh.ivFor(0).subarray(1));
    const plain = memoryFor(shape);
    expect([...plain.ivFor(258)]).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(plain.iv).toEqual(new Uint8Array(12));
  });

  it("direct memory is a view into what the library allocated", () => {
    const allocate = ownMemory();
    const [first, second] = [allocate(1024), allocate(1040)];
    expect(first.buffer.byteLength).toBeGreaterThan(1024);
    expect([first.length, second.length]).toEqual([1024, 1040]);
    expect(allocate(3)).toHaveLength(3);
  });
});

describe("what a contestant does not have", () => {
  it("is undefined", async () => {
    expect(await runOf("noble", { ...shape, operation: "encryptMultiPart" })).toBeUndefined();
    expect(await runOf("stablelib", { ...shape, memory: "heap" })).toBeUndefined();
    expect(await runOf("chunked", { ...shape, operation: "encryptStream", keyBits: 192 })).toBeUndefined();
    expect(await runOf("encryptWebStreams", { ...shape, operation: "encryptStream" })).toBeUndefined();
    expect(await runOf("evariste", { ...shape, operation: "encryptStream" })).toBeUndefined();
  });
});

it("a package that is not installed is a line that says so", async () => {
  expect(await missing(["node:crypto", "no-such-package"])).toBe("no-such-package is not installed");
  expect(await missing(["node:crypto"])).toBeUndefined();
});

it("what is installed is found, without a note", async () => {
  const { found, notes } = await installed(SPECS);
  expect(found).toEqual(SPECS);
  expect(notes).toEqual([]);
});
