/** What a case is and what it runs against. No file here needs a test framework or a particular runtime. */
import type { AesGcm, AesGcmOptions, EngineName } from "evariste";
import type { EngineKey } from "evariste/testing";

/** One way of running AES-GCM: an engine with the kernels that a setting leaves it. */
export interface Target {
  /** `engine` or `engine/kernel`. */
  readonly name: string;
  readonly engine: EngineName;
  /** Names of kernels that this target does without. */
  readonly disable: readonly string[];
  /** The kernel that this target exists for. */
  readonly kernel: string;
  /** Hundreds of megabytes per second, so that cases over large messages are affordable. */
  readonly fast: boolean;
  /** A key that runs on this target whatever the message's size. */
  create(key: Uint8Array, options?: Pick<AesGcmOptions, "tagLength" | "allowShortTags">): AesGcm;
  /** The engine's own key, below all checks. */
  engineKey(key: Uint8Array): EngineKey;
  /** How often each kernel of the engine has run in this process. */
  kernelCalls(): Readonly<Record<string, number>>;
}

/** A named piece of evidence. */
export interface Case {
  readonly name: string;
  /** Only for targets that are {@link Target.fast}. */
  readonly heavy?: boolean;
  /** @throws when the target is wrong */
  run(target: Target): void | Promise<void>;
}
