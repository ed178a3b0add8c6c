/** The page: a form, a progress bar, a line of words. */
import { type Destination, PLACES } from "./destination.js";
import { inWords, run } from "./run.js";

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

function outputName(way: "encrypt" | "decrypt", name: string): string {
  if (way === "encrypt") return name + SUFFIX;
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : `${name}.opened`;
}

async function offer(destination: Destination, name: string): Promise<void> {
  const blob = await destination.result();
  if (blob === undefined) return;
  result.href = URL.createObjectURL(blob);
  result.download = name;
  result.hidden = false;
}

async function start(way: "encrypt" | "decrypt", input: File): Promise<void> {
  const stop = new AbortController();
  const name = outputName(way, input.name);
  cancel.onclick = () => stop.abort();
  cancel.disabled = false;
  progress.value = 0;
  result.hidden = true;
  URL.revokeObjectURL(result.href);
  try {
    const destination = await PLACES[Number(place.value)].open(name);
    await run(way, keyBytes(), input, destination, stop.signal, (bytes, seconds) => {
      progress.value = input.size === 0 ? 1 : bytes / input.size;
      status.textContent = `${(bytes / 1e6).toFixed(0)} of ${(input.size / 1e6).toFixed(0)} MB, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;
    });
    await offer(destination, name);
    status.textContent = `Done. ${status.textContent}`;
  } catch (error) {
    status.textContent = inWords(error);
  } finally {
    cancel.disabled = true;
  }
}

form.onsubmit = (event) => {
  event.preventDefault();
  const button = event.submitter;
  const [input] = file.files ?? [];
  if (button instanceof HTMLButtonElement && input !== undefined && cancel.disabled)
    void start(button.value === "decrypt" ? "decrypt" : "encrypt", input);
};
