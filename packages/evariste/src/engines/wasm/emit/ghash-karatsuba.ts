/**
 * GHASH for many blocks: four streams, one for each 32-bit lane, so that stream s takes blocks s, s + 4, s + 8 … and is
 * multiplied by powers of H^4. A product of 128 bits is nine products of 32-bit pieces (Karatsuba twice), each a sum of
 * look-ups of (nibble · piece of the power), 36 bits in five tables. Up to eight groups of four blocks add up before
 * one reduction. At the end the streams' states are added to the next four blocks, which `hashFew` multiplies by
 * H^4 … H.
 */
import { BASIS, PIECE_BYTES, PIECES, PRODUCTS, STREAMS, TABLE_BYTES, TAIL, Y } from "../layout.js";
import type { Asm } from "./asm.js";
import type { Fn, V128 } from "./fn.js";
import { nibbleTable, timesX } from "./ghash.js";

const WORDS = [0, 1, 2, 3] as const;
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const OFFSETS = [0, 1, 2, 3, 4] as const;
const PIECE_GROUPS = 8;
const PIECE_STRIDE = 16 * PIECE_GROUPS;
const BYTE_SWAP = Array.from({ length: 16 }, (_, lane) => lane ^ 3);

/** Below this many blocks `hashFew` alone is faster (measured with packages/bench). */
const BULK_BLOCKS = 32;

/** 4 × 4 words transposed; its own inverse. */
function transposeWords(f: Fn, rows: readonly V128[]): V128[] {
  const pairs = (a: V128, b: V128, upper: number) =>
    f.shuffle(
      a,
      b,
      [0, 16, 4, 20].flatMap((at) => [0, 1, 2, 3].map((byte) => at + byte + upper)),
    );
  const halves = (a: V128, b: V128, upper: number) =>
    f.shuffle(
      a,
      b,
      [0, 16].flatMap((at) => EIGHT.map((byte) => at + byte + upper)),
    );
  const low01 = pairs(rows[0], rows[1], 0);
  const low23 = pairs(rows[2], rows[3], 0);
  const high01 = pairs(rows[0], rows[1], 8);
  const high23 = pairs(rows[2], rows[3], 8);
  return [
    halves(low01, low23, 0),
    halves(low01, low23, 8),
    halves(high01, high23, 0),
    halves(high01, high23, 8),
  ];
}

/** The nine pieces of two-level Karatsuba: first half, second half, their sum, each as low, high, low + high. */
function pieces(f: Fn, [w0, w1, w2, w3]: readonly V128[]): V128[] {
  const s0 = f.xor(w0, w2);
  const s1 = f.xor(w1, w3);
  return [w0, w1, f.xor(w0, w1), w2, w3, f.xor(w2, w3), s0, s1, f.xor(s0, s1)];
}

/** Four words of (low, high) from the products of its three pieces. */
function joinPieces(f: Fn, p: readonly V128[][]): V128[] {
  const [[a0, a1], [b0, b1], [m0, m1]] = p;
  return [a0, f.xor(a1, m0, a0, b0), f.xor(b0, m1, a1, b1), b1];
}

/** Reduces eight words to four. Words are swapped so that multiplying by x is a shift to the right. */
function reduceWords(f: Fn, words: readonly V128[]): V128[] {
  const r = words.map((word) => f.permute(word, BYTE_SWAP));
  const within = (a: V128) => f.xor(a, f.shr(32, a, 1), f.shr(32, a, 2), f.shr(32, a, 7));
  const beyond = (a: V128) => f.xor(f.shl(32, a, 31), f.shl(32, a, 30), f.shl(32, a, 25));
  const upper = [f.xor(r[4], beyond(r[7])), r[5], r[6], r[7]];
  return WORDS.map((w) => {
    const sum = f.xor(r[w], within(upper[w]));
    return f.permute(w === 0 ? sum : f.xor(sum, beyond(upper[w - 1])), BYTE_SWAP);
  });
}

/** Multiplies `groups` groups at `data`, STREAMS added to the first, by H^(4·groups) … H^4; the sum goes to STREAMS. */
function emitBatch(asm: Asm): void {
  asm.func("hashBatch", ["wide", "data", "groups"], false, (f, wide, data, groups) => {
    const streams = f.const(STREAMS);
    const added = WORDS.map((w) => f.variable(f.load(streams, 16 * w), true));
    const input = f.variable(data);
    const endPieces = f.add(f.intShl(groups, 4), PIECES);
    f.count(f.const(PIECES), endPieces, 16, (place) => {
      const rows = WORDS.map((row) => f.load(input, 16 * row));
      const words = transposeWords(f, rows).map((word, w) => f.xor(word, added[w]));
      f.storeAll(place, pieces(f, words), PIECE_STRIDE);
      for (const w of WORDS) added[w].set(f.zero());
      input.set(f.add(input, 64));
    });

    const nibble = f.splat8(15);
    const firstTable = f.sub(f.add(wide, PIECE_GROUPS * PIECE_BYTES), f.mul(groups, PIECE_BYTES));
    const tables = f.variable(firstTable);
    const product = f.variable(f.const(PRODUCTS));
    const start = f.variable(f.const(PIECES));
    f.while(
      () => f.less(product, f.const(PRODUCTS + 9 * 32)),
      () => {
        const sums = OFFSETS.map(() => f.variable(f.zero(), true));
        const table = f.variable(tables);
        f.count(start, f.add(start, f.intShl(groups, 4)), 16, (place) => {
          const piece = f.load(place);
          const highs = f.highNibbles(piece, nibble);
          const lows = f.and(piece, nibble);
          const add = (indices: V128, at: number) => {
            for (const d of OFFSETS)
              sums[d].set(f.xor(sums[d], f.lookup(f.load(table, at + 16 * d), indices)));
          };
          add(highs, 0);
          f.apart(groups, () => add(lows, 80));
          table.set(f.add(table, PIECE_BYTES));
        });
        const up = (d: number) => f.shl(32, sums[d], 8 * d);
        const over = (d: number) => f.shr(32, sums[d], 32 - 8 * d);
        f.store(product, 0, f.xor(sums[0], up(1), up(2), up(3)));
        f.store(product, 16, f.xor(sums[4], over(1), over(2), over(3)));
        product.set(f.add(product, 32));
        start.set(f.add(start, PIECE_STRIDE));
        tables.set(f.add(tables, PIECE_GROUPS * PIECE_BYTES));
      },
    );

    const base = f.const(PRODUCTS);
    const halves = [0, 3, 6].map((first) => {
      const products = [0, 1, 2].map((p) => [0, 16].map((half) => f.load(base, 32 * (first + p) + half)));
      return joinPieces(f, products);
    });
    const [lower, upper, both] = halves;
    const middle = WORDS.map((w) => f.xor(both[w], lower[w], upper[w]));
    const words = [...lower, ...upper].map((word, w) => (w < 2 || w > 5 ? word : f.xor(word, middle[w - 2])));
    f.storeAll(streams, reduceWords(f, words));
    return undefined;
  });
}

/** `hash(slot, wide, data, blocks)`: absorbs one or more blocks into Y. `wide` may be 0: then only `hashFew` works. */
function emitHash(asm: Asm): void {
  asm.func("hash", ["slot", "wide", "data", "blocks"], true, (f, slot, wide, data, blocks) => {
    const position = f.variable(data);
    const left = f.variable(blocks);
    const state = f.const(Y);
    const isWide = f.less(f.const(0), wide);
    f.if(f.intAnd(isWide, f.less(f.const(BULK_BLOCKS - 1), blocks)), () => {
      const streams = f.const(STREAMS);
      const first = transposeWords(f, [f.load(state), f.zero(), f.zero(), f.zero()]);
      f.storeAll(streams, first);
      const groups = f.variable(f.intShr(f.sub(blocks, 4), 2));
      left.set(f.sub(left, f.intShl(groups, 2)));
      f.while(
        () => f.less(f.const(0), groups),
        () => {
          const batch = f.min(groups, PIECE_GROUPS);
          f.call("hashBatch", wide, position, batch);
          position.set(f.add(position, f.intShl(batch, 6)));
          groups.set(f.sub(groups, batch));
        },
      );
      const tail = f.const(TAIL);
      const carried = transposeWords(
        f,
        WORDS.map((w) => f.load(streams, 16 * w)),
      );
      for (const block of EIGHT) {
        const data = f.load(position, 16 * block);
        f.store(tail, 16 * block, block < 4 ? f.xor(data, carried[block]) : data);
      }
      position.set(tail);
      f.store(state, 0, f.zero());
    });
    f.while(
      () => f.less(f.const(0), left),
      () => {
        const batch = f.min(left, 8);
        f.call("hashFew", slot, position, batch);
        position.set(f.add(position, f.intShl(batch, 4)));
        left.set(f.sub(left, batch));
      },
    );
    return undefined;
  });
}

/** Ten tables of the 32-bit piece in the first four bytes of the block at `piece`. */
function emitPieceTables(asm: Asm): void {
  asm.func("pieceTables", ["piece", "table"], false, (f, piece, table) => {
    const power = f.variable(f.load(piece));
    const basis = f.const(BASIS);
    f.count(basis, BASIS + 128, 16, (address) => {
      f.store(address, 0, power);
      power.set(timesX(f, power, 0));
    });
    const multiples = f.loadAll(basis, 8);
    const offset = f.variable(f.zero());
    f.count(table, f.add(table, 80), 16, (address) => {
      const bytes = multiples.map((multiple) => f.lookup(multiple, offset));
      f.store(address, 0, nibbleTable(f, bytes.slice(0, 4)));
      f.store(address, 80, nibbleTable(f, bytes.slice(4)));
      offset.set(f.addLanes8(offset, f.splat8(1)));
    });
    return undefined;
  });
}

/** `widen(slot, wide)`: the tables of H^32, H^28 … H^4. The slot has those of H^1 … H^4. */
function emitWiden(asm: Asm): void {
  asm.func("widen", ["slot", "wide"], true, (f, slot, wide) => {
    const state = f.const(Y);
    const place = f.const(PIECES);
    const fourth = f.add(slot, 3 * TABLE_BYTES);
    f.store(place, 0, f.bytes(ONE));
    f.count(0, PIECE_GROUPS, 1, (n) => {
      f.store(state, 0, f.zero());
      f.call("hashFew", fourth, place, 1);
      const power = f.load(state);
      const words = WORDS.map((w) =>
        f.permute(
          power,
          FIRST_FOUR.map((lane) => (lane < 0 ? lane : lane + 4 * w)),
        ),
      );
      f.storeAll(place, pieces(f, words));
      const last = f.sub(f.add(wide, (PIECE_GROUPS - 1) * PIECE_BYTES), f.mul(n, PIECE_BYTES));
      const table = f.variable(last);
      f.count(place, PIECES + 9 * 16, 16, (piece) => {
        f.call("pieceTables", piece, table);
        table.set(f.add(table, PIECE_GROUPS * PIECE_BYTES));
      });
      f.store(place, 0, power);
    });
    f.store(state, 0, f.zero());
    f.clear(f.const(PIECES), f.const(9 * 16));
    f.clear(f.const(BASIS), f.const(128));
    return undefined;
  });
}

/** The block that is 1 in GF(2^128). */
const ONE = [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const FIRST_FOUR = [0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1];

/** `hash`, `hashBatch` and `widen`. */
export function emitKaratsuba(asm: Asm): void {
  emitBatch(asm);
  emitHash(asm);
  emitPieceTables(asm);
  emitWiden(asm);
}
