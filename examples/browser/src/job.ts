/** What the page and its worker say to each other. */
import type { Target } from "./places.js";

export type Way = "encrypt" | "decrypt";

/** One file to be worked on. */
export interface Job {
  readonly way: Way;
  readonly key: Uint8Array;
  readonly file: File;
  readonly target: Target;
}

/** To the worker. */
export type Order = Job | "cancel";

/** To the page: any number of times how far it is, and then how it ended. */
export type News =
  | { readonly bytes: number; readonly seconds: number }
  | { readonly result: Blob | undefined }
  | { readonly failure: string };
