/** Vectors of C2SP chunked encryption: the suite's own, and the whole Wycheproof files where they lie beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { constants, inflateSync } from "node:zlib";
import { hex } from "./bytes.js";

/** One vector, decoded. */
export interface ChunkedVector {
  readonly name: string;
  readonly key: Uint8Array;
  readonly context: Uint8Array;
  readonly sealed: Uint8Array;
  readonly valid: boolean;
  /** Of the message, or of the longest prefix of it that has valid chunks. */
  readonly length: number;
  readonly sha512: string;
  readonly flags: readonly string[];
}

interface RawVector {
  readonly tcId: number;
  readonly comment: string;
  readonly key: string;
  readonly ctx: string;
  readonly ct: string;
  readonly msgLength?: number;
  readonly msgSha512?: string;
  readonly result: string;
  readonly flags: readonly string[];
}

const FILES = [128, 256].map((bits) => `c2sp_chunked_encryption_aes_${bits}_gcm_test.json`);
const FOLDERS = [process.env.EVARISTE_VECTORS, resolve(import.meta.dirname, "../../../../../shared/vectors")];

/** The folder with the whole Wycheproof files; undefined when there is none. */
export const wycheproofFolder: string | undefined = FOLDERS.find(
  (folder) => folder !== undefined && FILES.every((file) => existsSync(resolve(folder, file))),
);

/** Vectors that are part of this repository; their source is named in the file. */
export function ownVectors(): ChunkedVector[] {
  const file = readJson(resolve(import.meta.dirname, "../data/c2sp-chunked.json")) as {
    groups: { algorithm: string; tests: RawVector[] }[];
  };
  return file.groups.flatMap((group) => group.tests.map((raw) => decoded(group.algorithm, raw)));
}

/** All vectors of the Wycheproof files; none where {@link wycheproofFolder} is undefined. */
export function wycheproofVectors(): ChunkedVector[] {
  const folder = wycheproofFolder;
  if (folder === undefined) return [];
  return FILES.flatMap((name) => {
    const file = readJson(resolve(folder, name)) as {
      algorithm: string;
      testGroups: { tests: RawVector[] }[];
    };
    return file.testGroups.flatMap((group) => group.tests.map((raw) => decoded(file.algorithm, raw)));
  });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function decoded(algorithm: string, raw: RawVector): ChunkedVector {
  return {
    name: `${algorithm} ${raw.tcId}: ${raw.comment}`,
    key: hex(raw.key),
    context: hex(raw.ctx),
    // Some of the compressed texts are flushed, not ended.
    sealed: Uint8Array.from(inflateSync(hex(raw.ct), { finishFlush: constants.Z_SYNC_FLUSH })),
    valid: raw.result === "valid",
    length: raw.msgLength ?? 0,
    sha512: raw.msgSha512 ?? "",
    flags: raw.flags,
  };
}
