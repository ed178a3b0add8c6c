/** Tables for the terminal and for Markdown, and how figures are written in them. */

/** Rows of text under headings. The first column is aligned left, the others right. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** As plain text with aligned columns. */
export function formatText({ title, columns, rows }: Table): string {
  const widths = columns.map((column, c) =>
    Math.max(column.length, ...rows.map((row) => (row[c] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    widths
      .map((width, c) => (c === 0 ? (cells[c] ?? "").padEnd(width) : (cells[c] ?? "").padStart(width)))
      .join("  ")
      .trimEnd();
  const body = [line(columns), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
  return [...(title === "" ? [] : [title]), ...body].join("\n");
}

/** As a Markdown table. */
export function formatMarkdown({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = columns.map((_, c) => (c === 0 ? "---" : "---:"));
  const heading = title === "" ? [] : [`**${title}**`, ""];
  return [...heading, line(columns), line(rule), ...rows.map(line)].join("\n");
}

/** Bytes as 16 B, 4 KiB, 8 MiB; whole units only, so 1,500 stays 1500 B. */
export function formatSize(bytes: number): string {
  for (const [unit, size] of [
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
  ] as const) {
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`;
  }
  return `${bytes} B`;
}

/** Operations per second: 6.25 M, 91.4 k, 12.3. */
export function formatOps(opsPerSecond: number): string {
  if (opsPerSecond >= 1e6) return `${significant(opsPerSecond / 1e6)} M`;
  if (opsPerSecond >= 1e3) return `${significant(opsPerSecond / 1e3)} k`;
  return significant(opsPerSecond);
}

/** 10^6 bytes per second, in MB/s. */
export function formatMegabytes(megabytesPerSecond: number): string {
  return significant(megabytesPerSecond);
}

/** A ratio: 1.03×. */
export function formatRatio(ratio: number): string {
  return `${significant(ratio)}×`;
}

/** An error as part of one: ±2 %. */
export function formatPercent(part: number): string {
  return `±${(part * 100).toFixed(0)} %`;
}

/** Nanoseconds: 160 ns, 3.10 µs, 1.25 ms. */
export function formatTime(nanoseconds: number): string {
  if (nanoseconds >= 1e9) return `${significant(nanoseconds / 1e9)} s`;
  if (nanoseconds >= 1e6) return `${significant(nanoseconds / 1e6)} ms`;
  if (nanoseconds >= 1e3) return `${significant(nanoseconds / 1e3)} µs`;
  return `${significant(nanoseconds)} ns`;
}

/** Three significant digits, never in exponent form; more before the point stay as they are. */
function significant(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(2);
}
