/** The contestants of a page. The asynchronous ones have no form that writes into the caller's memory. */
import type { EngineName } from "evariste";
import { evariste } from "../contestants/evariste.js";
import { noble } from "../contestants/noble.js";
import { encrypts, memoryFor, type Run, type Shape } from "../contestants/shape.js";
import { webcrypto } from "../contestants/webcrypto.js";

/** One of them. */
export interface PageContestant {
  readonly name: string;
  readonly make: (shape: Shape) => Run | undefined | Promise<Run | undefined>;
  /** Operations under way at once, of those that end later. */
  readonly inFlight?: number;
}

/** Everybody that a page can have. */
export function pageContestants(engines: readonly EngineName[]): PageContestant[] {
  return [
    ...engines.map((engine) => ({ name: engine, make: (shape: Shape) => evariste(shape, { engine }) })),
    { name: "StitchedGcm", make: stitched, inFlight: 1 },
    { name: "WebCrypto", make: webcrypto, inFlight: 1 },
    { name: "WebCrypto ×16", make: webcrypto, inFlight: 16 },
    { name: "noble", make: noble },
  ];
}

/** StitchedGcm of this library with a raw key: short messages on a synchronous engine, long ones in segments by WebCrypto. */
async function stitched(shape: Shape): Promise<Run> {
  const { StitchedGcm } = await import("evariste/webcrypto");
  const { key, iv, ivFor, plaintext } = memoryFor(shape);
  const gcm = await StitchedGcm.create(key);
  if (encrypts(shape.operation)) return async (i) => void (await gcm.encrypt(ivFor(i), plaintext));
  const sealed = await gcm.encrypt(iv, plaintext);
  return async () => void (await gcm.decrypt(iv, sealed));
}
