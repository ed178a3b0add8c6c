/** The pages that browsers run, and what they may ask for meanwhile. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";
import { INDEX_SEGMENT, sealFilm } from "../../examples/video/build/server/seal.js";
import { sendFile } from "../../examples/video/build/server/static.js";
import { toneOf } from "../../examples/video/build/server/tone.js";
import { visitPages } from "../../packages/bench/dist/browser/visit.js";
import { MemoryMeter } from "./memory.mjs";

/** 53 MB. */
const FILM_MINUTES = 10;

/** Bundles the suite's page with Vite as it comes. @returns {Promise<string>} the folder to serve */
export async function bundlePage(folder) {
  const script = '<script type="module" src="./page.js"></script>';
  writeFileSync(join(folder, "index.html"), `<!doctype html><title>Evariste</title>${script}\n`);
  writeFileSync(join(folder, "page.js"), 'import "@evariste/conformance/page";\n');
  await build({ root: folder, base: "./", logLevel: "error", configFile: false });
  return join(folder, "dist");
}

/** Bundles an example's page and what uses it. @param {string} name its folder. @returns {Promise<string>} the folder to serve */
export async function bundleExample(name, folder) {
  const root = resolve(name);
  const outDir = join(folder, name);
  const rolldownOptions = { input: [join(root, "index.html"), join(root, "test", "e2e.html")] };
  await build({ root, base: "./", logLevel: "error", build: { outDir, emptyOutDir: true, rolldownOptions } });
  return outDir;
}

/**
 * Puts a film of one's own, or a melody, beside the example that plays it: plain, sealed, and sealed with one bit changed.
 *
 * @returns {Promise<object>} what examples/video/test/e2e.js takes
 */
export async function prepareFilm(folder, film) {
  const path = film ?? join(folder, "melody.wav");
  if (film === undefined) writeFileSync(path, toneOf(FILM_MINUTES));
  const fragment = Object.fromEntries(await sealFilm(path, folder, "film"));
  const sealed = readFileSync(join(folder, fragment.file));
  const alteredAt = Math.floor(0.8 * sealed.length);
  sealed[alteredAt] ^= 1;
  writeFileSync(join(folder, "altered.sealed"), sealed);
  const plain = readFileSync(path);
  writeFileSync(join(folder, "film.plain"), plain);
  return {
    fragment,
    plain: "/film.plain",
    size: plain.length,
    altered: "altered.sealed",
    alteredAt,
    segmentLength: INDEX_SEGMENT,
  };
}

/**
 * Opens the pages of a plan in a browser. They may ask what files were asked for since the last time, and how much memory the
 * browser takes.
 *
 * @param {{ path: string, options: object }[]} plan one entry per page
 * @returns {Promise<({ summary: object } | { error: string })[]>} one per entry of the plan, in its order
 */
export async function runBrowser(browser, command, folder, plan, timeout) {
  const requests = [];
  let meter;
  try {
    return await visitPages(browser, command, folder, plan, {
      timeout,
      answers: { "GET /requests": () => requests.splice(0), "POST /memory": () => meter.mark() },
      sendFile: (root, path, request, response) => {
        requests.push({ method: request.method, path, range: request.headers.range });
        sendFile(root, path, request, response);
      },
      onOpen: (pid) => {
        meter = new MemoryMeter(pid);
      },
    });
  } finally {
    meter?.stop();
  }
}
