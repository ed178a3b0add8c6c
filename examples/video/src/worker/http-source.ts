import type { RandomAccessSource } from "evariste/ranges";

/**
 * A file on any web server that answers ranges, to be read anywhere.
 *
 * @throws Error when the server does not have it or does not say how long it is
 */
export async function httpSource(url: string): Promise<RandomAccessSource> {
  const head = await fetch(url, { method: "HEAD" });
  const length = head.headers.get("Content-Length");
  if (!head.ok || length === null) throw new Error(`${url} is not there: the server says ${head.status}`);
  return {
    size: Number(length),
    async read(offset, length) {
      if (length === 0) return new Uint8Array();
      const Range = `bytes=${offset}-${offset + length - 1}`;
      const response = await fetch(url, { headers: { Range } });
      if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      throw new Error(`the server does not answer ranges: it says ${response.status}, not 206`);
    },
  };
}
