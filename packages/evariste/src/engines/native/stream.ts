/** A message in pieces inside the addon. */
import type { Direction, EngineStream } from "../engine.js";
import * as box from "./mailbox.js";

const forgotten = new FinalizationRegistry<{ mailbox: box.Mailbox; index: number; generation: number }>(
  ({ mailbox, index, generation }) => end(mailbox, index, generation),
);

function end(mailbox: box.Mailbox, index: number, generation: number): void {
  mailbox.ints[box.STREAM] = index;
  mailbox.ints[box.STREAM_GENERATION] = generation;
  mailbox.addon.streamEnd();
}

/** See {@link EngineStream}. One that nobody wiped is wiped when it is collected. */
export class NativeStream implements EngineStream {
  private readonly mailbox: box.Mailbox;
  private readonly index: number;
  private readonly generation: number;

  /** The mailbox already names the key. */
  constructor(mailbox: box.Mailbox, iv: Uint8Array, direction: Direction) {
    const { ints, addon } = mailbox;
    ints[box.DIRECTION] = direction === "decrypt" ? 1 : 0;
    if (mailbox.put(iv, box.IV, box.IV_LENGTH)) addon.streamStart();
    else addon.streamStart(iv);
    this.mailbox = mailbox;
    this.index = ints[box.STREAM];
    this.generation = ints[box.STREAM_GENERATION];
    forgotten.register(this, { mailbox, index: this.index, generation: this.generation }, this);
  }

  aad(chunk: Uint8Array): void {
    const { mailbox } = this;
    this.select();
    if (mailbox.put(chunk, box.AAD, box.AAD_LENGTH)) mailbox.addon.streamAad();
    else mailbox.addon.streamAad(chunk);
  }

  update(chunk: Uint8Array, out: Uint8Array): void {
    const { mailbox } = this;
    this.select();
    if (mailbox.put(chunk, box.TEXT, box.TEXT_LENGTH)) {
      mailbox.addon.streamUpdate();
      mailbox.takeText(out, chunk.length);
    } else mailbox.addon.streamUpdate(chunk, out);
  }

  finish(tag: Uint8Array): void {
    this.select();
    this.mailbox.addon.streamFinish();
    this.mailbox.takeBlock(tag);
  }

  verify(tag: Uint8Array): boolean {
    const { mailbox } = this;
    const { ints, addon } = mailbox;
    this.select();
    ints[box.TAG_LENGTH] = tag.length;
    mailbox.putBlock(tag);
    addon.streamVerify();
    return ints[box.RESULT] === 1;
  }

  wipe(): void {
    end(this.mailbox, this.index, this.generation);
    forgotten.unregister(this);
  }

  private select(): void {
    const { ints } = this.mailbox;
    ints[box.STREAM] = this.index;
    ints[box.STREAM_GENERATION] = this.generation;
  }
}
