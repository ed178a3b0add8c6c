import { engines } from "evariste";
import { describe, expect, it } from "vitest";
import { affords, cases, targets } from "../src/index.js";

const all = targets();

describe("targets", () => {
  it("force every available kernel of every available engine", () => {
    const available = engines().flatMap((engine) =>
      engine.kernels.filter((kernel) => kernel.available).map((kernel) => `${engine.name}/${kernel.name}`),
    );
    const covered = all.flatMap((target) => target.kernels.map((kernel) => `${target.engine}/${kernel}`));
    expect(covered.sort()).toEqual(available.sort());
  });
});

describe.each(all.map((target) => ({ name: target.name, target })))("$name", ({ target }) => {
  for (const each of cases.filter((one) => affords(target, one))) {
    it(each.name, () => each.run(target), 120_000);
  }
});
