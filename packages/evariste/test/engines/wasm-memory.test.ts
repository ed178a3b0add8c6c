import { describe, expect, it } from "vitest";
import { Arena, type Tenant } from "../../src/engines/wasm/arena.js";
import { Backend } from "../../src/engines/wasm/backend.js";
import { WasmKey } from "../../src/engines/wasm/key.js";
import * as layout from "../../src/engines/wasm/layout.js";
import { expectBytes, nodeSeal, random } from "../support/bytes.js";

const none = new Uint8Array(0);
const zeros = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);

function freshBackend() {
  const backend = new Backend("test", false);
  return { backend, memory: new Uint8Array(backend.exports.memory.buffer) };
}

describe("the wasm engine's memory", () => {
  it("has room for everything: no part overlaps the next", () => {
    const { Y, ICB, EJ0, IV, BLOCK, RAW_KEY, KEYSTREAM, BASIS, DELTA, TAIL, STREAMS, PRODUCTS, PIECES } =
      layout;
    const { ROUND2, AAD, AAD_BYTES, TEXT, TEXT_BYTES, SLOTS } = layout;
    const parts: [address: number, bytes: number][] = [
      ...[Y, ICB, EJ0, IV, BLOCK].map((address): [number, number] => [address, 16]),
      ...[
        [RAW_KEY, 32],
        [KEYSTREAM, 64],
        [BASIS, 128],
        [DELTA, 128],
        [TAIL, 128],
        [STREAMS, 64],
        [PRODUCTS, 9 * 32],
        [PIECES, 9 * 8 * 16],
        [ROUND2, 32 * 128],
        [AAD, AAD_BYTES + 16],
        [TEXT, TEXT_BYTES],
      ].map(([address, bytes]): [number, number] => [address, bytes]),
    ];
    for (const [n, [address, bytes]] of parts.entries()) {
      expect(address % 16).toBe(0);
      expect(address + bytes).toBeLessThanOrEqual(parts[n + 1]?.[0] ?? SLOTS);
    }
  });

  it("holds nothing of a key after wipe: neither slots nor scratch", () => {
    const { backend, memory } = freshBackend();
    const rawKey = random(32);
    const key = new WasmKey(backend, rawKey);
    const out = new Uint8Array(20_016);
    key.seal(random(12), random(100), random(20_000), out, 16);
    key.open(random(16), random(2000), out, out.subarray(0, 20_000), 16);
    const { slot, wide } = key;
    expectBytes(memory.slice(slot, slot + 32), rawKey);
    expect(zeros(memory.subarray(wide, wide + layout.WIDE_BYTES))).toBe(false);
    key.wipe();
    expect(zeros(memory.subarray(layout.Y))).toBe(true);
    key.wipe();
    expect(zeros(memory.subarray(layout.Y))).toBe(true);
  });

  it("keeps no plaintext of an opened message, and no keystream, tag mask or hash state", () => {
    const { backend, memory } = freshBackend();
    const rawKey = random(16);
    const key = new WasmKey(backend, rawKey);
    for (const length of [16, 40, 64, 1000, 8160, 30_000]) {
      const iv = random(12);
      const text = random(length);
      const sealed = nodeSeal(rawKey, iv, none, text);
      expect(key.open(iv, none, sealed, new Uint8Array(length), 16)).toBe(true);
      expect(Buffer.from(memory.buffer).indexOf(text.subarray(length - 16))).toBe(-1);
      expect(zeros(memory.subarray(layout.Y, layout.Y + 16))).toBe(true);
      expect(zeros(memory.subarray(layout.EJ0, layout.EJ0 + 16))).toBe(true);
      expect(zeros(memory.subarray(layout.KEYSTREAM + 16, layout.KEYSTREAM + 64))).toBe(true);
    }
  });

  it.each([12, 20])(
    "keeps no plaintext and no keystream of long messages and pieces, IV of %i bytes",
    (ivLength) => {
      const { backend, memory } = freshBackend();
      const rawKey = random(16);
      const key = new WasmKey(backend, rawKey);
      for (const length of [48, 300, 5000, 8200, 70_000]) {
        const iv = random(ivLength);
        const text = random(length);
        const sealed = nodeSeal(rawKey, iv, none, text);
        const secrets = new Set<bigint>();
        const keystream = Buffer.from(text.map((byte, i) => byte ^ sealed[i]));
        for (const secret of [Buffer.from(text), keystream])
          for (let at = 0; at + 8 <= length; at++) secrets.add(secret.readBigUInt64LE(at));
        const expectNone = (after: string) => {
          const scratch = Buffer.from(memory.buffer, layout.Y, layout.SLOTS - layout.Y);
          for (let at = 0; at + 8 <= scratch.length; at++)
            if (secrets.has(scratch.readBigUInt64LE(at)))
              expect.fail(`after ${after}, ${length} bytes: at ${layout.Y + at}`);
        };
        expect(key.open(iv, none, sealed, new Uint8Array(length), 16)).toBe(true);
        expectNone("open");
        for (const direction of ["encrypt", "decrypt"] as const) {
          const stream = key.start(iv, direction, 16);
          const input = direction === "encrypt" ? text : sealed.subarray(0, length);
          for (const [from, to] of [
            [0, length >> 1],
            [length >> 1, length],
          ]) {
            stream.update(input.subarray(from, to), new Uint8Array(length));
            expectNone(`${direction}, a piece`);
          }
          stream.wipe();
        }
      }
    },
  );

  it("clears an evicted key's slots, and that key still works", () => {
    const { backend, memory } = freshBackend();
    const rawKey = random(16);
    const key = new WasmKey(backend, rawKey);
    const text = random(5000);
    key.seal(random(12), none, text, new Uint8Array(5016), 16);
    const { slot } = key;
    const others = Array.from({ length: layout.SLOT_COUNT }, () => new WasmKey(backend, random(16)));
    expect(key.slot).toBe(0);
    const tenant = others.find((other) => other.slot === slot);
    expect(tenant).toBeDefined();
    expect(zeros(memory.subarray(slot + layout.SLOT_TABLES, slot + layout.SLOT_PLANES))).toBe(true);
    const iv = random(12);
    const out = new Uint8Array(5016);
    key.seal(iv, none, text, out, 16);
    expectBytes(out, nodeSeal(rawKey, iv, none, text));
  });

  it("uses memory to its end and no further: it never grows", () => {
    const { backend, memory } = freshBackend();
    const keys = Array.from({ length: layout.WIDE_COUNT }, () => random(16)).map((rawKey) => ({
      rawKey,
      key: new WasmKey(backend, rawKey),
    }));
    const text = random(3000);
    const iv = random(12);
    for (const { rawKey, key } of keys) {
      const out = new Uint8Array(3016);
      key.seal(iv, none, text, out, 16);
      expectBytes(out, nodeSeal(rawKey, iv, none, text));
    }
    const last = Math.max(...keys.map(({ key }) => key.wide));
    expect(last).toBe(layout.WIDE_SLOTS + (layout.WIDE_COUNT - 1) * layout.WIDE_BYTES);
    expect(memory.buffer.byteLength).toBe(layout.MEMORY_PAGES * 65536);
    expect(() => backend.exports.memory.grow(1)).toThrow();
  });
});

describe("an arena", () => {
  it("lends every slot, then takes the one that was not used since it looked", () => {
    const arena = new Arena(1000, 10, 3);
    const evicted: number[] = [];
    const tenants = [0, 1, 2, 3].map((n): Tenant => ({ used: n !== 1, evict: () => evicted.push(n) }));
    const addresses = tenants.slice(0, 3).map((tenant) => arena.take(tenant));
    expect(addresses).toEqual([1000, 1010, 1020]);
    expect(arena.take(tenants[3])).toBe(1010);
    expect(evicted).toEqual([1]);
    arena.release(1020);
    expect(arena.take(tenants[1])).toBe(1020);
    expect(evicted).toEqual([1]);
  });
});
