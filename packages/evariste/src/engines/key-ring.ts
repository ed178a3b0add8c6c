/** The raw key of one `AesGcm` and what engines made of it: up to two engine keys, chosen by message size. */
import { StateError } from "../errors.js";
import type { EngineKey, EngineName } from "./engine.js";
import { type EnginePlan, planEngines, switchedOff } from "./select.js";

/** Engine keys of one raw key, each made at its first use. */
export class KeyRing {
  /** See {@link Engine.copiesUpTo}; of the engine for small messages. */
  readonly copiesUpTo: number;
  readonly #plan: EnginePlan;
  /** The plan's, here because every message asks. */
  readonly #threshold: number;
  readonly #disabled: ReadonlySet<string>;
  readonly #rawKey: Uint8Array;
  #small: EngineKey | undefined;
  #large: EngineKey | undefined;
  #destroyed = false;

  constructor(rawKey: Uint8Array, engine?: EngineName | undefined, disable: Iterable<string> = []) {
    this.#disabled = switchedOff(disable);
    this.#plan = planEngines(engine, this.#disabled);
    this.#threshold = this.#plan.threshold;
    this.copiesUpTo = this.#plan.small.copiesUpTo;
    this.#rawKey = new Uint8Array(rawKey);
  }

  /** True after {@link destroy}. */
  get destroyed(): boolean {
    return this.#destroyed;
  }

  /** See {@link Engine.streamsCopyUpTo}. */
  get streamsCopyUpTo(): number {
    return this.#plan.large.streamsCopyUpTo;
  }

  /** The engines' names, joined by `+` where size decides. */
  get engine(): string {
    return joined(this.#plan.small.name, this.#plan.large.name);
  }

  /** The kernels' names, joined by `+` where size decides. */
  get kernel(): string {
    return joined(this.for(0).kernel, this.for(Number.POSITIVE_INFINITY).kernel);
  }

  /** The engine key for a message of `length` bytes. Throws StateError after {@link destroy}. */
  for(length: number): EngineKey {
    if (length < this.#threshold) return this.#small ?? this.#makeSmall();
    return this.#large ?? this.#makeLarge();
  }

  /** Wipes everything. Harmless when repeated. */
  destroy(): void {
    this.#destroyed = true;
    this.#small?.wipe();
    this.#large?.wipe();
    this.#small = undefined;
    this.#large = undefined;
    this.#rawKey.fill(0);
  }

  #makeSmall(): EngineKey {
    this.#mustLive();
    this.#small = this.#plan.small.createKey(this.#rawKey, this.#disabled);
    return this.#small;
  }

  #makeLarge(): EngineKey {
    this.#mustLive();
    this.#large = this.#plan.large.createKey(this.#rawKey, this.#disabled);
    return this.#large;
  }

  #mustLive(): void {
    if (this.#destroyed) throw new StateError("the key was destroyed");
  }
}

function joined(small: string, large: string): string {
  return small === large ? small : `${small}+${large}`;
}
