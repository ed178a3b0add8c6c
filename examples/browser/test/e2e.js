/** Uses the page as a person would, in a frame of this one. */
import { check, pause, runSteps } from "../../../scripts/runtimes/steps.js";

const PIECE = 4 * 2 ** 20;

/** The frame's document, once its script has run. */
async function pageOf(frame) {
  while (frame.contentDocument?.querySelector("#place")?.options.length === undefined || !ready(frame))
    await pause(50);
  return frame.contentDocument;
}

const ready = (frame) => frame.contentDocument.querySelector("#place").options.length > 0;

/** A file of many different pieces that takes little memory to make. */
function makeFile(bytes) {
  const piece = new Uint32Array(PIECE / 4).map((_, i) => Math.imul(i, 2654435761));
  const pieces = Array.from({ length: Math.ceil(bytes / PIECE) }, (_, i) => {
    piece[0] = i;
    return new Blob([piece]);
  });
  return new File([new Blob(pieces).slice(0, bytes)], "film.bin");
}

async function pieceOf(blob, at) {
  return new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer());
}

/** @throws Error at the first piece that differs */
async function compare(actual, expected) {
  check(actual.size === expected.size, `${actual.size} bytes instead of ${expected.size}`);
  for (let at = 0; at < expected.size; at += PIECE) {
    const [a, b] = await Promise.all([actual, expected].map((blob) => pieceOf(blob, at)));
    const place = a.findIndex((byte, i) => byte !== b[i]);
    check(place < 0, `another byte at ${at + place}`);
  }
}

/** How late the page's timers come while it works, in milliseconds. */
function watchTimers() {
  let latest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    latest = Math.max(latest, now - last - 10);
    last = now;
  }, 10);
  return () => {
    clearInterval(timer);
    return Math.round(latest);
  };
}

class Page {
  constructor(document) {
    this.find = (selector) => document.querySelector(selector);
    this.DataTransfer = document.defaultView.DataTransfer;
  }

  /** Storage, or memory where the browser has no such storage: a file dialogue needs a person. */
  choosePlace() {
    const options = [...this.find("#place").options];
    this.find("#place").value = options.find((option) => option.value !== "0").value;
  }

  async process(file, way, during = async () => {}) {
    const transfer = new this.DataTransfer();
    transfer.items.add(file);
    this.find("#file").files = transfer.files;
    this.find(`button[value=${way}]`).click();
    await during();
    do await pause(20);
    while (!this.find("#cancel").disabled);
    return this.find("#status").textContent;
  }

  async result() {
    return await (await fetch(this.find("#result").href)).blob();
  }
}

function steps(page, bytes, notes) {
  const plain = makeFile(bytes);
  let sealed;
  const encrypt = async () => {
    page.choosePlace();
    page.find("#draw").click();
    check(/^[0-9a-f]{64}$/.test(page.find("#key").value), "no key was drawn");
    const lateness = watchTimers();
    const words = await page.process(plain, "encrypt");
    notes.push(`encrypt: ${words}, timers at most ${lateness()} ms late`);
    check(words.startsWith("Done."), words);
    // A file in storage is replaced by the next run: keep a copy.
    sealed = new File([await copyOf(await page.result())], page.find("#result").download);
    check(sealed.name === "film.bin.sealed", sealed.name);
    check(sealed.size > plain.size, `${sealed.size} bytes`);
  };
  const decrypt = async () => {
    const lateness = watchTimers();
    const words = await page.process(sealed, "decrypt");
    notes.push(`decrypt: ${words}, timers at most ${lateness()} ms late`);
    check(words.startsWith("Done."), words);
    check(page.find("#result").download === "film.bin", page.find("#result").download);
    await compare(await page.result(), plain);
  };
  const refuse = async () => {
    const cut = new File([sealed.slice(0, sealed.size - 1)], "cut.sealed");
    const words = await page.process(cut, "decrypt");
    check(words.startsWith("This key does not open this file"), words);
    check(page.find("#result").hidden, "a result is offered");
  };
  const cancel = async () => {
    const words = await page.process(plain, "encrypt", async () => {
      while (page.find("#progress").value === 0) await pause(1);
      page.find("#cancel").click();
    });
    check(words.startsWith("Cancelled."), words);
    check(page.find("#result").hidden, "a result is offered");
  };
  return { encrypt, decrypt, "refuse a file that was cut": refuse, cancel };
}

async function copyOf(blob) {
  const pieces = [];
  for (let at = 0; at < blob.size; at += PIECE)
    pieces.push(new Blob([await blob.slice(at, at + PIECE).arrayBuffer()]));
  return new Blob(pieces);
}

await runSteps("a file through the page", async ({ bytes }, notes) =>
  steps(new Page(await pageOf(document.querySelector("iframe"))), bytes, notes),
);
