/** The film's way without a browser: sealed, on the plain web server, read and answered in ranges. */
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthenticationError } from "evariste";
import { RangeReader } from "evariste/ranges";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INDEX_SEGMENT, sealFilm } from "../src/server/seal.js";
import { staticServer } from "../src/server/static.js";
import { answer } from "../src/worker/answer.js";
import { httpSource } from "../src/worker/http-source.js";
import { inWords } from "../src/worker/words.js";

const SIZE = 5 * INDEX_SEGMENT + 1234;
const plain = Uint8Array.from({ length: SIZE }, (_, i) => Math.imul(i, 2654435761) >>> 24);
/** In the fourth segment. */
const ALTERED_AT = 3.5 * INDEX_SEGMENT;

let folder: string;
let fragment: URLSearchParams;
let address: string;
let running: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evariste-film-"));
  const path = join(folder, "plain.mp4");
  await writeFile(path, plain);
  fragment = await sealFilm(path, folder, "film");
  const sealed = await readFile(join(folder, "film.sealed"));
  sealed[ALTERED_AT] ^= 1;
  await writeFile(join(folder, "altered.sealed"), sealed);
  running = staticServer(folder).listen(0, "127.0.0.1");
  await once(running, "listening");
  address = `http://127.0.0.1:${(running.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  running.close();
  await rm(folder, { recursive: true });
});

const bytesOf = (name: string) => Uint8Array.from(Buffer.from(fragment.get(name)!, "hex"));

async function readerOf(file: string): Promise<RangeReader> {
  const index = new Uint8Array(await readFile(join(folder, "film.index")));
  const source = await httpSource(address + file);
  return RangeReader.open(source, bytesOf("key"), bytesOf("iv"), { verify: "index", index });
}

async function ask(reader: RangeReader, range: string | null) {
  const failures: unknown[] = [];
  const response = await answer(reader, "video/mp4", range, (error) => failures.push(error));
  return { response, failures };
}

describe("ranges over HTTP", () => {
  it("are those of the plaintext", async () => {
    const reader = await readerOf("film.sealed");
    for (const [range, start, end] of [
      ["bytes=0-0", 0, 1],
      ["bytes=100-700000", 100, 700_001],
      [`bytes=${INDEX_SEGMENT - 1}-${INDEX_SEGMENT}`, INDEX_SEGMENT - 1, INDEX_SEGMENT + 1],
      [`bytes=${SIZE - 7}-`, SIZE - 7, SIZE],
      ["bytes=-1000", SIZE - 1000, SIZE],
      [`bytes=${SIZE - 3}-${SIZE + 99}`, SIZE - 3, SIZE],
    ] as const) {
      const { response, failures } = await ask(reader, range);
      expect(response.status).toBe(206);
      expect(response.headers.get("Content-Range")).toBe(`bytes ${start}-${end - 1}/${SIZE}`);
      expect(response.headers.get("Content-Length")).toBe(String(end - start));
      expect(Buffer.from(await response.arrayBuffer()).equals(plain.subarray(start, end))).toBe(true);
      expect(failures).toEqual([]);
    }
  });

  it.each([null, "bytes=0-1,5-6", "bytes=nonsense", "lines=1-2"])("are the whole for %s", async (range) => {
    const { response } = await ask(await readerOf("film.sealed"), range);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("video/mp4");
    expect(Buffer.from(await response.arrayBuffer()).equals(plain)).toBe(true);
  });

  it("end where the film ends", async () => {
    const { response } = await ask(await readerOf("film.sealed"), `bytes=${SIZE}-`);
    expect(response.status).toBe(416);
    expect(response.headers.get("Content-Range")).toBe(`bytes */${SIZE}`);
  });

  it("fetch their own segments and no others, and none after they were given up", async () => {
    const asked: (string | undefined)[] = [];
    const note = ({ headers }: IncomingMessage) => asked.push(headers.range);
    running.on("request", note);
    const { response } = await ask(await readerOf("film.sealed"), "bytes=300000-");
    await response.body!.cancel();
    running.off("request", note);
    const first = `bytes=${INDEX_SEGMENT}-${2 * INDEX_SEGMENT - 1}`;
    expect(asked).toContain(first);
    // The file's length, its tag, and what may be read ahead.
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(asked).not.toContain(`bytes=0-${INDEX_SEGMENT - 1}`);
  });
});

describe("a film that was altered", () => {
  it("is refused where it was altered", async () => {
    const { response, failures } = await ask(await readerOf("altered.sealed"), `bytes=${ALTERED_AT - 5}-`);
    expect(response.status).toBe(502);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
    expect(failures).toEqual([expect.any(AuthenticationError)]);
    expect(inWords(failures[0])).toContain("was altered");
  });

  it("ends with an error before what was altered", async () => {
    const { response, failures } = await ask(await readerOf("altered.sealed"), "bytes=10-");
    expect(response.status).toBe(206);
    let length = 0;
    const reading = (async () => {
      for await (const piece of response.body!) length += piece.length;
    })();
    await expect(reading).rejects.toThrow(AuthenticationError);
    expect(length).toBe(3 * INDEX_SEGMENT - 10);
    expect(failures).toHaveLength(1);
  });
});

describe("errors of the server, in words", () => {
  it("says that a film is missing", async () => {
    await expect(httpSource(`${address}none.sealed`)).rejects.toThrow("the server says 404");
  });

  it("says that ranges are not answered", async () => {
    const source = await httpSource(`${address}film.sealed`);
    // Behind the end: the plain server answers 416.
    await expect(source.read(source.size, 16)).rejects.toThrow("it says 416, not 206");
  });
});

it("the documentation shows the example's own code", async () => {
  const root = new URL("../../../", import.meta.url);
  const code = await readFile(new URL("examples/video/src/worker/http-source.ts", root), "utf8");
  const shown = code.slice(code.indexOf("export async function httpSource"));
  expect(await readFile(new URL("docs/streams.md", root), "utf8")).toContain(shown);
});
