/** A message in pieces inside the addon. */
import type { Direction, EngineStream } from "../engine.js";
import * as box from "./mailbox.js";

/** Which stream of which mailbox; `generation` 0 is of none. */
interface Handle {
  mailbox: box.Mailbox;
  index: number;
  generation: number;
}

function end({ mailbox, index, generation }: Handle): void {
  mailbox.ints[box.STREAM] = index;
  mailbox.ints[box.STREAM_GENERATION] = generation;
  mailbox.addon.streamEnd();
}

const forgotten = new FinalizationRegistry<Handle>(end);

/**
 * What is registered for its collection in place of each stream: registering costs as much as encrypting 2 KiB, so places are
 * used again. A stream that nobody wiped is collected with its place, and ended then.
 */
class Place {
  constructor(readonly handle: Handle) {
    forgotten.register(this, handle);
  }
}

const idle: Place[] = [];

/** Beyond so many, places are left to the collector. */
const MOST_IDLE = 64;

function placeFor(mailbox: box.Mailbox): Place {
  const place = idle.pop() ?? new Place({ mailbox, index: -1, generation: 0 });
  place.handle.mailbox = mailbox;
  return place;
}

/** See {@link EngineStream}. One that nobody wiped is wiped when it is collected. */
export class NativeStream implements EngineStream {
  private readonly mailbox: box.Mailbox;
  private readonly direction: Direction;
  private readonly handle: Handle;
  private place: Place | undefined;
  /** The addon has not given up the stream's memory yet. */
  private isOpen = true;

  /** The mailbox already names the key. */
  constructor(mailbox: box.Mailbox, iv: Uint8Array, direction: Direction) {
    const { ints, addon } = mailbox;
    ints[box.DIRECTION] = direction === "decrypt" ? 1 : 0;
    if (mailbox.put(iv, box.IV, box.IV_LENGTH)) addon.streamStart();
    else addon.streamStart(iv);
    this.mailbox = mailbox;
    this.direction = direction;
    this.place = placeFor(mailbox);
    this.handle = this.place.handle;
    this.handle.index = ints[box.STREAM];
    this.handle.generation = ints[box.STREAM_GENERATION];
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
    if (mailbox.putText(chunk)) {
      mailbox.addon.streamUpdate();
      if (this.direction === "encrypt") mailbox.takeSealed(out, chunk.length);
      else mailbox.takeText(out, chunk.length);
    } else mailbox.addon.streamUpdate(chunk, out);
  }

  finish(tag: Uint8Array): void {
    this.select();
    this.mailbox.addon.streamFinish();
    this.isOpen = false;
    this.mailbox.takeBlock(tag);
  }

  verify(tag: Uint8Array): boolean {
    const { mailbox } = this;
    const { ints, addon } = mailbox;
    this.select();
    ints[box.TAG_LENGTH] = tag.length;
    mailbox.putBlock(tag);
    addon.streamVerify();
    this.isOpen = false;
    return ints[box.RESULT] === 1;
  }

  wipe(): void {
    const { place, handle } = this;
    if (place === undefined) return;
    if (this.isOpen) end(handle);
    this.isOpen = false;
    this.place = undefined;
    handle.generation = 0;
    if (idle.length < MOST_IDLE) idle.push(place);
  }

  private select(): void {
    // The place may be another stream's by now.
    if (this.place === undefined) throw new Error("this stream has been wiped");
    const { ints } = this.mailbox;
    ints[box.STREAM] = this.handle.index;
    ints[box.STREAM_GENERATION] = this.handle.generation;
  }
}
