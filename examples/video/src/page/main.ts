/** The page: tells its service worker what to play, lets the element ask for it, and says what went wrong. */
import { FILM_PATH, type Film, type ToPage, UNVERIFIED_FILM_PATH } from "../film.js";
import workerAddress from "../worker/main.ts?worker&url";

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

const video = element("video", HTMLVideoElement);
const unverified = element("unverified", HTMLInputElement);
const status = element("status", HTMLParagraphElement);

function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** The film of the address's fragment, which browsers do not send to the server. */
async function filmOfAddress(): Promise<Film> {
  const parts = new URLSearchParams(location.hash.slice(1));
  const part = (name: string) => {
    const value = parts.get(name);
    if (value === null) throw new Error(`the address names no ${name}`);
    return value;
  };
  const address = (name: string) => new URL(part(name), document.baseURI).href;
  const raw = fromHex(part("key"));
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { file: address("file"), index: address("index"), type: part("type"), iv: fromHex(part("iv")), key };
}

/** Resolves when the worker answers this page's requests. */
async function workerReady(): Promise<void> {
  const { serviceWorker } = navigator;
  await serviceWorker.register(workerAddress, { scope: "./" });
  const { active } = await serviceWorker.ready;
  while (serviceWorker.controller === null) {
    const changed = new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    });
    // A page that was reloaded past its worker is taken on again at this message.
    active?.postMessage("claim");
    await changed;
  }
}

/** Begins where it was, if it was. */
function play(): void {
  const { currentTime } = video;
  status.textContent = "";
  video.src = unverified.checked ? UNVERIFIED_FILM_PATH : FILM_PATH;
  video.currentTime = currentTime;
}

async function start(): Promise<void> {
  try {
    const film = await filmOfAddress();
    await workerReady();
    navigator.serviceWorker.onmessage = ({ data, ports }: MessageEvent<ToPage>) => {
      if ("failure" in data) status.textContent = data.failure;
      else ports[0].postMessage(film);
    };
    unverified.onchange = play;
    play();
  } catch (error) {
    status.textContent = `It did not work: ${error instanceof Error ? error.message : String(error)}`;
  }
}

video.onerror = () => {
  status.textContent ||= "This browser cannot play the film.";
};
window.onhashchange = () => location.reload();
void start();
