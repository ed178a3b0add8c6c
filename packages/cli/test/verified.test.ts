import { AesGcm } from "evariste";
import { expect, it } from "vitest";
import { CliError } from "../src/errors.js";
import { SILENT } from "../src/progress.js";
import type { Sink } from "../src/sinks.js";
import type { Source } from "../src/sources.js";
import type { CipherOptions } from "../src/transforms.js";
import { openVerified } from "../src/verified.js";
import { pattern } from "./run.js";

const KEY = new Uint8Array(32).fill(3);
const IV = new Uint8Array(12).fill(9);
const PIECE = 1000;
const PLAIN = pattern(4500);
const OPTIONS: CipherOptions = { format: "gcm", key: KEY, context: new Uint8Array(0) };

function sealedFile(): Buffer {
  return Buffer.concat([IV, new AesGcm(KEY).encrypt(IV, PLAIN)]);
}

/** A file in memory that `change` may alter between the two readings. */
function source(content: Buffer, change: (content: Buffer) => void): Source {
  let position = 0;
  const take = async (length: number) => {
    const bytes = Uint8Array.from(content.subarray(position, position + length));
    position += bytes.length;
    return bytes;
  };
  return {
    name: "file",
    seekable: 99,
    take,
    next: async () => {
      const piece = await take(PIECE);
      return piece.length === 0 ? undefined : piece;
    },
    rewind: () => {
      position = 0;
      change(content);
    },
    abandon: () => {},
    close: async () => {},
  };
}

function collector(): { sink: Sink; pieces: Uint8Array[] } {
  const pieces: Uint8Array[] = [];
  const write = async (bytes: Uint8Array) => {
    pieces.push(bytes.slice());
  };
  return {
    pieces,
    sink: { name: "out", revocable: false, write, commit: async () => {}, abort: async () => {} },
  };
}

it("gives the plaintext of an unchanged file, and its length before the first byte", async () => {
  const { sink, pieces } = collector();
  const lengths: number[] = [];
  const release = (length: number) => {
    lengths.push(length);
    return sink;
  };
  const written = await openVerified(
    source(sealedFile(), () => {}),
    OPTIONS,
    release,
    SILENT,
  );
  expect([written, ...lengths]).toEqual([PLAIN.length, PLAIN.length]);
  expect(Buffer.concat(pieces).equals(PLAIN)).toBe(true);
});

it("gives no byte of a piece that changed between the readings, and none after it", async () => {
  for (const [at, released] of [
    [3, 0],
    [12, 0],
    [12 + PIECE, PIECE - 16],
    [12 + 3 * PIECE + 5, 3 * PIECE - 16],
  ] as const) {
    const { sink, pieces } = collector();
    const changing = source(sealedFile(), (content) => {
      content[at]! ^= 1;
    });
    const error = await openVerified(changing, OPTIONS, () => sink, SILENT).catch((reason) => reason);
    expect(error).toBeInstanceOf(CliError);
    expect(error.message).toBe("file: changed while it was being read");
    const out = Buffer.concat(pieces);
    expect(out.length).toBeLessThanOrEqual(released);
    expect(out.equals(PLAIN.subarray(0, out.length))).toBe(true);
  }
});

it("gives nothing of a file that is not authentic", async () => {
  const content = sealedFile();
  content[content.length - 1]! ^= 1;
  const { sink, pieces } = collector();
  const opened = openVerified(
    source(content, () => {}),
    OPTIONS,
    () => sink,
    SILENT,
  );
  await expect(opened).rejects.toMatchObject({ kind: "authentication" });
  expect(pieces).toEqual([]);
});
