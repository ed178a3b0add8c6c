/** HTML text in which everything that is filled in is escaped. */

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Plain text as HTML, fit for elements and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** A template whose holes are escaped, but for those that are HTML. */
export function html(pieces: TemplateStringsArray, ...holes: readonly (string | number | Html)[]): Html {
  const filled = holes.map((hole) => (hole instanceof Html ? hole.text : escapeHtml(String(hole))));
  return new Html(pieces.map((piece, i) => piece + (filled[i] ?? "")).join(""));
}

/** Several pieces one after another. */
export function join(pieces: readonly Html[]): Html {
  return new Html(pieces.map(({ text }) => text).join("\n"));
}

/** Text that must not be escaped: made here, or by a library that escapes. */
export function trusted(text: string): Html {
  return new Html(text);
}
