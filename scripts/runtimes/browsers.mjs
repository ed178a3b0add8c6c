/** Runs the suite in a browser without a driver: its pages fetch what to do and post what came of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import { INDEX_SEGMENT, sealFilm } from "../../examples/video/build/server/seal.js";
import { sendFile } from "../../examples/video/build/server/static.js";
import { toneOf } from "../../examples/video/build/server/tone.js";
import { MemoryMeter } from "./memory.mjs";

/** Without them a page has no SharedArrayBuffer. */
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const STRICT = { "Content-Security-Policy": "default-src 'self'; script-src 'self'" };

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

/** Serves `folder` at `/` and, with a policy that forbids WebAssembly, at `/strict/`; runs the plan of one browser. */
function planServer(folder, plan, report, meter) {
  const requests = [];
  const answers = {
    "GET /plan": (id) => {
      report(id, { error: "it began and did not finish" });
      return { where: plan[id].where, options: plan[id].options };
    },
    "POST /result": (id, body) => {
      report(id, JSON.parse(body));
      return id + 1 < plan.length ? addressOf(plan, id + 1) : null;
    },
    // What files were asked for since the last time.
    "GET /requests": () => requests.splice(0),
    "POST /memory": () => meter().mark(),
  };
  return createServer(async (request, response) => {
    const { method, headers } = request;
    const { pathname } = new URL(request.url, "http://localhost");
    const [, name, id] = /^(\/[a-z]+)(?:\/(\d+))?$/.exec(pathname) ?? [];
    const answer = answers[`${method} ${name}`];
    if (answer !== undefined) {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answer(Number(id), await textOf(request))));
      return;
    }
    requests.push({ method, path: pathname, range: headers.range });
    const strict = pathname.startsWith("/strict/");
    for (const [name, value] of Object.entries({ ...ISOLATED, ...(strict && STRICT) }))
      response.setHeader(name, value);
    sendFile(folder, pathname.replace(/^\/strict\//, "/"), request, response);
  });
}

async function textOf(request) {
  request.setEncoding("utf8");
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

function addressOf(plan, id) {
  return `${plan[id].path}?run=${id}`;
}

/**
 * @param {{ path: string, where: string, options: object }[]} plan one entry per page
 * @returns {Promise<({ summary: object } | { error: string })[]>} one per entry of the plan, in its order
 */
export async function runBrowser(browser, command, folder, plan, timeout) {
  const profile = mkdtempSync(join(tmpdir(), "evariste-browser-"));
  const lines = Object.entries(browser.preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), lines.join(""));
  const results = plan.map(() => ({ error: `not reached within ${timeout / 1000} s` }));
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  let meter;
  const report = (id, result) => {
    results[id] = result;
    if (id === plan.length - 1 && result.summary) finish();
  };
  const server = planServer(folder, plan, report, () => meter);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}${addressOf(plan, 0)}`;
  const child = spawn(command, browser.launch(profile, url), { stdio: "ignore", detached: true });
  meter = new MemoryMeter(child.pid);
  const exited = once(child, "exit");
  const timer = setTimeout(finish, timeout);
  await Promise.race([finished, exited]);
  clearTimeout(timer);
  meter.stop();
  if (child.exitCode === null && child.signalCode === null) {
    // The whole group: a browser is many processes.
    process.kill(-child.pid, "SIGKILL");
    await exited;
  }
  server.closeAllConnections();
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return results;
}
