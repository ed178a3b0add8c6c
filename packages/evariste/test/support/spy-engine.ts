/** An engine that remembers the buffers it is given, around the portable one. */
import type { Engine, EngineKey, EngineStream } from "../../src/engines/engine.js";
import { load } from "../../src/engines/portable/index.js";

/** What happened to the engine, for tests to look at. */
export interface Seen {
  readonly rawKeys: Uint8Array[];
  /** Inputs of seal, open and update, in the order of the calls. */
  readonly inputs: Uint8Array[];
  keysWiped: number;
  streamsStarted: number;
  /** Streams wiped at least once. */
  streamsWiped: number;
  /** When set, the next seal, open or update writes something and then throws. */
  breakOff: boolean;
}

/** A fresh record. */
export function nothingSeen(): Seen {
  return { rawKeys: [], inputs: [], keysWiped: 0, streamsStarted: 0, streamsWiped: 0, breakOff: false };
}

/** @param seen receives everything */
export function spyEngine(seen: Seen): Engine {
  const portable = load();
  const take = (input: Uint8Array, out: Uint8Array) => {
    seen.inputs.push(input);
    if (!seen.breakOff) return;
    seen.breakOff = false;
    out.fill(0x77);
    throw new Error("out of memory");
  };
  return {
    ...portable,
    name: "openssl",
    createKey(rawKey, disabled) {
      seen.rawKeys.push(rawKey);
      return spyKey(portable.createKey(rawKey, disabled), seen, take);
    },
  };
}

function spyKey(key: EngineKey, seen: Seen, take: (input: Uint8Array, out: Uint8Array) => void): EngineKey {
  return {
    kernel: "spy",
    seal(iv, aad, plaintext, out, tagLength) {
      take(plaintext, out);
      key.seal(iv, aad, plaintext, out, tagLength);
    },
    open(iv, aad, sealed, out, tagLength) {
      take(sealed, out);
      return key.open(iv, aad, sealed, out, tagLength);
    },
    start(iv, direction, tagLength) {
      seen.streamsStarted++;
      return spyStream(key.start(iv, direction, tagLength), seen, take);
    },
    ghash: (data, y) => key.ghash(data, y),
    gctr: (icb, input, out) => key.gctr(icb, input, out),
    wipe() {
      seen.keysWiped++;
      key.wipe();
    },
  };
}

function spyStream(
  stream: EngineStream,
  seen: Seen,
  take: (input: Uint8Array, out: Uint8Array) => void,
): EngineStream {
  let wiped = false;
  return {
    aad: (chunk) => stream.aad(chunk),
    update(chunk, out) {
      take(chunk, out);
      stream.update(chunk, out);
    },
    finish: (tag) => stream.finish(tag),
    verify: (tag) => stream.verify(tag),
    wipe() {
      if (!wiped) seen.streamsWiped++;
      wiped = true;
      stream.wipe();
    },
  };
}
