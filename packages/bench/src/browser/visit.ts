/** Runs pages in a browser: a page fetches what to do from the server that it came from, and posts what came of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Browser } from "./browsers.js";

/** A page and what it is to do. */
export interface Visit {
  /** Address on the server. */
  readonly path: string;
  /** The page fetches all of the visit from `/plan/N`. */
  readonly options: unknown;
}

/** What a page found, or why it did not. */
export type Visited<T> = { readonly summary: T } | { readonly error: string };

/** How {@link visitPages} goes about it. */
export interface VisitOptions<T> {
  /** Milliseconds for all pages. */
  readonly timeout: number;
  /** Told of each page that ended. */
  readonly onResult?: (place: number, result: Visited<T>) => void;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** Without them a page has no SharedArrayBuffer, and a coarser clock. */
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/**
 * Opens the pages of a plan one after another in one browser with a new profile.
 *
 * @param command the browser's program
 * @param folder what is served
 * @returns one result per page, in the order of the plan
 */
export async function visitPages<T>(
  browser: Browser,
  command: string,
  folder: string,
  plan: readonly Visit[],
  { timeout, onResult }: VisitOptions<T>,
): Promise<Visited<T>[]> {
  const results = plan.map((): Visited<T> => ({ error: `not reached within ${timeout / 1000} s` }));
  const { promise: finished, resolve: finish } = withResolvers();
  const server = planServer<T>(folder, plan, (id, result, isOver) => {
    results[id] = result;
    if (!isOver) return;
    onResult?.(id, result);
    if (id === plan.length - 1) finish();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}${addressOf(plan, 0)}`;
  await whileOpen(browser, command, url, finished, timeout);
  server.closeAllConnections();
  server.close();
  return results;
}

/** Opens a browser until `finished`, its own end, or the end of the time. */
async function whileOpen(
  browser: Browser,
  command: string,
  url: string,
  finished: Promise<void>,
  timeout: number,
): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), "evariste-browser-"));
  const lines = Object.entries(browser.preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), lines.join(""));
  const child = spawn(command, browser.launch(profile, url), { stdio: "ignore", detached: true });
  const exited = once(child, "exit");
  const { promise: late, resolve: ring } = withResolvers();
  const timer = setTimeout(ring, timeout);
  await Promise.race([finished, exited, late]);
  clearTimeout(timer);
  if (child.exitCode === null && child.signalCode === null) {
    // The whole group: a browser is many processes.
    process.kill(-child.pid!, "SIGKILL");
    await exited;
  }
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Serves `folder`, hands out the plan and takes results. */
function planServer<T>(
  folder: string,
  plan: readonly Visit[],
  report: (id: number, result: Visited<T>, isOver: boolean) => void,
): Server {
  const answers: Readonly<Record<string, (id: number, body: string) => string>> = {
    GET: (id) => {
      report(id, { error: "it began and did not finish" }, false);
      return JSON.stringify(plan[id]);
    },
    POST: (id, body) => {
      report(id, JSON.parse(body) as Visited<T>, true);
      return JSON.stringify(id + 1 < plan.length ? addressOf(plan, id + 1) : null);
    },
  };
  return createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url!, "http://localhost");
      const [, id] = /^\/(?:plan|result)\/(\d+)$/.exec(pathname) ?? [];
      if (id !== undefined) {
        response.setHeader("Content-Type", "application/json");
        response.end(answers[request.method!](Number(id), await textOf(request)));
        return;
      }
      const path = pathname.slice(1) || "index.html";
      const headers = { ...ISOLATED, "Content-Type": TYPES[extname(path)] };
      const bytes = readFileSync(join(folder, path));
      response.writeHead(200, headers).end(bytes);
    } catch (error) {
      response.writeHead(404).end(String(error));
    }
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

function addressOf(plan: readonly Visit[], id: number): string {
  return `${plan[id].path}?run=${id}`;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
