/** Seals a film, builds the page and serves both: `node build/server/main.js [FILE] [--port N]`. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "vite";
import { sealFilm } from "./seal.js";
import { staticServer } from "./static.js";
import { toneOf } from "./tone.js";

/** 53 MB. */
const SAMPLE_MINUTES = 10;

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  options: { port: { type: "string", default: "8080" } },
  allowPositionals: true,
});

/** @returns the fragment of the film's address */
async function sealSample(folder: string): Promise<URLSearchParams> {
  const scratch = await mkdtemp(join(tmpdir(), "evariste-film-"));
  try {
    const path = join(scratch, "sample.wav");
    await writeFile(path, toneOf(SAMPLE_MINUTES));
    return await sealFilm(path, folder, "film");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const folder = join(root, "dist");
await build({ root, logLevel: "error" });
const [path] = positionals;
const fragment = path === undefined ? await sealSample(folder) : await sealFilm(path, folder, "film");
const server = staticServer(folder).listen(Number(values.port), "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
console.log(`Play it at  http://localhost:${port}/#${fragment}`);
console.log(
  `What lies there is sealed: ${join(folder, "film.sealed")}. Any web server that answers ranges will do.`,
);
