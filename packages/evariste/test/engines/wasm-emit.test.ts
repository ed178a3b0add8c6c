import { describe, expect, it } from "vitest";
import { Asm, type Fn } from "../../src/engines/wasm/emit/asm.js";
import { PERMUTE_TABLES, subByte, toTower } from "../../src/engines/wasm/emit/field.js";
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
