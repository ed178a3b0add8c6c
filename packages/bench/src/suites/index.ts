/** Every suite by the name under which the command line knows it. */
import { batch } from "./batch.js";
import { file } from "./file.js";
import { firstCall } from "./first-call.js";
import { java } from "./java.js";
import { ladder } from "./ladder.js";
import { opensslByHand } from "./openssl-by-hand.js";
import { peers } from "./peers.js";
import { sizes } from "./sizes.js";
import type { Suite } from "./suite.js";
import { sweep } from "./sweep.js";
import { thresholds } from "./thresholds.js";

/** In the order in which `all` runs them. */
export const SUITES: ReadonlyMap<string, Suite> = new Map([
  ["sizes", sizes],
  ["peers", peers],
  ["openssl-by-hand", opensslByHand],
  ["ladder", ladder],
  ["sweep", sweep],
  ["java", java],
  ["thresholds", thresholds],
  ["batch", batch],
  ["first-call", firstCall],
  ["file", file],
]);
