/** H inside the addon, alone or with the key that it belongs to. */
import type { HashKey } from "../engine.js";
import * as box from "./mailbox.js";

/** A place in the addon's table, and which use of that place is meant. */
interface Handle {
  readonly index: number;
  readonly generation: number;
}

const forgotten = new FinalizationRegistry<{ mailbox: box.Mailbox; handle: Handle }>(
  ({ mailbox, handle }) => {
    mailbox.ints[box.KEY] = handle.index;
    mailbox.ints[box.KEY_GENERATION] = handle.generation;
    mailbox.addon.destroyKey();
  },
);

/** See {@link HashKey}. One that nobody wiped is wiped when it is collected. */
export class NativeHashKey implements HashKey {
  protected readonly mailbox: box.Mailbox;
  protected readonly index: number;
  protected readonly generation: number;

  /** The mailbox has the handle of what the addon just made. */
  protected constructor(mailbox: box.Mailbox) {
    this.mailbox = mailbox;
    this.index = mailbox.ints[box.KEY];
    this.generation = mailbox.ints[box.KEY_GENERATION];
    forgotten.register(this, { mailbox, handle: { index: this.index, generation: this.generation } }, this);
  }

  /**
   * @param h 16 bytes
   * @param disabled kernels not to use, as a mask
   */
  static of(mailbox: box.Mailbox, h: Uint8Array, disabled: number): NativeHashKey {
    mailbox.putBlock(h);
    mailbox.ints[box.DISABLED] = disabled;
    mailbox.addon.createHashKey();
    return new NativeHashKey(mailbox);
  }

  ghash(data: Uint8Array, y: Uint8Array): void {
    const { mailbox } = this;
    this.select();
    mailbox.putBlock(y);
    if (mailbox.put(data, box.TEXT, box.TEXT_LENGTH)) mailbox.addon.ghash();
    else mailbox.addon.ghash(data);
    mailbox.takeBlock(y);
  }

  wipe(): void {
    this.select();
    this.mailbox.addon.destroyKey();
    forgotten.unregister(this);
  }

  protected select(): void {
    const { ints } = this.mailbox;
    ints[box.KEY] = this.index;
    ints[box.KEY_GENERATION] = this.generation;
  }
}
