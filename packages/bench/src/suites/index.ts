/** Every suite by the name under which the command line knows it. */
import { batch } from "./batch.js";
import { bundleSize } from "./bundle-size.js";
import { coldStart } from "./cold-start.js";
import { file } from "./file.js";
import { firstCall } from "./first-call.js";
import { java } from "./java.js";
import { bench, byteBuffer } from "./jmh.js";
import { ladder } from "./ladder.js";
import { opensslByHand } from "./openssl-by-hand.js";
import { parallel } from "./parallel.js";
import { peers } from "./peers.js";
import { sizes } from "./sizes.js";
import { streams } from "./streams.js";
import type { Suite } from "./suite.js";
import { sweep } from "./sweep.js";
import { testAesMain } from "./test-aes-main.js";
import { threads } from "./threads.js";
import { thresholds } from "./thresholds.js";
import { updateAad } from "./update-aad.js";

/** In the order in which `all` runs them. */
export const SUITES: ReadonlyMap<string, Suite> = new Map([
  ["sizes", sizes],
  ["test-aes-main", testAesMain],
  ["aesgcm-bytebuffer", byteBuffer],
  ["aesgcm-bench", bench],
  ["aesgcm-updateaad2", updateAad],
  ["ladder", ladder],
  ["first-call", firstCall],
  ["threads", threads],
  ["parallel", parallel],
  ["streams", streams],
  ["cold-start", coldStart],
  ["bundle-size", bundleSize],
  ["java", java],
  ["peers", peers],
  ["openssl-by-hand", opensslByHand],
  ["sweep", sweep],
  ["thresholds", thresholds],
  ["batch", batch],
  ["file", file],
]);
