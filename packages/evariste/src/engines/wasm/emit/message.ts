/**
 * `gcm`: one call for a whole message, or for one chunk of it (SP 800-38D clauses 7.1 and 7.2). Lengths, counters and flags
 * are parameters and public; IV, text, AAD, state and tag are in memory and secret to the emitter.
 */
import { AAD, ANY_COUNTER, DECRYPT, EJ0, FINISH, ICB, KEYSTREAM, START, TEXT, Y } from "../layout.js";
import type { Asm } from "./asm.js";
import type { Fn, I32, V128 } from "./fn.js";

const LANES = Array.from({ length: 16 }, (_, lane) => lane);
const BYTE_SWAP = LANES.map((lane) => lane ^ 3);

/** All ones in the first n lanes. */
function firstBytes(f: Fn, n: I32): V128 {
  return f.less8(f.bytes(LANES), f.spread8(n));
}

/** Zeroes what follows the last of `length` bytes in its block. */
function padWithZeros(f: Fn, data: I32, length: I32): void {
  const rest = f.intAnd(length, 15);
  f.if(rest, () => {
    const last = f.sub(f.add(data, length), rest);
    f.store(last, 0, f.and(f.load(last), firstBytes(f, rest)));
  });
}

/** `absorb(slot, wide, length)`: hashes bytes at TEXT, the last block padded with zeros. */
function emitAbsorb(asm: Asm): void {
  asm.func("absorb", ["slot", "wide", "data", "length"], true, (f, slot, wide, data, length) => {
    padWithZeros(f, data, length);
    f.call("hash", slot, wide, data, f.intShr(f.add(length, 15), 4));
    return undefined;
  });
}

/**
 * XORs keystream onto `blocks` blocks from the counter on, which may begin inside a group of eight: what comes out before
 * the text is cleared, but for E(J0), which has the counter 1.
 */
function emitCrypt(asm: Asm): void {
  const params = ["slot", "rounds", "flags", "counter", "text", "blocks"] as const;
  asm.func("crypt", params, false, (f, slot, rounds, flags, counter, text, blocks) => {
    const inGroup = f.intAnd(counter, 7);
    const first = f.sub(text, f.intShl(inGroup, 4));
    const groups = f.intShr(f.add(f.add(blocks, inGroup), 7), 3);
    const any = f.intAnd(flags, ANY_COUNTER);
    const isStart = f.intAnd(flags, START);
    const icb = f.const(ICB);
    const before = f.load32(icb, 12);
    f.if(isStart, () => f.store(first, 16, f.zero()));
    f.call("ctr", slot, rounds, any, f.sub(counter, inGroup), first, groups);
    f.if(any, () => f.store32(icb, 12, addBigEndian(f, before, blocks)));
    f.if(isStart, () => f.store(f.const(EJ0), 0, f.load(first, 16)));
    f.count(first, text, 16, (address) => f.store(address, 0, f.zero()));
    return undefined;
  });
  // Up to three blocks from counter 2 on, with E(J0) before them.
  asm.func("cryptFew", ["slot", "rounds", "text", "blocks"], false, (f, slot, rounds, text, blocks) => {
    f.if(
      f.less(blocks, 2),
      () =>
        f.if(
          f.equal(blocks, 0),
          () => f.call("keystream1", slot, rounds),
          () => f.call("keystream2", slot, rounds),
        ),
      () => f.call("keystream4", slot, rounds),
    );
    const keystream = f.const(KEYSTREAM);
    f.store(f.const(EJ0), 0, f.load(keystream));
    for (const n of [0, 1, 2]) {
      f.store(text, 16 * n, f.xor(f.load(text, 16 * n), f.load(keystream, 16 * (n + 1))));
      f.store(keystream, 16 * (n + 1), f.zero());
    }
    return undefined;
  });
  asm.func("gctr", ["slot", "rounds", "blocks"], true, (f, slot, rounds, blocks) => {
    f.call("crypt", slot, rounds, ANY_COUNTER, 0, TEXT, blocks);
    return undefined;
  });
}

const MAX_FEW_BLOCKS = 3;

/**
 * `gcm(slot, wide, rounds, flags, counter, length, aadLength, tagLength, aadHigh, aadLow, textHigh, textLow)`:
 * the last four are the lengths in bits, 64 bits each. Text lies at TEXT + 16·(counter mod 8) and is replaced in place.
 * AAD of `aadLength` bytes at AAD goes first. Y is zero between messages. FINISH writes the tag after the text, or
 * compares it with the one that is there.
 *
 * @returns with FINISH and DECRYPT, 1 when the tag is right; else 0
 */
function emitGcm(asm: Asm): void {
  const params = [
    ...["slot", "wide", "rounds", "flags", "counter", "length", "aadLength", "tagLength"],
    ...["aadHigh", "aadLow", "textHigh", "textLow"],
  ];
  asm.func("gcm", params, true, (f, ...args) => {
    const [slot, wide, rounds, flags, counter, length, aadLength, tagLength, ...bits] = args;
    const text = f.add(f.intShl(f.intAnd(counter, 7), 4), TEXT);
    const blocks = f.intShr(f.add(length, 15), 4);
    const hashed = f.variable(blocks);
    const state = f.const(Y);
    const isDecrypt = f.intAnd(flags, DECRYPT);
    const expected = f.load(f.add(text, length));
    const few = f.intAnd(f.intAnd(flags, START), f.less(blocks, MAX_FEW_BLOCKS + 1));

    f.if(aadLength, () => f.call("absorb", slot, wide, f.const(AAD), aadLength));
    const crypt = () =>
      f.if(
        few,
        () => f.call("cryptFew", slot, rounds, text, blocks),
        () => f.if(blocks, () => f.call("crypt", slot, rounds, flags, counter, text, blocks)),
      );
    const hash = () => {
      padWithZeros(f, text, length);
      f.if(f.intAnd(flags, FINISH), () => {
        const words = bits.reduce((v, word, lane) => f.withLane32(v, lane, word), f.zero());
        f.store(f.add(text, f.intShl(blocks, 4)), 0, f.permute(words, BYTE_SWAP));
        hashed.set(f.add(blocks, 1));
      });
      f.if(hashed, () => f.call("hash", slot, wide, text, hashed));
    };
    const verdict = f.variable(f.const(0), true);
    f.if(
      isDecrypt,
      () => {
        hash();
        crypt();
      },
      () => {
        crypt();
        hash();
      },
    );
    f.if(f.intAnd(flags, FINISH), () => {
      const mask = f.const(EJ0);
      const tag = f.xor(f.load(state), f.load(mask));
      f.store(state, 0, f.zero());
      f.store(mask, 0, f.zero());
      f.if(
        isDecrypt,
        () => {
          const differs = f.and(f.xor(tag, expected), firstBytes(f, tagLength));
          verdict.set(f.equal(f.anyTrue(differs), 0));
        },
        () => f.store(f.add(text, length), 0, tag),
      );
    });
    return verdict;
  });
}

/** inc32 by n, on the last word of a block as it lies in memory. */
function addBigEndian(f: Fn, word: I32, n: I32): I32 {
  const swap = (v: V128) => f.lane32(f.permute(v, BYTE_SWAP), 0);
  return swap(f.spread32(f.add(swap(f.spread32(word)), n)));
}

/** `gcm`, `absorb` and what they call. */
export function emitMessage(asm: Asm): void {
  emitAbsorb(asm);
  emitCrypt(asm);
  emitGcm(asm);
}
