/** Runs the suite in a browser without a driver: its pages fetch what to do and post what came of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { build } from "vite";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Without them a page has no SharedArrayBuffer. */
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const STRICT = { "Content-Security-Policy": "default-src 'self'; script-src 'self'" };

/** Bundles the suite's page with Vite as it comes. @returns {Promise<string>} the folder to serve */
export async function bundlePage(folder) {
  const script = '<script type="module" src="./page.js"></script>';
  writeFileSync(join(folder, "index.html"), `<!doctype html><title>Evariste</title>${script}\n`);
  writeFileSync(join(folder, "page.js"), 'import "@evariste/conformance/page";\n');
  await build({ root: folder, base: "./", logLevel: "error", configFile: false });
  return join(folder, "dist");
}

/** Bundles the example page and what uses it. @returns {Promise<string>} the folder to serve */
export async function bundleExample(folder) {
  const root = resolve("examples/browser");
  const outDir = join(folder, "example");
  const rollupOptions = { input: [join(root, "index.html"), join(root, "test", "e2e.html")] };
  await build({
    root,
    base: "./",
    logLevel: "error",
    configFile: false,
    build: { outDir, emptyOutDir: true, rollupOptions },
  });
  return outDir;
}

/** Serves `folder` at `/` and, with a policy that forbids WebAssembly, at `/strict/`; runs the plan of one browser. */
function planServer(folder, plan, report) {
  const answers = {
    GET: (id) => {
      report(id, { error: "it began and did not finish" });
      return JSON.stringify({ where: plan[id].where, options: plan[id].options });
    },
    POST: (id, body) => {
      report(id, JSON.parse(body));
      return JSON.stringify(id + 1 < plan.length ? addressOf(plan, id + 1) : null);
    },
  };
  return createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, "http://localhost");
      const [, id] = /^\/(?:plan|result)\/(\d+)$/.exec(pathname) ?? [];
      if (id !== undefined) {
        response.setHeader("Content-Type", "application/json");
        response.end(answers[request.method](Number(id), await textOf(request)));
        return;
      }
      const strict = pathname.startsWith("/strict/");
      const path = pathname.replace(/^\/(strict\/)?/, "") || "index.html";
      const headers = { ...ISOLATED, ...(strict && STRICT), "Content-Type": TYPES[extname(path)] };
      const bytes = readFileSync(join(folder, path));
      response.writeHead(200, headers).end(bytes);
    } catch (error) {
      response.writeHead(404).end(String(error));
    }
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
  const server = planServer(folder, plan, (id, result) => {
    results[id] = result;
    if (id === plan.length - 1 && result.summary) finish();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}${addressOf(plan, 0)}`;
  const child = spawn(command, browser.launch(profile, url), { stdio: "ignore", detached: true });
  const exited = once(child, "exit");
  const timer = setTimeout(finish, timeout);
  await Promise.race([finished, exited]);
  clearTimeout(timer);
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
