import { describe, it } from "vitest";
import { asyncCases, thisPlatform } from "../src/async/index.js";

describe("WebCrypto of this runtime", () => {
  const platform = thisPlatform("node");
  for (const each of asyncCases) it(each.name, () => each.run(platform), 120_000);
});
