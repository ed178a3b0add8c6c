/** Cases for what the package's other entry points offer. They run on whatever engine the library chooses by itself. */

/** A named piece of evidence. */
export interface EntryCase {
  readonly name: string;
  /** @throws when the runtime, or what is built on it, is wrong */
  run(): Promise<void>;
}
