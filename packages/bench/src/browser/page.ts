/** The page: `?run=N` of a plan on its own server. What it needs is loaded when it is needed, so that imports can be timed. */
import type { FirstCallTask, RowTask, Task } from "./tasks.js";
import type { Visited } from "./visit.js";

async function answer(task: Task): Promise<unknown> {
  switch (task.task) {
    case "about":
      return { engines: (await import("evariste")).engines() };
    case "row":
      return (await import("./row.js")).measureInPage(task satisfies RowTask);
    case "first-call":
      return (await import("./first-calls.js")).firstCalls(task satisfies FirstCallTask);
  }
}

async function result(run: string): Promise<Visited<unknown>> {
  try {
    const { options } = (await (await fetch(`/plan/${run}`)).json()) as { options: Task };
    return { summary: await answer(options) };
  } catch (error) {
    return { error: String(error) };
  }
}

const run = new URLSearchParams(location.search).get("run") ?? "0";
const reply = await fetch(`/result/${run}`, { method: "POST", body: JSON.stringify(await result(run)) });
const next = (await reply.json()) as string | null;
if (next !== null) location.href = next;
