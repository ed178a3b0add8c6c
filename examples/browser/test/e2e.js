/**
 * Uses the page as a person would, in a frame of this one, then the library's streams: in a worker, where memory counts, and
 * on this page's own thread, where its timers do. Files lie in the page's storage, so that they do not count as memory.
 */
import { check, pause, runSteps, until } from "../../../scripts/runtimes/steps.js";
import { STREAMS } from "./streams.js";
import { memory, watchTimers } from "./watch.js";

const MIB = 2 ** 20;
/** Bytes that the browser may grow by, whatever the file's size; where bounds are not strict, by the file's size more. */
const MOST_GROWTH = 150 * MIB;
/** Milliseconds that the page's timers may be late. */
const MOST_LATE = 50;
/** Milliseconds in which a browser gives back what was used before. */
const SETTLE = 2000;

const idle = new Worker(new URL("./idle-worker.js", import.meta.url), { type: "module" });
const files = new Worker(new URL("./files.js", import.meta.url), { type: "module" });

/** What a worker answers. */
function ask(worker, question) {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(question);
  });
}

/** @throws Error when the worker's task fails */
async function run(worker, ...task) {
  const { result, error } = await ask(worker, task);
  check(error === undefined, error);
  return result;
}

/** One stream in a worker of its own. */
async function runStream(...task) {
  const worker = new Worker(new URL("./streams-worker.js", import.meta.url), { type: "module" });
  try {
    return await run(worker, ...task);
  } finally {
    worker.terminate();
  }
}

/** @throws Error that says how the files of these names differ */
async function compare(actual, expected) {
  const difference = await run(files, "compare", actual, expected);
  check(difference === undefined, difference);
}

async function handleOf(name) {
  const folder = await navigator.storage.getDirectory();
  return await folder.getFileHandle(name, { create: true });
}

/** The file that has this name now. */
async function fileOf(name) {
  return await (await handleOf(name)).getFile();
}

class Page {
  constructor(document) {
    this.find = (selector) => document.querySelector(selector);
    this.DataTransfer = document.defaultView.DataTransfer;
  }

  static async of(frame) {
    const places = () => frame.contentDocument?.querySelector("#place")?.options.length;
    await until(places, "the page's script runs");
    return new Page(frame.contentDocument);
  }

  /** Storage: a file dialogue needs a person. */
  choosePlace() {
    const options = [...this.find("#place").options];
    this.find("#place").value = options.find(({ text }) => text.includes("storage")).value;
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

  /** How many bytes the link offers. */
  async resultSize() {
    const response = await fetch(this.find("#result").href);
    await response.body.cancel();
    return Number(response.headers.get("Content-Length"));
  }
}

/** Runs work and holds it to what a page may do to its browser. */
class Watch {
  #idleBytes;
  #mostGrowth;
  #strict;
  #notes;

  constructor(idleBytes, bytes, strict, notes) {
    this.#idleBytes = idleBytes;
    this.#mostGrowth = MOST_GROWTH + (strict ? 0 : bytes);
    this.#strict = strict;
    this.#notes = notes;
  }

  /**
   * @param bytes of the file that is worked on
   * @param strict whether late timers are a failure, and growth beyond the bound
   */
  static async begin(bytes, strict, notes) {
    await pause(SETTLE);
    return new Watch((await memory())?.now, bytes, strict, notes);
  }

  /** @param work gives words for the note */
  async over(name, work) {
    await pause(SETTLE);
    await memory();
    idle.postMessage("watch");
    const lateness = watchTimers();
    const words = await work();
    const [late, idleLate, used] = [lateness(), await ask(idle, "stop"), await memory()];
    const growth = used && used.peak - this.#idleBytes;
    const grown = used
      ? `memory ${(growth / MIB).toFixed(0)} MiB above ${(this.#idleBytes / MIB).toFixed(0)}`
      : "memory unknown";
    this.#notes.push(
      `${name}: ${words} timers at most ${late} ms late (on an idle thread ${idleLate}), ${grown}`,
    );
    check(!used || growth <= this.#mostGrowth, `memory grew by ${growth} bytes`);
    check(
      !this.#strict || late <= Math.max(MOST_LATE, 2 * idleLate),
      `timers were ${late} ms late, on an idle thread ${idleLate}`,
    );
  }
}

function pageSteps(page, watch, bytes) {
  let plain;
  let sealed;
  const encrypt = async () => {
    await run(files, "make", "film.bin", bytes);
    plain = await fileOf("film.bin");
    page.choosePlace();
    page.find("#draw").click();
    check(/^[0-9a-f]{64}$/.test(page.find("#key").value), "no key was drawn");
    await watch.over("encrypt", async () => {
      const words = await page.process(plain, "encrypt");
      check(words.startsWith("Done."), words);
      return words;
    });
    check(page.find("#result").download === "film.bin.sealed", page.find("#result").download);
    // The next run writes to "output" again.
    await (await handleOf("output")).move("film.bin.sealed");
    sealed = await fileOf("film.bin.sealed");
    check(sealed.size > bytes, `${sealed.size} bytes`);
  };
  const decrypt = async () => {
    await watch.over("decrypt", async () => {
      const words = await page.process(sealed, "decrypt");
      check(words.startsWith("Done."), words);
      return words;
    });
    check(page.find("#result").download === "film.bin", page.find("#result").download);
    check((await page.resultSize()) === bytes, "the link offers another file");
    await compare("output", "film.bin");
  };
  const refuse = async () => {
    const cut = new File([sealed.slice(0, sealed.size - 1)], "cut.sealed");
    const words = await page.process(cut, "decrypt");
    check(words.startsWith("This key does not open this file"), words);
    check(page.find("#result").hidden, "a result is offered");
  };
  const cancel = async () => {
    const words = await page.process(plain, "encrypt", async () => {
      await until(() => page.find("#progress").value > 0, "it begins");
      page.find("#cancel").click();
    });
    check(words.startsWith("Cancelled."), words);
    check(page.find("#result").hidden, "a result is offered");
  };
  return { encrypt, decrypt, "refuse a file that was cut": refuse, cancel };
}

/** Bytes that the page's own thread works on: enough to see what its timers do. */
const ON_PAGE = 64 * MIB;

function streamSteps(watch) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const usages = ["encrypt", "decrypt"];
  const key = crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, usages);
  const inWorker = async () => {
    const plain = await fileOf("film.bin");
    const sealing = ["encryptStream", await key, iv, plain, "stream.sealed"];
    await watch.over("encryptStream in a worker", () => runStream(...sealing));
    const sealed = await fileOf("stream.sealed");
    check(sealed.size === plain.size + 16, `${sealed.size} bytes`);
    const opening = ["decryptStream", await key, iv, sealed, "output"];
    await watch.over("decryptStream in a worker", () => runStream(...opening));
    await compare("output", "film.bin");
  };
  const onPage = async () => {
    const plain = (await fileOf("film.bin")).slice(0, ON_PAGE);
    const other = crypto.getRandomValues(new Uint8Array(12));
    const { encryptStream, decryptStream } = STREAMS;
    await watch.over("encryptStream here", async () =>
      encryptStream(await key, other, plain, "stream.sealed"),
    );
    const sealed = await fileOf("stream.sealed");
    await watch.over("decryptStream here", async () => decryptStream(await key, other, sealed, "output"));
    const { size } = await fileOf("output");
    check(size === plain.size, `${size} bytes`);
  };
  return { "streams in a worker": inWorker, "streams on the page's thread": onPage };
}

await runSteps("a file through the page", async ({ bytes, bounds }, notes) => {
  const page = await Page.of(document.querySelector("iframe"));
  const watch = await Watch.begin(bytes, bounds, notes);
  return { ...pageSteps(page, watch, bytes), ...streamSteps(watch) };
});
