/**
 * Runs the suite in a browser, as `?run=N` of a plan on the page's own server: `GET /plan/N` gives what to run and where,
 * `POST /result/N` takes the summary or an error and answers with the address of the next page, or null.
 */
import { type RunOptions, runSuite, type Summary } from "../run.js";

/** One run of the plan. */
export interface PagePlan {
  readonly where: "page" | "worker";
  readonly options: RunOptions;
}

/** What a page reports. */
export type PageResult = { readonly summary: Summary } | { readonly error: string };

/** A worker that only its own handlers refer to may be collected in the middle of its work (seen in Firefox 153). */
const workers: Worker[] = [];

function inWorker(options: RunOptions): Promise<PageResult> {
  const worker = new Worker(new URL("./page-worker.js", import.meta.url), { type: "module" });
  workers.push(worker);
  return new Promise((resolve) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => resolve({ error: event.message || "the worker could not start" });
    worker.postMessage(options);
  });
}

async function result(run: string): Promise<PageResult> {
  try {
    const plan = (await (await fetch(`/plan/${run}`)).json()) as PagePlan;
    return plan.where === "worker" ? await inWorker(plan.options) : { summary: await runSuite(plan.options) };
  } catch (error) {
    return { error: String(error) };
  }
}

const run = new URLSearchParams(location.search).get("run") ?? "0";
const answer = await fetch(`/result/${run}`, { method: "POST", body: JSON.stringify(await result(run)) });
const next = (await answer.json()) as string | null;
if (next !== null) location.href = next;
