/**
 * The service worker: what the page's media element asks for under `film`, it fetches sealed, verifies, decrypts and
 * answers, range by range.
 */
import { RangeReader } from "evariste/ranges";
import { FILM_PATH, type Film, type ToPage, UNVERIFIED_FILM_PATH } from "../film.js";
import { answer } from "./answer.js";
import { httpSource } from "./http-source.js";
import { inWords } from "./words.js";

declare const self: ServiceWorkerGlobalScope;

type Verify = "index" | "none";

/** A film that is being played. */
interface Opened {
  readonly film: Film;
  readonly reader: RangeReader;
}

const WAYS: ReadonlyMap<string, Verify> = new Map([
  [new URL(FILM_PATH, self.location.href).href, "index"],
  [new URL(UNVERIFIED_FILM_PATH, self.location.href).href, "none"],
]);

/**
 * By page and way. Browsers stop workers that rest, and start them again without memory: then the page is asked again.
 */
const opened = new Map<string, Promise<Opened>>();

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const verify = WAYS.get(event.request.url);
  if (verify !== undefined) event.respondWith(play(event.request, event.clientId, verify));
});

async function play(request: Request, id: string, verify: Verify): Promise<Response> {
  const page = await self.clients.get(id);
  if (page === undefined) return new Response(null, { status: 403 });
  const tell = (error: unknown) => page.postMessage({ failure: inWords(error) } satisfies ToPage);
  try {
    const { film, reader } = await openedFor(page, verify);
    return await answer(reader, film.type, request.headers.get("Range"), tell);
  } catch (error) {
    tell(error);
    return new Response(null, { status: 502 });
  }
}

async function openedFor(page: Client, verify: Verify): Promise<Opened> {
  const name = `${page.id} ${verify}`;
  const known = opened.get(name);
  if (known !== undefined) return known;
  const opening = filmOf(page).then((film) => open(film, verify));
  opened.set(name, opening);
  opening.catch(() => opened.delete(name));
  await closeAbandoned();
  return opening;
}

function filmOf(page: Client): Promise<Film> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    page.postMessage({ ask: "film" } satisfies ToPage, [port2]);
  });
}

async function open(film: Film, verify: Verify): Promise<Opened> {
  const source = await httpSource(film.file);
  const how = verify === "none" ? { verify } : { verify, index: await bytesOf(film.index) };
  return { film, reader: await RangeReader.open(source, film.key, film.iv, how) };
}

async function bytesOf(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} is not there: the server says ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A page that was left needs its key no more. */
async function closeAbandoned(): Promise<void> {
  for (const [name, opening] of opened) {
    if ((await self.clients.get(name.split(" ", 1)[0])) !== undefined) continue;
    opened.delete(name);
    (await opening).reader.destroy();
  }
}
