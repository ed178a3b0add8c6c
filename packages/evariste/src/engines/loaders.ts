/** What `#engines` stands for: the engines of a build. */
import type { Engine, EngineName } from "./engine.js";

/** Every engine with its loader, which throws an Error that says why the engine cannot run here. */
export type Loaders = ReadonlyMap<EngineName, () => Engine>;

/** The loader of an engine that is left out of a build. */
export function absent(reason: string): () => never {
  return () => {
    throw new Error(reason);
  };
}
