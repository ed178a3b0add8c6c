/** What a case is and what it runs against. No file here needs a test framework or a particular runtime. */
import type { AesGcm, AesGcmOptions, EngineName } from "evariste";
import type { EngineKey } from "evariste/testing";

/** One way of running AES-GCM: an engine with the kernels that a setting leaves it. */
export interface Target {
  /** `engine/kernel`, with `+` between several kernels. */
  readonly name: string;
  readonly engine: EngineName;
  /** Names of kernels that this target does without. */
  readonly disable: readonly string[];
  /** The kernels that this target is there to force. */
  readonly kernels: readonly string[];
  /** Hundreds of megabytes per second, so that cases over large messages are affordable. */
  readonly fast: boolean;
  /** The engine chooses this kernel by itself. */
  readonly chosen: boolean;
  /** A key that runs on this target whatever the message's size. */
  create(key: Uint8Array, options?: Pick<AesGcmOptions, "tagLength" | "allowShortTags">): AesGcm;
  /** The engine's own key, below all checks. */
  engineKey(key: Uint8Array): EngineKey;
  /** How often each kernel of the engine has run in this process. */
  kernelCalls(): Readonly<Record<string, number>>;
}

/** Cases that not every target can afford: `fast` ones only, or only the kernels that fast engines `choose` here. */
export type Weight = "fast" | "chosen";

/** A named piece of evidence. */
export interface Case {
  readonly name: string;
  readonly weight?: Weight;
  /** @throws when the target is wrong */
  run(target: Target): void | Promise<void>;
}

/** True when `target` can afford `each`. */
export function affords(target: Target, each: Case): boolean {
  return each.weight === undefined || (target.fast && (each.weight === "fast" || target.chosen));
}
