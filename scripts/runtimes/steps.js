/**
 * For pages that use an example as a person would: fetch from the server what to do, run steps one after another, post what
 * came of each. See browsers.mjs for the protocol.
 */
const run = new URLSearchParams(location.search).get("run") ?? "0";

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @throws Error that says `what` */
export function check(condition, what) {
  if (!condition) throw new Error(what);
}

/** Waits until `condition` gives something. @throws Error that says `what` after `seconds` */
export async function until(condition, what, seconds = 20) {
  for (let end = performance.now() + 1000 * seconds; performance.now() < end; await pause(20)) {
    const found = await condition();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

async function runAll(name, prepare) {
  const { options } = await (await fetch(`/plan/${run}`)).json();
  const outcome = { name, passed: 0, failed: 0, skipped: 0, seconds: 0 };
  const failures = [];
  const notes = [];
  const started = performance.now();
  for (const [step, work] of Object.entries(await prepare(options, notes))) {
    try {
      await work();
      outcome.passed++;
    } catch (error) {
      outcome.failed++;
      failures.push({ group: name, name: step, message: String(error) });
    }
  }
  outcome.seconds = (performance.now() - started) / 1000;
  return { version: "end to end", outcomes: [outcome], failures, engines: [], notes };
}

/**
 * @param {string} name of the row in the report
 * @param prepare takes the plan's options and a list for notes, gives the steps by name
 */
export async function runSteps(name, prepare) {
  const result = await runAll(name, prepare).then(
    (summary) => ({ summary }),
    (error) => ({ error: String(error) }),
  );
  await fetch(`/result/${run}`, { method: "POST", body: JSON.stringify(result) });
}
