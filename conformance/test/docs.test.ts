import { describe, expect, it } from "vitest";
import { undocumented } from "../../scripts/check-docs.mjs";

describe("check-docs", () => {
  it.each([
    "export const a = 1;",
    "export abstract class a {}",
    "export async function a() {}",
    "export interface a {}",
    "export type a = number;",
    "/** Of something else. */\n\nexport const a = 1;",
    "// Not a docstring.\nexport const a = 1;",
    "/** B. */\nexport class b {\n}\nexport const a = 1;",
    "export const a = 1;\nexport const a = 2;",
  ])("finds what is not documented: %j", (source) => {
    expect(new Set(undocumented(source))).toEqual(new Set(["a"]));
  });

  it.each([
    "/** A. */\nexport const a = 1;",
    "/**\n * A.\n */\nexport async function* a() {}",
    "/** A and b. */\nexport const a = 1;\nexport const b = 2;",
    "/** A. */\nexport function a(\n  b: string,\n): void;\nexport function a(): void {}",
    'export { a } from "./a.js";',
    "const a = 1;",
  ])("is content with %j", (source) => {
    expect(undocumented(source)).toEqual([]);
  });
});
