import { describe, expect, it } from "vitest";
import { makeReport } from "../../src/report/build.js";
import { compareResults, comparisonSection } from "../../src/report/compare.js";
import { reportHtml } from "../../src/report/html.js";
import { reportMarkdown, reportText } from "../../src/report/text.js";
import { CURVE, resultsOf, sizeRow, sizesSuite } from "./sample.js";

const node = resultsOf([sizesSuite(CURVE, ["stablelib is missing: not installed"])]);
const firefox = resultsOf([sizesSuite(CURVE)], "Firefox 140.1");

describe("makeReport", () => {
  it("shows runs of the same suite beside each other", () => {
    const { runs, sections } = makeReport([node, firefox]);
    expect(runs.map(({ label }) => label)).toEqual(["Node 20.0.0", "Firefox 140.1"]);
    expect(sections.map(({ id, parts }) => [id, parts.map(({ run }) => run)])).toEqual([
      ["sizes", ["Node 20.0.0", "Firefox 140.1"]],
    ]);
  });

  it("joins files that are pieces of one run, and keeps two runs apart by their time", () => {
    const batch = resultsOf([{ ...sizesSuite([CURVE[0]]), suite: "batch" }]);
    expect(makeReport([node, batch]).runs).toHaveLength(1);
    const again = { ...node, machine: { ...node.machine, date: "2026-02-03T04:05:06.789Z" } };
    expect(makeReport([node, again]).runs.map(({ label }) => label)).toEqual([
      "Node 20.0.0, 2026-01-02 03:04",
      "Node 20.0.0, 2026-02-03 04:05",
    ]);
  });
});

describe("reportHtml", () => {
  const page = reportHtml(makeReport([node, firefox]));

  it("has a picture for each run, with every contestant and a box for each", () => {
    expect(page.match(/<figure class="lines">/g)).toHaveLength(2);
    expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(2);
    expect(page.match(/<input type="checkbox"/g)).toHaveLength(2);
    for (const name of ["native", "noble"]) expect(page).toContain(`<title>${name}, 1 KiB: `);
    for (const id of ["s0", "s1"]) {
      expect(page).toContain(`#sizes:has(input.${id}:not(:checked)) .series.${id} { display: none }`);
      expect(page.match(new RegExp(`class="series ${id}"`, "g"))!.length).toBeGreaterThanOrEqual(6);
    }
  });

  it("has the tables and notes of the text", () => {
    for (const words of ["stablelib is missing: not installed", "native / noble", "Test CPU"]) {
      expect(page).toContain(words);
      expect(reportText(makeReport([node, firefox]))).toContain(words);
      expect(reportMarkdown(makeReport([node, firefox]))).toContain(words);
    }
  });

  it("needs no network and no script", () => {
    expect(page).not.toMatch(/https?:|src=|@import|url\((?!#)|<script/i);
    for (const [link] of page.matchAll(/href="[^"]*"/g)) expect(link).toMatch(/^href="(#|data:,)/);
  });

  it("escapes whatever names and notes hold", () => {
    const evil = `<img src=x onerror="alert(1)">&'`;
    const rows = [16, 64, 256].map((size) => sizeRow(evil, size, { [evil]: [10], other: [20] }));
    const suite = { ...sizesSuite(rows, [evil]), suite: 'sizes"><b>' };
    const hostile = resultsOf([suite], evil);
    const report = makeReport([hostile]);
    const comparison = comparisonSection(compareResults([hostile], [hostile]));
    const html = reportHtml({ ...report, comparison });
    expect(html).not.toMatch(/<img|<b>/);
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;");
  });
});

describe("text and Markdown", () => {
  it("end with the comparison, in the same words", () => {
    const report = { ...makeReport([node]), comparison: comparisonSection(compareResults([node], [node])) };
    expect(reportText(report)).toMatch(/- 8 of 8 rows agree within their errors$/);
    expect(reportMarkdown(report)).toMatch(/- 8 of 8 rows agree within their errors$/);
    expect(reportMarkdown(report)).toContain("## Against the older results");
  });

  it("name the run only where there are several", () => {
    expect(reportMarkdown(makeReport([node]))).not.toContain("### Node");
    expect(reportMarkdown(makeReport([node, firefox]))).toContain("### Firefox 140.1");
  });
});
