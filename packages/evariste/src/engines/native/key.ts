/** A key inside the addon. */
import type { BatchJob, Direction, EngineKey, EngineStream } from "../engine.js";
import { NativeHashKey } from "./hash-key.js";
import * as box from "./mailbox.js";
import { NativeStream } from "./stream.js";

/** See {@link EngineKey}. A key that nobody wiped is wiped when it is collected. */
export class NativeKey extends NativeHashKey implements EngineKey {
  readonly kernel: string;

  /**
   * @param disabled kernels not to use, as a mask
   * @param kernelNames the addon's kernels
   */
  constructor(mailbox: box.Mailbox, rawKey: Uint8Array, disabled: number, kernelNames: readonly string[]) {
    const { ints, addon } = mailbox;
    mailbox.put(rawKey, box.TEXT, box.TEXT_LENGTH);
    ints[box.DISABLED] = disabled;
    addon.createKey();
    super(mailbox);
    const gcm = ints[box.GCM_KERNEL];
    this.kernel =
      gcm >= 0
        ? kernelNames[gcm]
        : `${kernelNames[ints[box.GCTR_KERNEL]]}+${kernelNames[ints[box.GHASH_KERNEL]]}`;
  }

  seal(iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array, out: Uint8Array, tagLength: number): void {
    const { mailbox } = this;
    const { addon, ints } = mailbox;
    ints[box.KEY] = this.index;
    ints[box.KEY_GENERATION] = this.generation;
    ints[box.TAG_LENGTH] = tagLength;
    const headerInside = mailbox.putHeader(iv, aad);
    if (mailbox.putText(plaintext)) {
      if (headerInside) addon.seal();
      else addon.seal(undefined, undefined, aad, iv);
      mailbox.takeSealed(out, plaintext.length + tagLength);
    } else if (headerInside) addon.seal(plaintext, out);
    else addon.seal(plaintext, out, aad, iv);
  }

  open(iv: Uint8Array, aad: Uint8Array, sealed: Uint8Array, out: Uint8Array, tagLength: number): boolean {
    const { mailbox } = this;
    const { addon, ints } = mailbox;
    ints[box.KEY] = this.index;
    ints[box.KEY_GENERATION] = this.generation;
    ints[box.TAG_LENGTH] = tagLength;
    const headerInside = mailbox.putHeader(iv, aad);
    if (mailbox.putText(sealed)) {
      const length = sealed.length - tagLength;
      if (length > box.SMALL) {
        // Copied and cleared by the addon: `set` and `fill` from here take twice as long.
        if (headerInside) addon.openTo(undefined, out);
        else addon.openTo(undefined, out, aad, iv);
      } else {
        if (headerInside) addon.open();
        else addon.open(undefined, undefined, aad, iv);
        const authentic = ints[box.RESULT] === 1;
        // Of a message that is not authentic, zeros.
        mailbox.takeText(out, length);
        return authentic;
      }
    } else if (headerInside) addon.open(sealed, out);
    else addon.open(sealed, out, aad, iv);
    return ints[box.RESULT] === 1;
  }

  start(iv: Uint8Array, direction: Direction): EngineStream {
    this.select();
    return new NativeStream(this.mailbox, iv, direction);
  }

  gctr(icb: Uint8Array, input: Uint8Array, out: Uint8Array): void {
    const { mailbox } = this;
    this.select();
    mailbox.putBlock(icb);
    if (mailbox.put(input, box.TEXT, box.TEXT_LENGTH)) {
      mailbox.addon.gctr();
      mailbox.takeText(out, input.length);
    } else mailbox.addon.gctr(input, out);
  }

  batch(job: BatchJob): number {
    const { ints, addon } = this.mailbox;
    this.select();
    ints[box.IV_LENGTH] = job.ivLength;
    ints[box.TAG_LENGTH] = job.tagLength;
    ints[box.COUNT] = job.count;
    ints[box.DIRECTION] = job.direction === "decrypt" ? 1 : 0;
    addon.batch(
      job.ivs,
      job.data,
      job.offsets,
      job.aad,
      job.aadOffsets ?? job.offsets,
      job.out,
      job.verdicts,
    );
    return ints[box.RESULT];
  }

  willFill(memory: Uint8Array): void {
    this.mailbox.addon.willFill(memory);
  }

  async segment(
    direction: Direction,
    icb: Uint8Array,
    input: Uint8Array,
    out: Uint8Array,
  ): Promise<Uint8Array> {
    const { mailbox } = this;
    this.select();
    mailbox.ints[box.DIRECTION] = direction === "decrypt" ? 1 : 0;
    mailbox.putBlock(icb);
    const ghash = new Uint8Array(16);
    await mailbox.addon.segment(input, out, ghash);
    return ghash;
  }
}
