/** Does the work apart from the page, so that the page's buttons and timers never wait for it. */
import { openDestination } from "./destination.js";
import type { Job, News, Order } from "./job.js";
import { run } from "./run.js";
import { inWords } from "./words.js";

/** Milliseconds between two messages of progress. */
const NEWS_EVERY = 50;

const stop = new AbortController();

function tell(news: News): void {
  postMessage(news);
}

async function work(job: Job): Promise<void> {
  try {
    const destination = await openDestination(job.target);
    let told = 0;
    await run(job, destination, stop.signal, (bytes, seconds) => {
      if (performance.now() - told < NEWS_EVERY && bytes < job.file.size) return;
      told = performance.now();
      tell({ bytes, seconds });
    });
    tell({ result: await destination.result() });
  } catch (error) {
    tell({ failure: inWords(error) });
  }
}

addEventListener("message", ({ data }: MessageEvent<Order>) => {
  if (data === "cancel") stop.abort();
  else void work(data);
});
