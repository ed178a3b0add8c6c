/** Options that several commands share, as the argument parser gives them. */
import { type FormatName, formatToOpen, formatToSeal } from "./formats.js";
import { type KeyOptions, loadKey } from "./keys.js";
import { DASH } from "./messages.js";
import { STDIN_NAME } from "./sources.js";
import type { CipherOptions } from "./transforms.js";

/** Key, format and context. */
export interface CipherArguments extends KeyOptions {
  readonly format?: FormatName;
  readonly context?: string;
}

/** Where outputs go. */
export interface OutputArguments extends CipherArguments {
  readonly output?: string;
  readonly force?: boolean;
}

/** The application's context as bytes: the UTF-8 of the text. */
export function contextBytes({ context }: CipherArguments): Uint8Array {
  return new TextEncoder().encode(context ?? "");
}

/** What sealing needs, for all inputs of one run. */
export function sealingOptions(key: Uint8Array, options: CipherArguments): CipherOptions {
  return { key, format: formatToSeal(options.format, key), context: contextBytes(options) };
}

/** What opening one input needs: its name has a say in the format. */
export function openingOptions(key: Uint8Array, options: CipherArguments, input: string): CipherOptions {
  return { key, format: formatToOpen(options.format, key, input), context: contextBytes(options) };
}

/** Runs `use` with the person's key, and clears it afterwards. */
export async function withKey<T>(options: KeyOptions, use: (key: Uint8Array) => Promise<T>): Promise<T> {
  const key = await loadKey(options);
  try {
    return await use(key);
  } finally {
    key.fill(0);
  }
}

/** An input as people know it. */
export function displayName(input: string): string {
  return input === DASH ? STDIN_NAME : input;
}
