/** Runs pages in a browser: a page fetches what to do from the server that it came from, and posts what came of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Browser } from "./browsers.js";
import { openScreen } from "./screen.js";

/** A page and what it is to do. */
export interface Visit {
  /** Address on the server; below `/strict/` pages come with a policy that forbids WebAssembly. */
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
  /** Use the settings for exact times. */
  readonly measuring?: boolean;
  /** Told of each page that ended. */
  readonly onResult?: (place: number, result: Visited<T>) => void;
  /** What pages may ask the server besides their plan, by `METHOD /path`: answers become JSON. */
  readonly answers?: Readonly<Record<string, () => unknown>>;
  /** Answers requests for files of the folder; default: whole files, of the types that pages need. */
  readonly sendFile?: SendFile;
  /** Told of the browser's process, the leader of its group. */
  readonly onOpen?: (pid: number) => void;
}

/** @param path on the server, without `/strict` */
export type SendFile = (
  folder: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) => void;

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
const STRICT = { "Content-Security-Policy": "default-src 'self'; script-src 'self'" };

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
  options: VisitOptions<T>,
): Promise<Visited<T>[]> {
  const { timeout, onResult } = options;
  const results = plan.map((): Visited<T> => ({ error: `not reached within ${timeout / 1000} s` }));
  const { promise: finished, resolve: finish } = withResolvers();
  const server = planServer<T>(
    folder,
    plan,
    (id, result, isOver) => {
      results[id] = result;
      if (!isOver) return;
      onResult?.(id, result);
      if (id === plan.length - 1) finish();
    },
    options,
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}${addressOf(plan, 0)}`;
  await whileOpen(browser, command, url, finished, options);
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
  { timeout, measuring = false, onOpen }: VisitOptions<never>,
): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), "evariste-browser-"));
  const preferences = { ...browser.preferences, ...(measuring ? browser.measuring.preferences : {}) };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), lines.join(""));
  const args = [...(measuring ? browser.measuring.arguments : []), ...browser.launch(profile, url)];
  const screen = browser.window ? await openScreen() : undefined;
  const env = { ...process.env, ...browser.environment?.(profile), ...screen?.environment };
  const child = spawn(command, args, { stdio: "ignore", detached: true, env });
  if (child.pid !== undefined) onOpen?.(child.pid);
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
  screen?.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Serves `folder` at `/` and, with a policy that forbids WebAssembly, at `/strict/`; hands out the plan. */
function planServer<T>(
  folder: string,
  plan: readonly Visit[],
  report: (id: number, result: Visited<T>, isOver: boolean) => void,
  { answers: more = {}, sendFile = sendWhole }: Pick<VisitOptions<T>, "answers" | "sendFile">,
): Server {
  const answers: Readonly<Record<string, (id: number, body: string) => unknown>> = {
    "GET /plan": (id) => {
      report(id, { error: "it began and did not finish" }, false);
      return plan[id];
    },
    "POST /result": (id, body) => {
      report(id, JSON.parse(body) as Visited<T>, true);
      return id + 1 < plan.length ? addressOf(plan, id + 1) : null;
    },
    ...more,
  };
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    const [, name, id] = /^(\/[a-z]+)(?:\/(\d+))?$/.exec(pathname) ?? [];
    const answer = answers[`${request.method} ${name}`];
    if (answer !== undefined) {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answer(Number(id), await textOf(request))));
      return;
    }
    const strict = pathname.startsWith("/strict/");
    for (const [header, value] of Object.entries({ ...ISOLATED, ...(strict ? STRICT : {}) }))
      response.setHeader(header, value);
    sendFile(folder, pathname.replace(/^\/strict\//, "/"), request, response);
  });
}

const sendWhole: SendFile = (folder, path, _, response) => {
  const name = path === "/" ? "index.html" : path;
  try {
    const bytes = readFileSync(join(folder, name));
    response.writeHead(200, { "Content-Type": TYPES[extname(name)] }).end(bytes);
  } catch (error) {
    response.writeHead(404).end(String(error));
  }
};

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
