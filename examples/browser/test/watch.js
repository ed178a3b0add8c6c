/** What a page's work does to its timers and to the browser's memory. */

/** Milliseconds between two ticks. */
const TICK = 10;

/** Ticks until it is stopped. @returns a function that stops it and gives how late the latest tick was, in milliseconds */
export function watchTimers() {
  let latest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    latest = Math.max(latest, now - last - TICK);
    last = now;
  }, TICK);
  return () => {
    clearInterval(timer);
    return Math.round(latest);
  };
}

/** Bytes that the browser holds now, and at most since the last call; null where the server cannot know. */
export async function memory() {
  return await (await fetch("/memory", { method: "POST" })).json();
}
