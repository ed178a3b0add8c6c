/**
 * AES in counter mode, eight blocks at a time, bitsliced: plane b holds bit b of every byte, its byte 4·row + column is
 * the state's byte there, and bit j of that byte belongs to block j. ShiftRows is then one byte permutation a plane and
 * MixColumns rotates 32-bit words (E. Käsper, P. Schwabe, "Faster and timing-attack resistant AES-GCM", CHES 2009).
 */
import { DELTA, ICB, IV, ROUND2, SLOT_PLANES } from "../layout.js";
import type { Asm } from "./asm.js";
import { SUB_CONSTANT } from "./field.js";
import type { Fn, I32, V128, Variable } from "./fn.js";
import { subBytes } from "./sbox.js";

const LANES = Array.from({ length: 16 }, (_, lane) => lane);
const BITS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Between memory order, 4·column + row, and plane order; its own inverse. */
const TRANSPOSE = LANES.map((lane) => 4 * (lane & 3) + (lane >> 2));
const SHIFT_ROWS = LANES.map((lane) => (lane & 12) | ((lane + (lane >> 2)) & 3));
/** From planes before the last ShiftRows to memory order. */
const SHIFT_AND_TRANSPOSE = LANES.map((lane) => SHIFT_ROWS[TRANSPOSE[lane]]);
const rotateRows = (rows: number) => LANES.map((lane) => (lane + 4 * rows) & 15);
const BYTE_SWAP_LAST = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12];

/** Round key `round` as planes: bit b of each byte widened to the whole byte. */
export function broadcastBits(f: Fn, block: V128): V128[] {
  const ordered = f.permute(block, TRANSPOSE);
  return BITS.map((bit) => {
    const mask = f.splat8(1 << bit);
    return f.equal8(f.and(ordered, mask), mask);
  });
}

/** Turns eight blocks into eight planes and back: an 8 × 8 bit matrix in every byte, transposed. */
function transposeBits(f: Fn, rows: readonly V128[]): V128[] {
  const r = [...rows];
  for (const [distance, mask] of [
    [1, 0x55],
    [2, 0x33],
    [4, 0x0f],
  ] as const) {
    const keep = f.splat8(mask);
    for (const i of BITS.filter((bit) => (bit & distance) === 0)) {
      const swap = f.and(f.xor(f.shr(64, r[i], distance), r[i + distance]), keep);
      r[i + distance] = f.xor(r[i + distance], swap);
      r[i] = f.xor(r[i], f.shl(64, swap, distance));
    }
  }
  return r;
}

/** MixColumns, FIPS 197 clause 5.1.3: with t = a + rot1(a) it is 2·t + rot1(a) + rot2(t). */
function mixColumns(f: Fn, a: readonly V128[]): V128[] {
  const next = a.map((plane) => f.shuffle(plane, plane, rotateRows(1)));
  const t = a.map((plane, bit) => f.xor(plane, next[bit]));
  return BITS.map((bit) => {
    const far = f.shuffle(t[bit], t[bit], rotateRows(2));
    const rest = f.xor(next[bit], far);
    const doubled = bit === 0 ? t[7] : 0x1b & (1 << bit) ? f.xor(t[bit - 1], t[7]) : t[bit - 1];
    return f.xor(rest, doubled);
  });
}

/** AddRoundKey, SubBytes, ShiftRows, MixColumns. The key comes first: V8 loads early, and planes fill all registers. */
function round(f: Fn, state: readonly Variable<"v128">[], key: I32): void {
  const added = addKey(f, state, key);
  const shifted = subBytes(f, added).map((plane) => f.permute(plane, SHIFT_ROWS));
  f.setAll(state, mixColumns(f, shifted));
}

function addKey(f: Fn, state: readonly V128[], key: I32): V128[] {
  return state.map((plane, bit) => f.xor(plane, f.load(key, 16 * bit)));
}

/** Planes of IV || counter for eight counters from a multiple of 8: bits 0 to 2 of the last byte count the blocks. */
function planesOfIv(f: Fn, counter: I32): V128[] {
  const little = f.withLane32(f.load(f.const(IV)), 3, counter);
  const planes = broadcastBits(f, f.permute(little, BYTE_SWAP_LAST));
  return planes.map((plane, bit) => {
    if (bit > 2) return plane;
    return f.xor(plane, f.bytes(LANES.map((lane) => (lane === 15 ? [0xaa, 0xcc, 0xf0][bit] : 0))));
  });
}

/** Planes of eight counter blocks from any ICB, whose value is secret: inc32 by vector additions, then a transposition. */
function planesOfIcb(f: Fn): V128[] {
  const icb = f.const(ICB);
  const little = f.permute(f.load(icb), BYTE_SWAP_LAST);
  const counter = (n: number) => f.addLanes32(little, f.bytes(LANES.map((lane) => (lane === 12 ? n : 0))));
  const swapped = TRANSPOSE.map((lane) => BYTE_SWAP_LAST[lane]);
  const planes = transposeBits(
    f,
    BITS.map((j) => f.permute(counter(j), swapped)),
  );
  f.store(icb, 0, f.permute(counter(8), BYTE_SWAP_LAST));
  return planes;
}

/** After round 2: keeps the state of the first run; for a later one, its difference from the first. */
function keepState(f: Fn, state: readonly V128[], kept: I32, inFirstRun: I32): void {
  f.if(
    inFirstRun,
    () => f.storeAll(kept, state),
    () => {
      const first = f.loadAll(kept, 8);
      const differences = BITS.map((bit) => f.xor(state[bit], first[bit]));
      f.storeAll(f.const(DELTA), differences);
    },
  );
}

/**
 * `ctr(slot, rounds, any, counter, text, groups)`: XORs keystream onto `groups` groups of eight
 * blocks at `text`, the first of which has the counter `counter`, a multiple of 8.
 *
 * Within 256 consecutive counters only the last byte of the block changes, and after two rounds the state is
 * V[that byte] + C[the others]. So the first 256 blocks leave their state after round 2 in memory, and later runs add
 * the difference of C and start at round 3. The index is the block number, public for an IV of 96 bits; for other IVs
 * the counter depends on H, so they never use it (`any`).
 */
export function emitBitsliced(asm: Asm): void {
  const params = ["slot", "rounds", "any", "counter", "text", "groups"] as const;
  asm.func("ctr", params, false, (f, slot, rounds, any, counter, text, groups) => {
    const position = f.variable(text);
    const group = f.variable(f.intShr(counter, 3));
    const end = f.add(group, groups);
    const planes = f.add(slot, SLOT_PLANES);
    const lastKey = f.add(slot, f.intShl(rounds, 4));
    const lastPlanes = f.sub(f.add(planes, f.intShl(rounds, 7)), 128);
    const afterTwo = f.add(planes, 256);
    const state = BITS.map(() => f.variable(f.zero(), true));
    f.while(
      () => f.less(group, end),
      () => {
        const kept = f.add(f.intShl(f.intAnd(group, 31), 7), ROUND2);
        const inFirstRun = f.intOr(any, f.less(group, 32));
        const key = f.variable(planes);
        f.if(
          f.intOr(inFirstRun, f.equal(f.intAnd(group, 31), 0)),
          () =>
            f.if(
              any,
              () => f.setAll(state, planesOfIcb(f)),
              () => f.setAll(state, planesOfIv(f, f.intShl(group, 3))),
            ),
          () => {
            const delta = f.loadAll(f.const(DELTA), 8);
            f.setAll(
              state,
              f.loadAll(kept, 8).map((plane, bit) => f.xor(plane, delta[bit])),
            );
            key.set(afterTwo);
          },
        );
        f.while(
          () => f.less(key, lastPlanes),
          () => {
            round(f, state, key);
            key.set(f.add(key, 128));
            f.if(f.equal(key, afterTwo), () => keepState(f, state, kept, inFirstRun));
          },
        );
        const last = f.xor(f.load(lastKey), f.splat8(SUB_CONSTANT));
        const blocks = transposeBits(f, subBytes(f, addKey(f, state, lastPlanes)));
        blocks.forEach((block, j) => {
          const keystream = f.xor(f.permute(block, SHIFT_AND_TRANSPOSE), last);
          f.store(position, 16 * j, f.xor(keystream, f.load(position, 16 * j)));
        });
        position.set(f.add(position, 128));
        group.set(f.add(group, 1));
      },
    );
    return undefined;
  });
}
