/** Sections of a document that suites write: what stands between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. */

/**
 * The document with that section's content replaced.
 *
 * @throws RangeError when the document has no such section
 */
export function replaceSection(document: string, name: string, content: string): string {
  const open = `<!-- bench:${name} -->`;
  const close = `<!-- /bench:${name} -->`;
  const start = document.indexOf(open);
  const end = document.indexOf(close, start);
  if (start < 0 || end < 0) throw new RangeError(`the document has no section ${open} … ${close}`);
  return `${document.slice(0, start + open.length)}\n${content.trim()}\n${document.slice(end)}`;
}
