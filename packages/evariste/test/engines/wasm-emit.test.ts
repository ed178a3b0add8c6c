import binaryen from "binaryen";
import { describe, expect, it } from "vitest";
import { Asm } from "../../src/engines/wasm/emit/asm.js";
import { findLeaks } from "../../src/engines/wasm/emit/check.js";
import { PERMUTE_TABLES, subByte, toTower } from "../../src/engines/wasm/emit/field.js";
import type { Fn } from "../../src/engines/wasm/emit/fn.js";
import { emitModule } from "../../src/engines/wasm/emit/module.js";
import { subBytes } from "../../src/engines/wasm/emit/sbox.js";
import { MODULE } from "../../src/engines/wasm/generated/module.js";

/** Emits one function of one public parameter. */
function emit(body: (f: Fn, n: ReturnType<Fn["const"]>) => void): Asm {
  const asm = new Asm();
  asm.module.setMemory(1, 1, "memory");
  asm.func("test", ["n"], true, (f, n) => {
    body(f, n);
    return undefined;
  });
  return asm;
}

/** A module with this code in one function, whose parameter is local 0. */
function assemble(code: string): Uint8Array {
  const text = `(module (memory 1) (func $test (param i32) (local i32 i32) ${code}))`;
  const module = binaryen.parseText(text);
  module.setFeatures(
    binaryen.Features.SIMD128 | binaryen.Features.BulkMemory | binaryen.Features.BulkMemoryOpt,
  );
  return module.emitBinary();
}

describe("the emitter", () => {
  it("refuses a secret address, condition, bound or parameter, and a secret in a public variable", () => {
    const refused = /secret/;
    expect(() => emit((f, n) => f.load(f.load32(n)))).toThrow(refused);
    expect(() => emit((f, n) => f.store(f.add(n, f.load32(n)), 0, f.zero()))).toThrow(refused);
    expect(() => emit((f, n) => f.clear(n, f.load32(n)))).toThrow(refused);
    expect(() => emit((f, n) => f.if(f.lane32(f.load(n), 0), () => {}))).toThrow(refused);
    expect(() => emit((f, n) => f.if(f.anyTrue(f.load(n)), () => {}))).toThrow(refused);
    expect(() =>
      emit((f, n) =>
        f.while(
          () => f.load32(n),
          () => {},
        ),
      ),
    ).toThrow(refused);
    expect(() => emit((f, n) => f.count(0, f.load32(n), 1, () => {}))).toThrow(refused);
    expect(() => emit((f, n) => f.min(n, f.load32(n)))).toThrow(refused);
    expect(() => emit((f, n) => f.call("test", f.load32(n)))).toThrow(refused);
    expect(() => emit((f, n) => f.variable(n).set(f.load32(n)))).toThrow(refused);
  });

  it("takes public addresses and conditions", () => {
    const asm = emit((f, n) => f.if(f.less(n, 4), () => f.store(n, 0, f.load(f.intShl(n, 4)))));
    expect(asm.module.validate()).toBe(1);
  });

  it.each([
    ["load address", "(drop (v128.load (i32.load (local.get 0))))"],
    ["store address", "(i32.store (i32.load (local.get 0)) (i32.const 1))"],
    ["condition", "(if (i32.load (local.get 0)) (then (nop)))"],
    ["condition", "(loop $a (br_if $a (v128.any_true (v128.load (local.get 0)))))"],
    ["condition", "(drop (select (i32.const 1) (i32.const 2) (i32.load (local.get 0))))"],
    ["argument", "(call $test (i32.load (local.get 0)))"],
    ["fill size", "(memory.fill (i32.const 0) (i32.const 0) (i32.load (local.get 0)))"],
    ["division of a secret", "(drop (i32.div_u (i32.const 1) (i32.load (local.get 0))))"],
    // A secret that reaches the address in the second turn of a loop only, and one past a branch.
    [
      "load address",
      "(loop $a (local.set 1 (i32.load (local.get 2))) (local.set 2 (local.get 1)) (br_if $a (local.get 0)))",
    ],
    [
      "load address",
      "(block $b (local.set 1 (i32.load (local.get 0))) (br_if $b (local.get 0)) (local.set 1 (i32.const 0))) (drop (i32.load (local.get 1)))",
    ],
  ])("has a check of finished code that finds a secret %s", (leak, code) => {
    expect(findLeaks(assemble(code)).join()).toContain(leak);
  });

  it.each([
    "(local.set 1 (i32.load (local.get 0))) (local.set 1 (i32.const 0)) (drop (i32.load (local.get 1)))",
    "(loop $a (v128.store (local.get 0) (v128.load (local.get 0))) (br_if $a (local.get 0)))",
  ])("has a check of finished code that lets pass %s", (code) => {
    expect(findLeaks(assemble(code))).toEqual([]);
  });

  it("makes the S-box of FIPS 197 of look-ups of nibbles", () => {
    const t = PERMUTE_TABLES;
    const look = (table: readonly number[], index: number) => (index & 0x80 ? 0 : table[index]);
    for (let byte = 0; byte < 256; byte++) {
      const x = t.inLow[byte & 15] ^ t.inHigh[byte >> 4];
      expect(x).toBe(toTower(byte));
      const [i, k] = [x & 15, x >> 4];
      const ak = look(t.invTimesA, k);
      const io = look(t.inv, look(t.inv, i) ^ ak) ^ i ^ k;
      const jo = look(t.inv, look(t.inv, i ^ k) ^ ak) ^ i;
      expect(look(t.lastIo, io) ^ look(t.lastJo, jo) ^ 0x63).toBe(subByte(byte));
    }
    expect([0x00, 0x01, 0x53, 0xff].map(subByte)).toEqual([0x63, 0x7c, 0xed, 0x16]);
  });

  it("makes the S-box of FIPS 197 of gates", () => {
    const asm = emit((f, n) => f.storeAll(n, subBytes(f, f.loadAll(n, 8))));
    const module = new WebAssembly.Module(Uint8Array.from(asm.module.emitBinary()));
    const { memory, test } = new WebAssembly.Instance(module).exports as {
      memory: WebAssembly.Memory;
      test(n: number): void;
    };
    const bytes = new Uint8Array(memory.buffer);
    for (let first = 0; first < 256; first += 128) {
      // 128 S-boxes at once: bit n of plane b is bit b of the input first + n.
      bytes.fill(0, 0, 128);
      for (let n = 0; n < 128; n++) {
        for (let b = 0; b < 8; b++) bytes[16 * b + (n >> 3)] |= (((first + n) >> b) & 1) << (n & 7);
      }
      test(0);
      for (let n = 0; n < 128; n++) {
        let out = 0;
        for (let b = 0; b < 8; b++) out |= ((bytes[16 * b + (n >> 3)] >> (n & 7)) & 1) << b;
        expect(out ^ 0x63).toBe(subByte(first + n));
      }
    }
  });

  it("emits the same bytes again, and those that ship", () => {
    const binary = Buffer.from(emitModule());
    expect(Buffer.from(emitModule()).equals(binary)).toBe(true);
    expect(binary.toString("hex")).toBe(MODULE);
  });
});
