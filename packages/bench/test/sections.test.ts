import { expect, it } from "vitest";
import { replaceSection } from "../src/sections.js";

const document =
  "# a\n<!-- bench:sizes -->\nold $&\n<!-- /bench:sizes -->\nrest\n<!-- bench:java -->\nkept\n<!-- /bench:java -->\n";

it("replaces one section and nothing else, again and again", () => {
  const once = replaceSection(document, "sizes", "new $& text\n");
  expect(once).toBe(document.replace("old $&", () => "new $& text"));
  expect(replaceSection(once, "sizes", "new $& text")).toBe(once);
});

it("refuses a document without the section", () => {
  expect(() => replaceSection(document, "ladder", "x")).toThrow(/no section <!-- bench:ladder -->/);
  expect(() => replaceSection("<!-- bench:a -->", "a", "x")).toThrow(RangeError);
});
