/** What a caller of the raw addon can do wrong, and what environments do not share. */

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { load } from "../../src/engines/native/index.js";
import { candidates, loadAddon } from "../../src/engines/native/load.js";
import * as box from "../../src/engines/native/mailbox.js";
import { expectBytes, nodeSeal, random } from "../support/bytes.js";

let mailbox: box.Mailbox | undefined;
let reason = "";
try {
  mailbox = loadAddon();
} catch (error) {
  reason = error instanceof Error ? error.message : String(error);
}

/** Skipped, with the reason in its name, where the addon was not built. */
function suite(name: string, tests: (mailbox: box.Mailbox) => void): void {
  if (mailbox === undefined)
    describe.runIf(false)(`${name}: ${reason}`, () => it("needs the addon", () => {}));
  else {
    const here = mailbox;
    describe(name, () => tests(here));
  }
}

const require = createRequire(import.meta.url);
const file = candidates(process)
  .filter((id) => id.endsWith(".node"))
  .map((id) => `../../../${id.replace("@evariste/", "")}`)[0];

/** A new key's handle. */
function makeKey({ addon, ints, bytes }: box.Mailbox, rawKey = random(16)): [number, number] {
  bytes.set(rawKey, box.TEXT);
  ints[box.TEXT_LENGTH] = rawKey.length;
  ints[box.DISABLED] = 0;
  addon.createKey();
  return [ints[box.KEY], ints[box.KEY_GENERATION]];
}

function select({ ints }: box.Mailbox, [index, generation]: [number, number]): void {
  ints[box.KEY] = index;
  ints[box.KEY_GENERATION] = generation;
}

/** Lengths of a message that is in order. */
function lengths({ ints }: box.Mailbox, iv = 12, aad = 0, text = 16, tag = 16): void {
  ints[box.IV_LENGTH] = iv;
  ints[box.AAD_LENGTH] = aad;
  ints[box.TEXT_LENGTH] = text;
  ints[box.TAG_LENGTH] = tag;
}

suite("the raw addon refuses", (mail) => {
  const { addon, ints } = mail;
  const gone = /does not exist, or has been destroyed/;

  it("keys that never were, and keys that are no more", () => {
    const key = makeKey(mail);
    lengths(mail);
    for (const [index, generation] of [
      [-1, 1],
      [2 ** 31 - 1, 1],
      [-(2 ** 31), 1],
      [key[0], key[1] + 1],
      [key[0], key[1] - 1],
      [key[0], -1],
    ]) {
      select(mail, [index, generation]);
      expect(() => addon.seal()).toThrow(gone);
      expect(() => addon.open()).toThrow(gone);
      expect(() => addon.ghash()).toThrow(gone);
      expect(() => addon.gctr()).toThrow(gone);
      expect(() => addon.streamStart()).toThrow(gone);
      addon.destroyKey();
    }
    select(mail, key);
    addon.seal();
    addon.destroyKey();
    addon.destroyKey();
    expect(() => addon.seal()).toThrow(gone);
    const next = makeKey(mail);
    expect(next[0]).toBe(key[0]);
    expect(next[1]).not.toBe(key[1]);
    select(mail, key);
    lengths(mail);
    expect(() => addon.seal()).toThrow(gone);
    select(mail, next);
    addon.destroyKey();
  });

  it("everything but GHASH under a key of H alone", () => {
    mail.putBlock(new Uint8Array(16).fill(3));
    ints[box.DISABLED] = 0;
    addon.createHashKey();
    expectBytes(mail.bytes.subarray(box.BLOCK, box.BLOCK + 16), new Uint8Array(16));
    const key: [number, number] = [ints[box.KEY], ints[box.KEY_GENERATION]];
    const text = new Uint8Array(100);
    const others: (() => void)[] = [
      () => addon.seal(),
      () => addon.open(),
      () => addon.openTo(undefined, text),
      () => addon.gctr(),
      () => addon.batch(text, text, new Uint32Array(2), text, new Uint32Array(2), text, text),
      () => void addon.segment(text, text, text),
      () => addon.streamStart(),
    ];
    for (const other of others) {
      select(mail, key);
      lengths(mail);
      expect(other).toThrow(/H alone/);
    }
    addon.ghash();
    addon.destroyKey();
    expect(() => addon.ghash()).toThrow(gone);
  });

  it("keys of other lengths", () => {
    for (const length of [0, 15, 17, 31, 33, 64, -1, 2 ** 31 - 1]) {
      ints[box.TEXT_LENGTH] = length;
      expect(() => addon.createKey()).toThrow(/16, 24 or 32/);
    }
  });

  it("lengths that are out of range", () => {
    const key = makeKey(mail);
    const wrong: [number, number, number, number][] = [
      [0, 0, 16, 16],
      [-2, 0, 16, 16],
      [65, 0, 16, 16],
      [12, -2, 16, 16],
      [12, 65, 16, 16],
      [12, 0, -2, 16],
      [12, 0, 1057, 16],
      [12, 0, 2 ** 31 - 1, 16],
      [12, 0, 16, 3],
      [12, 0, 16, 17],
      [12, 0, 16, -16],
    ];
    for (const row of wrong) {
      select(mail, key);
      lengths(mail, ...row);
      expect(() => addon.seal(), row.join()).toThrow();
      expect(() => addon.open(), row.join()).toThrow();
    }
    lengths(mail, 12, 0, 1041, 16);
    expect(() => addon.seal()).toThrow(/no room/);
    lengths(mail, 12, 0, 15, 16);
    expect(() => addon.open()).toThrow(/no tag/);
    addon.destroyKey();
  });

  it("arguments that are missing, of another kind, detached or too short", () => {
    const key = makeKey(mail);
    const text = new Uint8Array(100);
    select(mail, key);
    lengths(mail, 12, 0, -1, 16);
    expect(() => addon.seal()).toThrow(/Uint8Array/);
    expect(() => addon.seal(text)).toThrow(/Uint8Array/);
    expect(() => addon.seal(text, new Uint16Array(100) as unknown as Uint8Array)).toThrow(/Uint8Array/);
    expect(() => addon.seal(text, new Uint8Array(115))).toThrow(/no room/);
    expect(() => addon.seal(text, new Uint8Array(0))).toThrow(/no room/);
    expect(() => addon.open(new Uint8Array(15), text)).toThrow(/no tag/);
    expect(() => addon.open(text, new Uint8Array(83))).toThrow(/no room/);
    const detached = new Uint8Array(200);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    expect(() => addon.seal(text, detached)).toThrow(/no room/);
    lengths(mail, -1, -1, 16, 16);
    expect(() => addon.seal()).toThrow(/Uint8Array/);
    expect(() => addon.seal(undefined, undefined, text, "iv" as unknown as Uint8Array)).toThrow(/Uint8Array/);
    addon.destroyKey();
  });

  it("streams that ended, streams of destroyed keys, and calls in the wrong order", () => {
    const key = makeKey(mail);
    const start = (direction: number) => {
      select(mail, key);
      lengths(mail);
      ints[box.DIRECTION] = direction;
      addon.streamStart();
    };
    start(0);
    addon.streamUpdate();
    expect(() => addon.streamAad()).toThrow(/before the text/);
    expect(() => addon.streamVerify()).toThrow(/verifies nothing/);
    addon.streamFinish();
    expect(() => addon.streamFinish()).toThrow(/has ended/);
    addon.streamEnd();
    start(1);
    expect(() => addon.streamFinish()).toThrow(/gives no tag/);
    const stream = ints[box.STREAM];
    addon.streamEnd();
    expect(() => addon.streamVerify()).toThrow(/has ended/);
    start(1);
    expect(ints[box.STREAM]).toBe(stream);
    select(mail, key);
    addon.destroyKey();
    expect(() => addon.streamUpdate()).toThrow(/key of this stream/);
    ints[box.STREAM] = -5;
    expect(() => addon.streamUpdate()).toThrow(/does not exist/);
  });

  it("batches whose offsets, IVs or outputs do not fit", () => {
    const key = makeKey(mail);
    const [ivs, data, out] = [new Uint8Array(24), new Uint8Array(40), new Uint8Array(72)];
    const offsets = Uint32Array.of(0, 20, 40);
    const none = new Uint32Array(3);
    const run = (o: Uint32Array, to = out, i = ivs, verdicts = new Uint8Array(2), direction = 0) => {
      select(mail, key);
      lengths(mail);
      ints[box.COUNT] = 2;
      ints[box.DIRECTION] = direction;
      addon.batch(i, data, o, new Uint8Array(0), none, to, verdicts);
    };
    run(offsets);
    expect(() => run(Uint32Array.of(0, 40))).toThrow(/one entry more/);
    expect(() => run(Uint32Array.of(0, 41, 40))).toThrow(/decrease/);
    expect(() => run(Uint32Array.of(0, 20, 41))).toThrow(/behind the data/);
    expect(() => run(offsets, new Uint8Array(71))).toThrow(/no room/);
    expect(() => run(offsets, out, new Uint8Array(23))).toThrow(/fewer IVs/);
    expect(() => run(offsets, out, ivs, new Uint8Array(1), 1)).toThrow(/fewer verdicts/);
    expect(() => run(Uint32Array.of(0, 15, 40), out, ivs, new Uint8Array(2), 1)).toThrow(
      /shorter than its tag/,
    );
    expect(() => run(offsets, new Uint8Array(7), ivs, new Uint8Array(2), 1)).toThrow(/no room/);
    const over = new Uint8Array(4096);
    const [early, late] = [new Uint32Array(over.buffer, 0, 3), new Uint32Array(over.buffer, 68, 3)];
    for (const inside of [early, late]) {
      inside.set(offsets);
      expect(() => run(inside, over)).toThrow(/over the offsets/);
      expect(() => run(inside, out, ivs, over, 1)).toThrow(/over the offsets/);
    }
    run(late, over.subarray(80));
    select(mail, key);
    ints[box.COUNT] = -1;
    expect(() => addon.batch(ivs, data, offsets, ivs, none, out, ivs)).toThrow(/fewer verdicts/);
    addon.destroyKey();
  });
});

suite("environments of the addon", (mail) => {
  it("do not share keys, also when one thread loads the addon twice", () => {
    const folder = mkdtempSync(join(tmpdir(), "evariste-"));
    const copy = join(folder, "again.node");
    copyFileSync(require.resolve(file), copy);
    const second = new box.Mailbox(require(copy) as box.Addon);
    rmSync(folder, { recursive: true });
    const key = makeKey(mail);
    for (let i = 0; i < 40; i++) makeKey(second);
    select(mail, key);
    lengths(mail);
    mail.addon.seal();
    select(second, [39 + 1, 1]);
    expect(() => second.addon.seal()).toThrow(/does not exist/);
    select(mail, key);
    mail.addon.destroyKey();
  });

  it("are told apart call by call", () => {
    const folder = mkdtempSync(join(tmpdir(), "evariste-"));
    const copy = join(folder, "again.node");
    copyFileSync(require.resolve(file), copy);
    const loads = [mail, new box.Mailbox(require(copy) as box.Addon)];
    // A second load of the very same file is a new environment of the same library.
    const again = { exports: {} };
    process.dlopen(again, require.resolve(file));
    loads.push(new box.Mailbox(again.exports as box.Addon));
    rmSync(folder, { recursive: true });
    const rawKey = random(16);
    const keys = loads.map((each) => makeKey(each, rawKey));
    const text = new Uint8Array(20).fill(5);
    const seal = (each: box.Mailbox, n: number) => {
      select(each, keys[n]);
      lengths(each);
      each.bytes.fill(0, box.IV, box.IV + 12);
      each.putText(text);
      each.addon.seal();
      return each.bytes.slice(box.TEXT, box.TEXT + 36);
    };
    const expected = seal(mail, 0);
    expect(expected).not.toEqual(new Uint8Array(36));
    for (let round = 0; round < 50; round++) {
      for (const [n, each] of loads.entries()) expect(seal(each, n)).toEqual(expected);
    }
    for (const [n, each] of loads.entries()) {
      select(each, keys[n]);
      each.addon.destroyKey();
    }
  });

  it("live in worker threads, many at once and one after the other, and die with them", async () => {
    const code = `
      const { parentPort, workerData } = require("node:worker_threads");
      const addon = require(workerData.file);
      const ints = new Int32Array(addon.mailbox, 0, 16), bytes = new Uint8Array(addon.mailbox);
      bytes.fill(7, ${box.TEXT}, ${box.TEXT} + 16);
      ints[${box.TEXT_LENGTH}] = 16;
      addon.createKey();
      ints[${box.TAG_LENGTH}] = 16;
      ints[${box.IV_LENGTH}] = 12;
      ints[${box.AAD_LENGTH}] = 0;
      bytes.fill(0, ${box.IV}, ${box.IV} + 12);
      let out;
      for (let i = 0; i < 2000; i++) {
        ints[${box.TEXT_LENGTH}] = -1;
        out = new Uint8Array(1016);
        addon.seal(new Uint8Array(1000).fill(i), out);
      }
      parentPort.postMessage(out);`;
    const text = new Uint8Array(1000).fill(1999);
    const expected = nodeSeal(new Uint8Array(16).fill(7), new Uint8Array(12), new Uint8Array(0), text);
    const path = require.resolve(file);
    for (let round = 0; round < 3; round++) {
      const outputs = await Promise.all(
        Array.from({ length: 4 }, () => {
          const worker = new Worker(code, { eval: true, workerData: { file: path } });
          return new Promise<Uint8Array>((resolve, reject) => {
            let output = new Uint8Array(0);
            worker.once("message", (message) => {
              output = message;
            });
            worker.once("error", reject);
            worker.once("exit", () => resolve(output));
          });
        }),
      );
      for (const output of outputs) expectBytes(output, expected);
    }
  });

  it("keep their memory over a million messages and a hundred thousand keys", () => {
    const engine = load();
    const [iv, aad, text, out] = [random(12), random(13), random(40), new Uint8Array(56)];
    const turn = (messages: number) => {
      const key = engine.createKey(random(16), new Set());
      for (let i = 0; i < messages; i++) key.seal(iv, aad, text, out, 16);
      const stream = key.start(iv, "encrypt", 16);
      stream.aad(aad);
      stream.finish(out.subarray(0, 16));
      stream.wipe();
      key.wipe();
    };
    for (let i = 0; i < 20_000; i++) turn(1);
    const before = process.memoryUsage.rss();
    for (let i = 0; i < 100_000; i++) turn(10);
    // The 100,000 keys of 2.6 kB each would be 260 MB.
    expect(process.memoryUsage.rss() - before).toBeLessThan(60e6);
  });
});
