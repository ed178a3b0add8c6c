/**
 * GHASH, SP 800-38D clause 6.4, for a few blocks: the product is a sum over the nibbles of the block. For output byte
 * offset d one look-up gives, for all 16 bytes of the block at once, byte d of (nibble · H^k); 16 offsets and two
 * nibbles a byte make 32 look-ups a block. Several blocks times their own powers add up before one reduction.
 *
 * In GHASH's bit order byte 0 holds the lowest powers of x, highest bit first: multiplying by x is a shift to the right
 * through the bytes in memory order.
 */
import { BASIS, SLOT_POWER, SLOT_TABLES, TABLE_BYTES, TABLES, Y } from "../layout.js";
import { PERMUTE_DATA } from "./aes-permute.js";
import type { Asm } from "./asm.js";
import { GHASH_R } from "./field.js";
import type { Fn, V128 } from "./fn.js";

const REDUCTION = TABLES + PERMUTE_DATA.length;
const NIBBLES = Array.from({ length: 16 }, (_, n) => n);
const FOUR = [0, 1, 2, 3] as const;

/** Bit 3 of a nibble is its lowest power of x. x^128 = 1 + x + x^2 + x^7: a nibble of the upper half adds two bytes. */
function reductionBytes(offset: number): { first: number[]; second: number[] } {
  const words = NIBBLES.map((nibble) => {
    const at = (nibble << 12) >> offset;
    return at ^ (at >> 1) ^ (at >> 2) ^ (at >> 7);
  });
  return { first: words.map((word) => word >> 8), second: words.map((word) => word & 0xff) };
}

const high = reductionBytes(0);
const low = reductionBytes(4);

/** Tables of the reduction, as they lie in memory after those of the S-box. */
export const REDUCTION_DATA: readonly number[] = [...high.first, ...high.second, ...low.first, ...low.second];

/** Bytes moved up by n, zeros or the top of `below` coming in. */
export function shiftBytes(f: Fn, below: V128, a: V128, n: number): V128 {
  return f.shuffle(
    below,
    a,
    NIBBLES.map((lane) => lane + 16 - n),
  );
}

/** Reduces upper·x^128 + lower, where byte 15 of the upper half is zero. */
function reduce(f: Fn, upper: V128, lower: V128): V128 {
  const base = f.const(REDUCTION);
  const nibble = f.splat8(15);
  const highs = f.highNibbles(upper, nibble);
  const lows = f.and(upper, nibble);
  const first = f.xor(f.lookup(f.load(base, 0), highs), f.lookup(f.load(base, 32), lows));
  const second = f.xor(f.lookup(f.load(base, 16), highs), f.lookup(f.load(base, 48), lows));
  return f.xor(lower, first, shiftBytes(f, f.zero(), second, 1));
}

/** Multiplies by x. `carry` is what lane 0 takes when x^127 falls out: 0xe1 to reduce, 0 to drop it. */
export function timesX(f: Fn, a: V128, carry: number): V128 {
  const fromLeft = f.shuffle(
    a,
    a,
    NIBBLES.map((lane) => (lane + 15) & 15),
  );
  const carries = f.neg8(f.and(fromLeft, f.splat8(1)));
  const taken = f.and(carries, f.bytes(NIBBLES.map((lane) => (lane === 0 ? carry : 0x80))));
  return f.xor(f.shr(8, a, 1), taken);
}

/** Table bytes for one output offset: the sum of the given bytes where the nibble's bit, x^t = bit 3 − t, is set. */
export function nibbleTable(f: Fn, byteOfPower: readonly V128[]): V128 {
  const terms = byteOfPower.map((byte, t) =>
    f.and(byte, f.bytes(NIBBLES.map((nibble) => ((nibble >> (3 - t)) & 1 ? 0xff : 0)))),
  );
  return f.xor(terms[0], ...terms.slice(1));
}

/**
 * `hashFew(tables, data, blocks)`: Y = (Y + block 0)·H^blocks + … + last·H for one to eight blocks. `tables` is a slot, or
 * a slot moved on so that the first power is another one.
 */
function emitHashFew(asm: Asm): void {
  asm.func("hashFew", ["slot", "data", "blocks"], false, (f, slot, data, blocks) => {
    const topTable = f.add(slot, f.add(f.mul(blocks, TABLE_BYTES), SLOT_TABLES - TABLE_BYTES));
    const end = f.add(data, f.intShl(blocks, 4));
    const state = f.const(Y);
    const nibble = f.splat8(15);
    // Two chains, even and odd offsets, so that the shifts of one hide behind the other's.
    const chains = [0, 1].map(() => ({ upper: f.zero(), lower: f.zero() }));
    // Four passes with eight tables each: that many fit in registers.
    for (const quarter of [12, 8, 4, 0]) {
      const sums = FOUR.map(() => f.variable(f.zero(), true));
      const added = f.variable(f.load(state), true);
      const table = f.variable(topTable);
      f.count(data, end, 16, (address) => {
        const block = f.xor(f.load(address), added);
        added.set(f.zero());
        const highs = f.highNibbles(block, nibble);
        const lows = f.and(block, nibble);
        for (const d of FOUR) {
          const fromHigh = f.lookup(f.load(table, 16 * (quarter + d)), highs);
          const fromLow = f.lookup(f.load(table, 16 * (quarter + d) + 256), lows);
          sums[d].set(f.xor(sums[d], fromHigh, fromLow));
        }
        table.set(f.sub(table, TABLE_BYTES));
      });
      for (const d of [3, 2, 1, 0]) {
        const chain = chains[d & 1];
        if (quarter + d < 14) {
          chain.upper = shiftBytes(f, chain.lower, chain.upper, 2);
          chain.lower = shiftBytes(f, f.zero(), chain.lower, 2);
        }
        chain.lower = f.xor(chain.lower, sums[d]);
      }
    }
    const [even, odd] = chains;
    const upper = f.xor(even.upper, shiftBytes(f, odd.lower, odd.upper, 1));
    const lower = f.xor(even.lower, shiftBytes(f, f.zero(), odd.lower, 1));
    f.store(state, 0, reduce(f, upper, lower));
    return undefined;
  });
}

/** `powers(slot, from, to)`: makes the tables of H^from … H^(to − 1); the one before `from` was the last made. Uses Y. */
function emitPowers(asm: Asm): void {
  asm.func("powers", ["slot", "from", "to"], true, (f, slot, from, to) => {
    const state = f.const(Y);
    const basis = f.const(BASIS);
    f.count(from, to, 1, (k) => {
      f.if(f.less(f.const(1), k), () => {
        f.store(state, 0, f.zero());
        f.call("hashFew", slot, f.add(slot, SLOT_POWER), 1);
        f.store(slot, SLOT_POWER, f.load(state));
      });
      const power = f.variable(f.load(f.add(slot, SLOT_POWER)));
      f.count(basis, BASIS + 128, 16, (address) => {
        f.store(address, 0, power);
        power.set(timesX(f, power, GHASH_R));
      });
      const table = f.add(slot, f.add(f.mul(k, TABLE_BYTES), SLOT_TABLES - TABLE_BYTES));
      const one = f.splat8(1);
      const multiples = f.loadAll(basis, 8);
      const offset = f.variable(f.zero());
      f.count(table, f.add(table, 256), 16, (address) => {
        const bytes = multiples.map((multiple) => f.lookup(multiple, offset));
        f.store(address, 0, nibbleTable(f, bytes.slice(0, 4)));
        f.store(address, 256, nibbleTable(f, bytes.slice(4)));
        offset.set(f.addLanes8(offset, one));
      });
    });
    f.store(state, 0, f.zero());
    f.clear(basis, f.const(128));
    return undefined;
  });
}

/** `hashFew` and `powers`. */
export function emitGhash(asm: Asm): void {
  emitHashFew(asm);
  emitPowers(asm);
}
