import { describe, expect, it } from "vitest";
import { countCheck, countTests } from "../../scripts/ci/count.mjs";

describe("CI's sum", () => {
  it("counts a check by its exit code", () => {
    expect(countCheck(0, "layers: 2 files")).toEqual({ passed: 1, failed: 0, skipped: 0, reasons: [] });
    expect(countCheck(1, "")).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
    expect(countCheck(null, "1 passed, 0 failed, 0 skipped")).toMatchObject({ passed: 0, failed: 1 });
  });

  it("counts a check that could run nothing as skipped, with the reasons", () => {
    const output =
      "skipped valgrind: valgrind is not here\nskipped  s390x: no gcc\n0 passed, 0 failed, 2 skipped\n";
    const reasons = ["valgrind: valgrind is not here", "s390x: no gcc"];
    expect(countCheck(0, output)).toEqual({ passed: 0, failed: 0, skipped: 1, reasons });
  });

  it("counts a check that skipped a part as passed, and names the part", () => {
    const output = "skipped Firefox: not installed\nruntimes: 3 passed, 0 failed, 1 skipped\n";
    expect(countCheck(0, output)).toMatchObject({
      passed: 1,
      skipped: 0,
      reasons: ["Firefox: not installed"],
    });
    expect(countCheck(1, output)).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
  });

  it("counts a Vitest run by its tests, and one that broke off as failed", () => {
    const report = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 2 };
    expect(countTests(0, report)).toEqual({ passed: 7, failed: 0, skipped: 2, reasons: [] });
    expect(countTests(1, report)).toMatchObject({ passed: 7, failed: 1 });
    expect(countTests(1, { ...report, numFailedTests: 3 })).toMatchObject({ failed: 3 });
  });
});
