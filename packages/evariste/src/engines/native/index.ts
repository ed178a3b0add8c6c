/** The native engine: CPU kernels in C behind Node-API, for Node, Bun, Deno and Electron. */
import type { Engine, KernelReport, KernelRole } from "../engine.js";
import { NativeHashKey } from "./hash-key.js";
import { NativeKey } from "./key.js";
import { loadAddon } from "./load.js";
import { LONGEST_TEXT, type Mailbox } from "./mailbox.js";

/** One row of the addon's list of kernels. */
interface Kernel {
  readonly name: string;
  readonly role: KernelRole;
  /** CPU features that it needs and this machine lacks. */
  readonly missing: string;
}

class NativeEngine implements Engine {
  readonly name = "native";
  readonly copiesUpTo = LONGEST_TEXT;
  readonly streamsCopyUpTo = LONGEST_TEXT;
  readonly #mailbox: Mailbox;
  readonly #kernels: readonly Kernel[];
  readonly #names: readonly string[];
  /** The addon's masks for sets of kernel names that were seen before. */
  readonly #masks = new WeakMap<ReadonlySet<string>, number>();

  constructor(mailbox: Mailbox) {
    this.#mailbox = mailbox;
    this.#kernels = readKernels(mailbox.addon.kernels());
    this.#names = this.#kernels.map((kernel) => kernel.name);
  }

  kernels(disabled: ReadonlySet<string>): KernelReport[] {
    const last = new Map(this.#kernels.map((kernel) => [kernel.role, kernel]));
    const taken = new Set<KernelRole>();
    return this.#kernels.map((kernel) => {
      const { name, role } = kernel;
      const reason = whyNot(kernel, disabled, role !== "gcm" && last.get(role) === kernel);
      if (reason !== undefined) return { name, role, available: false, chosen: false, reason };
      const chosen = !taken.has(role);
      taken.add(role);
      return { name, role, available: true, chosen };
    });
  }

  createKey(rawKey: Uint8Array, disabled: ReadonlySet<string>): NativeKey {
    return new NativeKey(this.#mailbox, rawKey, this.#mask(disabled), this.#names);
  }

  createHashKey(h: Uint8Array, disabled: ReadonlySet<string>): NativeHashKey {
    return NativeHashKey.of(this.#mailbox, h, this.#mask(disabled));
  }

  kernelCalls(): Record<string, number> {
    const counts = new Float64Array(this.#names.length);
    this.#mailbox.addon.calls(counts);
    return Object.fromEntries(this.#names.map((name, i) => [name, counts[i]]));
  }

  #mask(disabled: ReadonlySet<string>): number {
    let mask = this.#masks.get(disabled);
    if (mask === undefined) {
      mask = this.#names.reduce((bits, name, i) => (disabled.has(name) ? bits | (1 << i) : bits), 0);
      this.#masks.set(disabled, mask);
    }
    return mask;
  }
}

/** The portable kernel of a role is the last of its list and cannot be switched off. */
function whyNot(kernel: Kernel, disabled: ReadonlySet<string>, portable: boolean): string | undefined {
  if (kernel.missing !== "") return `this CPU has no ${kernel.missing.replaceAll(" ", ", ")}`;
  return disabled.has(kernel.name) && !portable ? "switched off" : undefined;
}

function readKernels(list: readonly string[]): Kernel[] {
  const kernels: Kernel[] = [];
  for (let i = 0; i < list.length; i += 3) {
    kernels.push({ name: list[i], role: list[i + 1] as KernelRole, missing: list[i + 2] });
  }
  return kernels;
}

let engine: NativeEngine | undefined;

/** @throws Error that says where the addon was looked for, and why it was not taken */
export function load(): Engine {
  engine ??= new NativeEngine(loadAddon());
  return engine;
}
