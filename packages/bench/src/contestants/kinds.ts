/** Who can be measured: a table from the kind of a contestant to what makes its operations. */
import type { EngineName } from "evariste";
import type { Joining } from "./node-crypto.js";
import type { Run, Shape } from "./shape.js";

/** What the kinds can be told; each reads its own. As JSON, because it travels to other processes. */
export interface KindOptions {
  /** `evariste`: the engine, and kernels to switch off. */
  readonly engine?: EngineName;
  readonly disable?: readonly string[];
  /** `createCipheriv`. */
  readonly joining?: Joining;
  readonly rawKey?: boolean;
  /** `streams`. */
  readonly cryptoKey?: boolean;
  readonly release?: "unverified";
}

/** Makes a row's operation; undefined when the kind has none such. */
export type MakeRun = (shape: Shape, options?: KindOptions) => Run | undefined | Promise<Run | undefined>;

/** How one library, or one way of using it, is measured. */
export interface Kind {
  /** What it imports, which is to be installed, and what a cold start has to load. */
  readonly modules: readonly string[];
  readonly load: () => Promise<MakeRun>;
}

const node = { modules: ["node:crypto"] };
const evariste = { modules: ["evariste"] };

/** Imports are made at the first use, so that a package that is missing is missed by nobody else. */
export const KINDS = {
  evariste: { ...evariste, load: async () => (await import("./evariste.js")).evariste },
  batch: { ...evariste, load: async () => (await import("./batch.js")).batch },
  oneByOne: { ...evariste, load: async () => (await import("./batch.js")).oneByOne },
  createCipheriv: { ...node, load: async () => (await import("./node-crypto.js")).nodeCrypto },
  webcrypto: { modules: [], load: async () => (await import("./webcrypto.js")).webcrypto },
  noble: {
    modules: ["@noble/ciphers/aes.js"],
    load: async () => (await import("./noble.js")).noble,
  },
  stablelib: {
    modules: ["@stablelib/aes", "@stablelib/gcm"],
    load: async () => (await import("./stablelib.js")).stablelib,
  },
  sjcl: { modules: ["sjcl"], load: async () => (await import("./sjcl.js")).sjclGcm },
  forge: { modules: ["node-forge"], load: async () => (await import("./forge.js")).forgeGcm },
  asmcrypto: { modules: ["asmcrypto.js"], load: async () => (await import("./asmcrypto.js")).asmcrypto },
  streams: {
    modules: ["evariste/streams"],
    load: async () => (await import("./streams.js")).evaristeStreams,
  },
  stitched: {
    modules: ["evariste/webcrypto"],
    load: async () => (await import("./streams.js")).stitched,
  },
  chunked: {
    modules: ["evariste/chunked"],
    load: async () => (await import("./streams.js")).chunked,
  },
  nodeLoop: { ...node, load: async () => (await import("./streams.js")).nodeLoop },
  encryptWebStreams: {
    modules: ["@transcend-io/encrypt-web-streams"],
    load: async () => (await import("./streams.js")).encryptWebStreams,
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** Name of a kind of contestant, as results have it. */
export type KindName = keyof typeof KINDS;
