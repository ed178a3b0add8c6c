/**
 * AES for one to four blocks: the S-box by look-ups of nibbles in registers, in the tower field (see `field.ts`), and
 * key expansion with the same S-box. The state stays in tower form from the first AddRoundKey to the last SubBytes.
 */
import {
  BLOCK,
  IV,
  KEYSTREAM,
  RAW_KEY,
  SLOT_H,
  SLOT_PLANES,
  SLOT_POWER,
  SLOT_TOWER,
  TABLES,
} from "../layout.js";
import { broadcastBits } from "./aes-bitsliced.js";
import type { Asm } from "./asm.js";
import { PERMUTE_TABLES, SUB_CONSTANT, toTower } from "./field.js";
import type { Fn, I32, V128 } from "./fn.js";

const LANES = Array.from({ length: 16 }, (_, lane) => lane);
const NAMES = Object.keys(PERMUTE_TABLES) as (keyof typeof PERMUTE_TABLES)[];

/** The tables in the order in which they lie in memory. */
export const PERMUTE_DATA: readonly number[] = NAMES.flatMap((name) => [...PERMUTE_TABLES[name]]);

/** Byte 4·column + row after ShiftRows and a rotation of the rows comes from this one before. */
const shiftAndRotate = (rows: number) =>
  LANES.map((lane) => {
    const row = (lane + rows) & 3;
    const column = ((lane >> 2) + row) & 3;
    return 4 * column + row;
  });

type Tables = Record<keyof typeof PERMUTE_TABLES | "nibble", V128>;

function loadTables(f: Fn): Tables {
  const base = f.const(TABLES);
  const tables = NAMES.map((name, i) => [name, f.load(base, 16 * i)] as const);
  return { ...Object.fromEntries(tables), nibble: f.splat8(15) } as Tables;
}

/** AES bytes to tower form. */
function enterTower(f: Fn, t: Tables, x: V128): V128 {
  return f.xor(f.lookup(t.inLow, f.and(x, t.nibble)), f.lookup(t.inHigh, f.highNibbles(x, t.nibble)));
}

/** io and jo of `field.ts`, from which every output of the S-box is one look-up each. */
function invert(f: Fn, t: Tables, x: V128): { io: V128; jo: V128 } {
  const i = f.and(x, t.nibble);
  const k = f.highNibbles(x, t.nibble);
  const j = f.xor(i, k);
  const ak = f.lookup(t.invTimesA, k);
  const iak = f.xor(f.lookup(t.inv, i), ak);
  const jak = f.xor(f.lookup(t.inv, j), ak);
  return { io: f.xor(f.lookup(t.inv, iak), j), jo: f.xor(f.lookup(t.inv, jak), i) };
}

/** SubBytes, ShiftRows and MixColumns: with A = S(x) it is 2A + rot1(2A + A) + rot2(A) + rot3(A). */
function middleRound(f: Fn, t: Tables, x: V128): V128 {
  const { io, jo } = invert(f, t, x);
  const once = f.xor(f.lookup(t.subIo, io), f.lookup(t.subJo, jo));
  const twice = f.xor(f.lookup(t.twiceIo, io), f.lookup(t.twiceJo, jo));
  const near = f.xor(f.permute(twice, shiftAndRotate(0)), f.permute(f.xor(once, twice), shiftAndRotate(1)));
  return f.xor(near, f.xor(f.permute(once, shiftAndRotate(2)), f.permute(once, shiftAndRotate(3))));
}

/** Encrypts blocks side by side, which hides the latency of the look-ups. */
function encryptBlocks(f: Fn, slot: I32, rounds: I32, blocks: readonly V128[]): V128[] {
  const t = loadTables(f);
  const tower = f.add(slot, SLOT_TOWER);
  const first = f.load(tower);
  const state = blocks.map((block) => f.variable(f.xor(enterTower(f, t, block), first), true));
  const last = f.add(tower, f.intShl(rounds, 4));
  f.count(f.add(tower, 16), last, 16, (address) => {
    const key = f.load(address);
    for (const x of state) x.set(f.xor(middleRound(f, t, x), key));
  });
  const key = f.load(last);
  return state.map((x) => {
    const { io, jo } = invert(f, t, x);
    const sub = f.xor(f.lookup(t.lastIo, io), f.lookup(t.lastJo, jo));
    return f.xor(f.permute(sub, shiftAndRotate(0)), key);
  });
}

/** FIPS 197 clause 5.2, word by word; then the round keys in tower form and as planes, with 0x63 added; then H. */
function emitExpand(asm: Asm): void {
  asm.func("expand", ["slot", "keyWords"], true, (f, slot, keyWords) => {
    const rounds = f.add(keyWords, 6);
    const raw = f.const(RAW_KEY);
    for (const half of [0, 16]) f.store(slot, half, f.load(raw, half));
    f.store(raw, 0, f.zero());
    f.store(raw, 16, f.zero());
    const keyBytes = f.intShl(keyWords, 2);
    const end = f.add(slot, f.intShl(f.add(rounds, 1), 4));
    const t = loadTables(f);
    const subWord = (word: I32): I32 => {
      const { io, jo } = invert(f, t, enterTower(f, t, f.spread32(word)));
      const sub = f.xor(f.lookup(t.lastIo, io), f.lookup(t.lastJo, jo), f.splat8(SUB_CONSTANT));
      return f.lane32(sub, 0);
    };
    const place = f.variable(f.const(0));
    const rcon = f.variable(f.const(1));
    const word = f.variable(f.load32(f.add(slot, f.sub(keyBytes, 4))));
    f.count(f.add(slot, keyBytes), end, 4, (address) => {
      f.if(
        f.equal(place, 0),
        () => {
          word.set(f.intXor(subWord(f.rotr(word, 8)), rcon));
          // Doubling in GF(2^8): only the step after the eighth, 0x80 -> 0x1b, reduces; all of it public.
          const carry = f.intShr(rcon, 7);
          rcon.set(f.intXor(f.intShl(rcon, 1), f.mul(carry, 0x11b)));
        },
        () => f.if(f.intAnd(f.equal(keyWords, 8), f.equal(place, 4)), () => word.set(subWord(word))),
      );
      word.set(f.intXor(word, f.load32(f.sub(address, keyBytes))));
      f.store32(address, 0, word);
      place.set(f.add(place, 1));
      f.if(f.equal(place, keyWords), () => place.set(f.const(0)));
    });
    const last = f.add(slot, f.intShl(rounds, 4));
    f.store(slot, SLOT_TOWER, enterTower(f, t, f.load(slot)));
    const constant = f.splat8(toTower(SUB_CONSTANT));
    f.count(f.add(slot, 16), last, 16, (address) => {
      f.store(address, SLOT_TOWER, f.xor(enterTower(f, t, f.load(address)), constant));
    });
    f.store(last, SLOT_TOWER, f.xor(f.load(last), f.splat8(SUB_CONSTANT)));
    const planes = f.variable(f.add(slot, SLOT_PLANES));
    const added = f.variable(f.zero());
    f.count(slot, last, 16, (key) => {
      f.storeAll(planes, broadcastBits(f, f.xor(f.load(key), added)));
      added.set(f.splat8(SUB_CONSTANT));
      planes.set(f.add(planes, 128));
    });
    const h = encryptBlocks(f, slot, rounds, [f.zero()])[0];
    f.store(slot, SLOT_H, h);
    f.store(slot, SLOT_POWER, h);
    return undefined;
  });
}

/** `expand`, `block` and `keystream1`, `keystream2`, `keystream4`. */
export function emitPermute(asm: Asm): void {
  emitExpand(asm);
  asm.func("block", ["slot", "rounds"], true, (f, slot, rounds) => {
    const at = f.const(BLOCK);
    f.store(at, 0, encryptBlocks(f, slot, rounds, [f.load(at)])[0]);
    return undefined;
  });
  for (const count of [1, 2, 4]) {
    asm.func(`keystream${count}`, ["slot", "rounds"], false, (f, slot, rounds) => {
      const iv = f.load(f.const(IV));
      const inputs = LANES.slice(0, count).map((n) => f.withLane32(iv, 3, f.const((n + 1) << 24)));
      f.storeAll(f.const(KEYSTREAM), encryptBlocks(f, slot, rounds, inputs));
      return undefined;
    });
  }
}
