/** The worker of `page.ts`: runs the suite once. */
import { type RunOptions, runSuite } from "../run.js";
import type { PageResult } from "./page.js";

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<RunOptions>) => void) | null;
  postMessage(result: PageResult): void;
};

scope.onmessage = async (event) => {
  try {
    scope.postMessage({ summary: await runSuite(event.data) });
  } catch (error) {
    scope.postMessage({ error: String(error) });
  }
};
