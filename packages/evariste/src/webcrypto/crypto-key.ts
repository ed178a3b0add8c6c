/**
 * A CryptoKey of WebCrypto, by its shape: programs that load the types of neither the DOM nor Node's WebCrypto would
 * otherwise find `any` here, and those that load both two different CryptoKeys.
 */
export interface CryptoKeyLike {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly string[];
}

/** WebCrypto's `subtle`, as whichever types are loaded have it. */
export type Subtle = (typeof globalThis)["crypto"]["subtle"];

/** @throws Error where there is none */
export function needSubtle(subtle: Subtle | undefined): Subtle {
  if (subtle !== undefined) return subtle;
  throw new Error("this runtime has no crypto.subtle; browsers have it in secure contexts only (https)");
}
