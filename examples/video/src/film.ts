/** What the page and its service worker say to each other. */

/** What a film needs to be played. Only the page and its worker have it: the server has the sealed file and the index. */
export interface Film {
  /** Address of the sealed file: one AES-GCM message, ciphertext and tag. */
  readonly file: string;
  /** Address of its index. */
  readonly index: string;
  /** Media type of the plaintext. */
  readonly type: string;
  readonly iv: Uint8Array<ArrayBuffer>;
  /** Not extractable. */
  readonly key: CryptoKey;
}

/** To the page: `film` asks for an answer on the message's port; `failure` is for the user. */
export type ToPage = { readonly ask: "film" } | { readonly failure: string };

/** Where the worker answers, beside its own address. */
export const FILM_PATH = "film";

/** The same, and nothing is verified. */
export const UNVERIFIED_FILM_PATH = "film?verify=none";
