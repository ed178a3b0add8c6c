/** The page: a form, a progress bar, a line of words. Its worker does the rest. */
import type { News, Order, Way } from "./job.js";
import { PLACES } from "./places.js";
import { inWords } from "./words.js";

const SUFFIX = ".sealed";

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

const form = element("form", HTMLFormElement);
const file = element("file", HTMLInputElement);
const key = element("key", HTMLInputElement);
const place = element("place", HTMLSelectElement);
const cancel = element("cancel", HTMLButtonElement);
const progress = element("progress", HTMLProgressElement);
const status = element("status", HTMLParagraphElement);
const result = element("result", HTMLAnchorElement);

PLACES.forEach(({ label, available }, i) => {
  if (available) place.add(new Option(label, String(i)));
});

element("draw", HTMLButtonElement).onclick = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  key.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

function keyBytes(): Uint8Array {
  return Uint8Array.from(key.value.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function outputName(way: Way, name: string): string {
  if (way === "encrypt") return name + SUFFIX;
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : `${name}.opened`;
}

function offer(blob: Blob, name: string): void {
  result.href = URL.createObjectURL(blob);
  result.download = name;
  result.hidden = false;
}

function showProgress(bytes: number, size: number, seconds: number): void {
  progress.value = size === 0 ? 1 : bytes / size;
  const [done, all, rate] = [bytes, size, bytes / seconds].map((value) => (value / 1e6).toFixed(0));
  status.textContent = `${done} of ${all} MB, ${rate} MB/s`;
}

/** A worker of its own for each file: what it held, the key too, goes with it. */
async function start(way: Way, input: File): Promise<void> {
  const name = outputName(way, input.name);
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const order = (what: Order) => worker.postMessage(what);
  const end = (words: string) => {
    worker.terminate();
    status.textContent = words;
    cancel.disabled = true;
  };
  worker.onmessage = ({ data }: MessageEvent<News>) => {
    if ("bytes" in data) showProgress(data.bytes, input.size, data.seconds);
    else if ("failure" in data) end(data.failure);
    else {
      if (data.result !== undefined) offer(data.result, name);
      end(`Done. ${status.textContent}`);
    }
  };
  worker.onerror = ({ message }) => end(`It did not work: ${message}`);
  cancel.onclick = () => order("cancel");
  cancel.disabled = false;
  progress.value = 0;
  result.hidden = true;
  URL.revokeObjectURL(result.href);
  try {
    const target = await PLACES[Number(place.value)].open(name);
    order({ way, key: keyBytes(), file: input, target });
  } catch (error) {
    end(inWords(error));
  }
}

form.onsubmit = (event) => {
  event.preventDefault();
  const button = event.submitter;
  const [input] = file.files ?? [];
  if (button instanceof HTMLButtonElement && input !== undefined && cancel.disabled)
    void start(button.value === "decrypt" ? "decrypt" : "encrypt", input);
};
